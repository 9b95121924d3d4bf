package dev.pawl.engine.shard;

import java.time.Duration;
import java.time.Instant;

/** A pause by the wall clock. A clock that is set back ends it: nobody may sleep for an hour because a clock was put right. */
record Rest(Instant from, Instant until) {

    static final Rest OVER = new Rest(Instant.EPOCH, Instant.EPOCH);

    private static final int DOUBLINGS_MAX = 10;

    static Rest of(Duration length, Instant now) {
        return new Rest(now, now.plus(length));
    }

    /** Twice as long after every failure, up to a limit. */
    static Rest after(int failures, Duration shortest, Duration longest, Instant now) {
        Duration length = shortest.multipliedBy(1L << Math.min(failures, DOUBLINGS_MAX));
        return of(length.compareTo(longest) < 0 ? length : longest, now);
    }

    boolean over(Instant now) {
        return now.isBefore(from) || !now.isBefore(until);
    }
}
