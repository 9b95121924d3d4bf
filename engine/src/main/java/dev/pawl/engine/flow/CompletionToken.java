package dev.pawl.engine.flow;

import dev.pawl.kernel.id.Hash;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Snapshot;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The right to complete one hand-over of an activity. It names the operation and holds a secret; the store keeps only its hash, so that a
 * reader of the database cannot complete anything.
 *
 * <p>Every attempt to hand over has a token of its own. All tokens of an operation stay valid until it has ended, because the first worker may
 * be the one that answers; the first answer counts.
 */
public final class CompletionToken {

    /** What the topics of completions begin with. */
    static final String TOPIC = "pawl-complete:";

    private static final String SEPARATOR = "/";
    private static final int PARTS = 5;

    private final String namespace;
    private final String workflowId;
    private final String operationId;
    private final int handOver;
    private final String text;

    private CompletionToken(String namespace, String workflowId, String operationId, int handOver, String text) {
        this.namespace = namespace;
        this.workflowId = workflowId;
        this.operationId = operationId;
        this.handOver = handOver;
        this.text = text;
    }

    static CompletionToken of(String namespace, String workflowId, String operationId, int handOver, String secret) {
        String plain =
                String.join(SEPARATOR, namespace, workflowId, operationId, Integer.toString(handOver), secret);
        return new CompletionToken(namespace, workflowId, operationId, handOver,
                Base64.getUrlEncoder().withoutPadding().encodeToString(plain.getBytes(StandardCharsets.UTF_8)));
    }

    /** Null if the text is not a token. */
    public static @Nullable CompletionToken parse(String token) {
        try {
            String[] parts = new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8)
                    .split(SEPARATOR, -1);
            return parts.length == PARTS
                    ? new CompletionToken(parts[0], parts[1], parts[2], Integer.parseInt(parts[3]), token)
                    : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    public String namespace() {
        return namespace;
    }

    public String workflowId() {
        return workflowId;
    }

    public String operationId() {
        return operationId;
    }

    /** What the worker passes to {@code Pawl.complete}. */
    String text() {
        return text;
    }

    /** What is stored of it. It covers the workflow and the operation, so the hash is of no use under another id. */
    Hash hash() {
        return Hash.of(text);
    }

    /** Whether this workflow has issued it; takes the same time for every wrong token. */
    public boolean issuedBy(Snapshot workflow) {
        ActivityRecord issued = workflow.activity(FlowControl.operation(Journal.token(handOver, operationId)));
        return issued != null
                && MessageDigest.isEqual(issued.output().bytes(), CompletionTokens.stored(hash()).bytes());
    }

    /**
     * Whether no answer to the operation is waited for any more, although there was none: its flow was cancelled, its branch has lost a race,
     * or its workflow is over. Not so if the operation has failed, for lack of an answer for example.
     */
    public boolean withdrawn(Snapshot workflow) {
        ActivityRecord end = workflow.activity(FlowControl.operation(Journal.handOverEnd(operationId)));
        if (end != null && end.output().size() > 0) {
            return false;
        }
        boolean dropped = end != null;
        for (ActivityRecord operation : FlowControl.operations(workflow)) {
            if (Journal.answers(operation.key().activity(), operationId)) {
                if (!operation.ledger().finalized()) {
                    return over(workflow);
                }
                if (!Scope.dropped(operation) && !ElsewhereOperation.heartbeat(operation)) {
                    return false;
                }
                dropped |= Scope.dropped(operation);
            }
        }
        return dropped || over(workflow);
    }

    private static boolean over(Snapshot snapshot) {
        return snapshot.workflow() != null && snapshot.workflow().status().terminal();
    }

    /** The signal that completes the operation. */
    public String topic() {
        return topic(workflowId, operationId);
    }

    /** With the workflow's id: a workflow that continues as new must not take what was meant for the one before it. */
    static String topic(String workflowId, String operationId) {
        return TOPIC + workflowId + SEPARATOR + operationId;
    }

    /** The id under which a completion with this token is accepted once. */
    public String requestId() {
        return "completion-" + handOver;
    }

    /** Without the secret: this may be logged. */
    @Override
    public String toString() {
        return "token " + handOver + " of " + operationId + " of " + workflowId;
    }
}
