package dev.pawl.engine.world;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.UUID;

/** Names that nobody else has. */
public final class Identity {

    private static final SecureRandom SECRETS = new SecureRandom();

    /** 192 bits: no one guesses them. */
    private static final int SECRET_BYTES = 24;

    private Identity() {
    }

    /** A name for this process, short because it stands in the row of every attempt. */
    public static String process() {
        UUID random = UUID.randomUUID();
        return Long.toUnsignedString(random.getLeastSignificantBits() ^ random.getMostSignificantBits(),
                Character.MAX_RADIX);
    }

    /** One more, unlike any other anywhere. */
    public static String fresh() {
        return UUID.randomUUID().toString();
    }

    /** A secret of 192 random bits, in characters that fit a URL. */
    public static String secret() {
        byte[] bytes = new byte[SECRET_BYTES];
        SECRETS.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
