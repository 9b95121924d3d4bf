package dev.pawl.kernel.id;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** A SHA-256, drawn as {@code sha256sum} draws it. */
public final class Hash {

    private static final int HEX_LENGTH = 64;

    static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

    /** What the first event of a workflow has before it. */
    public static final Hash NONE = new Hash("0".repeat(HEX_LENGTH));

    private final byte[] digest;
    /** Kept once it was asked for: the hash of an event is told by the event, and asked for by who checks that it follows. */
    private @Nullable String base64;

    public Hash(String hex) {
        if (hex.length() != HEX_LENGTH || !digits(hex)) {
            throw new IllegalArgumentException("a SHA-256 has 64 hexadecimal digits in lower case, not '" + hex + "'");
        }
        this.digest = HexFormat.of().parseHex(hex);
    }

    /** Has the bytes to itself. */
    private Hash(byte[] digest) {
        if (2 * digest.length != HEX_LENGTH) {
            throw new IllegalArgumentException("a SHA-256 has 32 bytes, not " + digest.length);
        }
        this.digest = digest;
    }

    /** One spelling only. */
    private static boolean digits(String hex) {
        for (int i = 0; i < hex.length(); i++) {
            char c = hex.charAt(i);
            if ((c < '0' || c > '9') && (c < 'a' || c > 'f')) {
                return false;
            }
        }
        return true;
    }

    public static Hash of(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8));
    }

    public static Hash of(byte[] bytes) {
        return new Hash(Guid.sha256().digest(bytes));
    }

    public static Hash ofDigest(byte[] digest) {
        return new Hash(digest.clone());
    }

    public String hex() {
        return HexFormat.of().formatHex(digest);
    }

    public byte[] bytes() {
        return digest.clone();
    }

    /** Reads what {@link #base64} writes. */
    public static Hash ofBase64(String text) {
        return new Hash(Base64.getUrlDecoder().decode(text));
    }

    /** As events spell it: a third shorter. */
    public String base64() {
        String known = base64;
        if (known == null) {
            known = BASE64.encodeToString(digest);
            base64 = known;
        }
        return known;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Hash that && Arrays.equals(digest, that.digest);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(digest);
    }

    @Override
    public String toString() {
        return hex();
    }
}
