package dev.pawl.kernel.id;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.UUID;

/**
 * The identity of a message, derived from where it comes from and never drawn fresh: whoever sends the same thing
 * again sends the same GUID, so that a redelivery always meets its own ledger.
 *
 * <p>It is the first 128 bits of a SHA-256 over length-prefixed parts, six of them replaced by the marks of a UUID of
 * version 8.
 */
public record Guid(UUID value) implements Comparable<Guid> {

    /** Two lists of parts give the same GUID only if they are the same list: each part carries its length. */
    public static Guid derive(String kind, String... parts) {
        byte[][] encoded = new byte[1 + parts.length][];
        encoded[0] = utf8(kind);
        int length = Integer.BYTES + encoded[0].length;
        for (int i = 0; i < parts.length; i++) {
            encoded[i + 1] = utf8(parts[i]);
            length += Integer.BYTES + encoded[i + 1].length;
        }
        // In one piece: the digest takes each call of its own much harder than the bytes.
        ByteBuffer all = ByteBuffer.allocate(length);
        for (byte[] part : encoded) {
            all.putInt(part.length).put(part);
        }
        ByteBuffer hash = ByteBuffer.wrap(sha256().digest(all.array()));
        long high = (hash.getLong() & 0xFFFF_FFFF_FFFF_0FFFL) | 0x8000L;
        long low = (hash.getLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
        return new Guid(new UUID(high, low));
    }

    /** The start of a workflow: one per workflow id, so that a second start meets the first. */
    public static Guid ofStart(WorkflowKey workflow) {
        return derive("start", workflow.namespace(), workflow.workflowId());
    }

    /** A keyed signal or another request with an id chosen by its sender. */
    public static Guid ofRequest(WorkflowKey workflow, String name, String requestId) {
        return derive("request", workflow.namespace(), workflow.workflowId(), name, requestId);
    }

    /** The message that enters a join: the same whichever arrival comes last. */
    public static Guid ofJoin(WorkflowKey workflow, ActivityKey join) {
        return derive("join", workflow.namespace(), workflow.workflowId(), join.toString());
    }

    /** The waking of a timer: one per activity and due time. */
    public static Guid ofTimer(WorkflowKey workflow, ActivityKey activity, long dueAtMillis) {
        return derive("timer", workflow.namespace(), workflow.workflowId(), activity.toString(),
                Long.toString(dueAtMillis));
    }

    /**
     * An answer to one attempt of a task: a worker that answers twice meets its own first answer.
     *
     * @param number 0 for the last answer, 1, 2, … for the pending ones before it
     */
    public static Guid ofAnswer(WorkflowKey workflow, ActivityKey activity, int attempt, int number) {
        return derive("answer", workflow.namespace(), workflow.workflowId(), activity.toString(),
                Integer.toString(attempt), Integer.toString(number));
    }

    /** A signal that a hook gives back, once. No sender can choose this one. */
    public static Guid ofReturned(WorkflowKey workflow, ActivityKey hook) {
        return derive("returned", workflow.namespace(), workflow.workflowId(), hook.toString());
    }

    /** A message to a child activity. */
    public Guid toChild(ActivityKey child) {
        return derive("child", toString(), child.toString());
    }

    /** A signal to another workflow. */
    public Guid signalTo(WorkflowKey target) {
        return derive("signal", toString(), target.namespace(), target.workflowId());
    }

    /** The end of another workflow: not the same as a signal to it by the same message. */
    public Guid interruptOf(WorkflowKey target) {
        return derive("interrupt", toString(), target.namespace(), target.workflowId());
    }

    /** Strict: a lenient encoder turns every half of a surrogate pair into the same question mark. */
    private static byte[] utf8(String part) {
        for (int i = 0; i < part.length(); i++) {
            if (Character.isSurrogate(part.charAt(i))) {
                requireWellFormed(part);
                break;
            }
        }
        return part.getBytes(StandardCharsets.UTF_8);
    }

    private static void requireWellFormed(String part) {
        try {
            StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(part));
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("an id must be well-formed Unicode", e);
        }
    }

    /** Kept, because looking for it among the providers takes longer than hashing an id. */
    private static final ThreadLocal<MessageDigest> SHA256 = ThreadLocal.withInitial(() -> digest("SHA-256"));

    /** As new; until the next call on the same thread. */
    static MessageDigest sha256() {
        MessageDigest sha = SHA256.get();
        sha.reset();
        return sha;
    }

    static MessageDigest digest(String algorithm) {
        try {
            return MessageDigest.getInstance(algorithm);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java has no " + algorithm, e);
        }
    }

    /** Reads what {@link #base64} writes. */
    public static Guid ofBase64(String text) {
        ByteBuffer bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(text));
        return new Guid(new UUID(bytes.getLong(), bytes.getLong()));
    }

    /** As events spell it: a third shorter. */
    public String base64() {
        byte[] bytes = ByteBuffer.allocate(2 * Long.BYTES).putLong(value.getMostSignificantBits())
                .putLong(value.getLeastSignificantBits()).array();
        return Hash.BASE64.encodeToString(bytes);
    }

    @Override
    public int compareTo(Guid other) {
        return toString().compareTo(other.toString());
    }

    @Override
    public String toString() {
        return HexFormat.of().toHexDigits(value.getMostSignificantBits())
                + HexFormat.of().toHexDigits(value.getLeastSignificantBits());
    }
}
