package dev.pawl.engine;

import java.time.Duration;

/**
 * How an engine behaves.
 *
 * @param shards how many shards a new group gets; fixed from then on
 * @param leaseTtl how long a shard stays one's own without renewal
 * @param renewEvery at most a third of that, so that two renewals may fail
 * @param taskTimeout how long the next attempt of a task has, when the one before it did not answer
 * @param batchMax how many bundles one commit holds
 * @param stepsApart commits every step of a transition by itself: slower, and just as correct; for tests
 */
public record EngineSettings(int shards, Duration leaseTtl, Duration renewEvery, Duration taskTimeout, int batchMax,
        boolean stepsApart) {

    /** What this version of the engine reads and writes; a store that has seen a later one refuses it. */
    public static final int FORMAT = 1;

    public static final EngineSettings DEFAULT = new EngineSettings(8, Duration.ofSeconds(15), Duration.ofSeconds(5),
            Duration.ofMinutes(5), 1_000, false);

    public EngineSettings {
        if (renewEvery.multipliedBy(3).compareTo(leaseTtl) > 0) {
            throw new IllegalArgumentException("leaseTtl must be at least three times renewEvery, but is " + leaseTtl
                    + " with renewals every " + renewEvery);
        }
        if (shards < 1 || batchMax < 1) {
            throw new IllegalArgumentException("shards and batchMax must be at least 1");
        }
    }

    public EngineSettings withStepsApart(boolean apart) {
        return new EngineSettings(shards, leaseTtl, renewEvery, taskTimeout, batchMax, apart);
    }
}
