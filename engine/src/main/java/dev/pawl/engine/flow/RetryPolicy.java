package dev.pawl.engine.flow;

import java.time.Duration;

/**
 * How often something is tried, and how long to wait in between.
 *
 * @param maxAttempts the first one included; 1 to 10
 * @param initialBackoff before the second attempt
 * @param multiplier from one wait to the next; at least 1
 * @param maxBackoff no wait is longer
 */
public record RetryPolicy(int maxAttempts, Duration initialBackoff, double multiplier, Duration maxBackoff) {

    public static final int ATTEMPTS_MAX = 10;
    public static final RetryPolicy DEFAULT =
            new RetryPolicy(3, Duration.ofSeconds(1), 2.0, Duration.ofSeconds(30));
    /** Of a compensation that says nothing else. */
    public static final RetryPolicy COMPENSATION =
            new RetryPolicy(2, Duration.ofSeconds(1), 2.0, Duration.ofSeconds(10));
    public static final RetryPolicy NONE = new RetryPolicy(1, Duration.ZERO, 1.0, Duration.ZERO);

    public RetryPolicy {
        if (maxAttempts < 1 || maxAttempts > ATTEMPTS_MAX) {
            throw new IllegalArgumentException(
                    "maxAttempts must be 1 to " + ATTEMPTS_MAX + ", but is " + maxAttempts);
        }
        if (initialBackoff.isNegative() || maxBackoff.isNegative() || !(multiplier >= 1)) {
            throw new IllegalArgumentException("a wait is not negative, and does not get shorter: initialBackoff "
                    + initialBackoff + ", multiplier " + multiplier + ", maxBackoff " + maxBackoff);
        }
    }

    public static RetryPolicy attempts(int maxAttempts) {
        return DEFAULT.withMaxAttempts(maxAttempts);
    }

    public RetryPolicy withMaxAttempts(int attempts) {
        return new RetryPolicy(attempts, initialBackoff, multiplier, maxBackoff);
    }

    public RetryPolicy withBackoff(Duration initial, double factor, Duration longest) {
        return new RetryPolicy(maxAttempts, initial, factor, longest);
    }

    /** How long to wait after an attempt that failed, counted from 1. */
    public Duration backoff(int failedAttempt) {
        double millis = (double) initialBackoff.toMillis() * Math.pow(multiplier, failedAttempt - 1.0);
        return Duration.ofMillis((long) Math.min(millis, (double) maxBackoff.toMillis()));
    }
}
