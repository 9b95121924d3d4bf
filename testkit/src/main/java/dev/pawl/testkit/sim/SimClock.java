package dev.pawl.testkit.sim;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that moves only when told to, in either direction. Safe for use by many threads. */
public final class SimClock implements InstantSource {

    /** Where simulated time begins; a round number that is easy to recognise in output. */
    public static final Instant EPOCH = Instant.parse("2030-01-01T00:00:00Z");

    private Instant now = EPOCH;

    @Override
    public synchronized Instant instant() {
        return now;
    }

    /** Moves by a duration; a negative one is a clock that was set back. */
    public synchronized void advance(Duration duration) {
        now = now.plus(duration);
    }

    public synchronized void set(Instant instant) {
        now = instant;
    }
}
