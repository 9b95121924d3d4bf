package dev.pawl.engine.flow;

import dev.pawl.engine.ValidationFailed;
import dev.pawl.engine.store.SlotPool;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How many attempts may run at a time, or begin in a time, in all processes of a namespace together. Activities that name the same pool
 * share it; each asks with the number it was given itself.
 *
 * @param period null if it is about how many run at a time
 */
public record Limit(String pool, int max, @Nullable Duration period) {

    private static final Duration PERIOD_MAX = Duration.ofDays(31);

    public Limit {
        ValidationFailed.name("a pool's name", pool);
        if (max < 1) {
            throw new ValidationFailed("a limit lets at least one through, but this one of " + pool + " is " + max);
        }
        if (period != null && (period.toMillis() < 1 || period.compareTo(PERIOD_MAX) > 0)) {
            throw new ValidationFailed("a rate is for a time between a millisecond and " + PERIOD_MAX.toDays()
                    + " days, but this one of " + pool + " is for " + period);
        }
    }

    /** At most so many attempts at a time. */
    public static Limit concurrent(String pool, int max) {
        return new Limit(pool, max, null);
    }

    /** At most so many attempts begin in any such time. */
    public static Limit rate(String pool, int max, Duration period) {
        return new Limit(pool, max, period);
    }

    boolean samePool(Limit other) {
        return pool.equals(other.pool) && (period == null) == (other.period == null);
    }

    /** As the store knows it. */
    SlotPool slots(Duration ttl) {
        return period == null
                ? new SlotPool(pool, SlotPool.Kind.CONCURRENT, max, ttl)
                : new SlotPool(pool, SlotPool.Kind.RATE, max, period);
    }
}
