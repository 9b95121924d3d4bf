package dev.pawl.engine.world;

import java.util.UUID;

/** Names that nobody else has. */
public final class Identity {

    private Identity() {
    }

    /** One more, unlike any other anywhere. */
    public static String fresh() {
        return UUID.randomUUID().toString();
    }
}
