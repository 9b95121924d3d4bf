package dev.pawl.kernel.id;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;

/** A SHA-256, drawn as {@code sha256sum} draws it. */
public record Hash(String hex) {

    private static final int HEX_LENGTH = 64;

    static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

    /** What the first event of a workflow has before it. */
    public static final Hash NONE = new Hash("0".repeat(HEX_LENGTH));

    public Hash {
        if (hex.length() != HEX_LENGTH || !digits(hex)) {
            throw new IllegalArgumentException("a SHA-256 has 64 hexadecimal digits in lower case, not '" + hex + "'");
        }
    }

    /** One spelling only: equal hashes must be equal texts. By hand, because it is hot. */
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
        return ofDigest(Guid.sha256().digest(bytes));
    }

    public static Hash ofDigest(byte[] digest) {
        return new Hash(HexFormat.of().formatHex(digest));
    }

    public byte[] bytes() {
        return HexFormat.of().parseHex(hex);
    }

    /** As events spell it: a third shorter. */
    public String base64() {
        return BASE64.encodeToString(bytes());
    }

    @Override
    public String toString() {
        return hex;
    }
}
