package dev.pawl.testkit.simulate;

import java.util.logging.Level;
import java.util.logging.Logger;

/** Keeps the engine's log quiet while it is simulated: a thousand worlds go wrong in every way, and their traces say more. */
final class QuietLog {

    /** Held, because the log manager forgets loggers that nothing refers to. */
    private static final Logger ENGINE = Logger.getLogger("dev.pawl.engine");

    private QuietLog() {
    }

    static void keep() {
        if (ENGINE.getLevel() == null) {
            ENGINE.setLevel(Level.OFF);
        }
    }
}
