package dev.pawl.engine.world;

/** A clock that is never set, and goes on while the process is stopped. */
public final class Ticker {

    private Ticker() {
    }

    /** Nanoseconds since some moment. */
    public static long nanos() {
        return System.nanoTime();
    }
}
