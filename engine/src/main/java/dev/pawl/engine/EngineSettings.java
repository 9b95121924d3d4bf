package dev.pawl.engine;

import java.time.Duration;

/**
 * How an engine behaves: {@link #DEFAULT}, with what should be different.
 *
 * <p>The shards of an engine that dies are taken over at most {@code leaseTtl} plus half a second after its last renewal, and then recovered:
 * so long may that renewal last, and so often do the others look at an engine that is overdue. One that stops in order gives its shards
 * back, and the others have them at once.
 *
 * @param shards how many shards a new group gets; fixed from then on
 * @param leaseTtl how long a shard stays one's own without renewal
 * @param renewEvery how often leases are tended; at most a third of {@code leaseTtl}, so that two renewals may fail
 * @param taskTimeout how long the next attempt of a task has, when the one before it did not answer
 * @param batchMax how many bundles one commit holds
 * @param lookEvery how often an inbox is read that the store says nothing about; zero reads it in every turn
 * @param lanes how many threads drive the shards, each its own ones: so many commits may be under way at once
 * @param checkpointOwnership what keeps two engines from driving the same workflow
 * @param handOverMax how long a shard that is to be handed to another engine waits for what runs in it; what runs longer stays valid, and
 *        its outcome reaches the next owner by the inbox
 * @param joins whether a start or a signal in a shard that the engine owns itself waits for the next commit of that shard instead of making
 *        one; only if other threads than the sender's give the engine its turns
 * @param stepsApart commits every step of a transition by itself: slower, and just as correct; for tests
 */
public record EngineSettings(int shards, Duration leaseTtl, Duration renewEvery, Duration taskTimeout, int batchMax,
        Duration lookEvery, int lanes, CheckpointOwnership checkpointOwnership, Duration handOverMax, boolean joins,
        boolean stepsApart) {

    /** What this version of the engine reads and writes; a store that has seen a later one refuses it. */
    public static final int FORMAT = 1;

    /** More lanes than that wait for the same disk. */
    private static final int LANES_MAX = 4;

    public static final EngineSettings DEFAULT = new EngineSettings(8, Duration.ofSeconds(15), Duration.ofSeconds(5),
            Duration.ofMinutes(5), 1_000, Duration.ofSeconds(1),
            Math.min(Runtime.getRuntime().availableProcessors(), LANES_MAX), CheckpointOwnership.CAS_REQUIRED,
            Duration.ofSeconds(2), false, false);

    public EngineSettings {
        if (renewEvery.multipliedBy(3).compareTo(leaseTtl) > 0) {
            throw new IllegalArgumentException("leaseTtl must be at least three times renewEvery, but is " + leaseTtl
                    + " with renewals every " + renewEvery);
        }
        if (shards < 1 || batchMax < 1 || lanes < 1) {
            throw new IllegalArgumentException("shards, batchMax and lanes must be at least 1");
        }
        if (!renewEvery.isPositive() || lookEvery.isNegative()) {
            throw new IllegalArgumentException("renewEvery must be positive, and lookEvery not negative");
        }
    }

    public EngineSettings withShards(int count) {
        return new EngineSettings(count, leaseTtl, renewEvery, taskTimeout, batchMax, lookEvery, lanes,
                checkpointOwnership, handOverMax, joins, stepsApart);
    }

    public EngineSettings withLease(Duration ttl, Duration renewal) {
        return new EngineSettings(shards, ttl, renewal, taskTimeout, batchMax, lookEvery, lanes, checkpointOwnership,
                handOverMax, joins, stepsApart);
    }

    public EngineSettings withTaskTimeout(Duration timeout) {
        return new EngineSettings(shards, leaseTtl, renewEvery, timeout, batchMax, lookEvery, lanes,
                checkpointOwnership, handOverMax, joins, stepsApart);
    }

    public EngineSettings withBatchMax(int bundles) {
        return new EngineSettings(shards, leaseTtl, renewEvery, taskTimeout, bundles, lookEvery, lanes,
                checkpointOwnership, handOverMax, joins, stepsApart);
    }

    public EngineSettings withLookEvery(Duration interval) {
        return new EngineSettings(shards, leaseTtl, renewEvery, taskTimeout, batchMax, interval, lanes,
                checkpointOwnership, handOverMax, joins, stepsApart);
    }

    public EngineSettings withLanes(int threads) {
        return new EngineSettings(shards, leaseTtl, renewEvery, taskTimeout, batchMax, lookEvery, threads,
                checkpointOwnership, handOverMax, joins, stepsApart);
    }

    public EngineSettings withCheckpointOwnership(CheckpointOwnership mode) {
        return new EngineSettings(shards, leaseTtl, renewEvery, taskTimeout, batchMax, lookEvery, lanes, mode,
                handOverMax, joins, stepsApart);
    }

    public EngineSettings withStepsApart(boolean apart) {
        return new EngineSettings(shards, leaseTtl, renewEvery, taskTimeout, batchMax, lookEvery, lanes,
                checkpointOwnership, handOverMax, joins, apart);
    }

    public EngineSettings withJoins(boolean together) {
        return new EngineSettings(shards, leaseTtl, renewEvery, taskTimeout, batchMax, lookEvery, lanes,
                checkpointOwnership, handOverMax, together, stepsApart);
    }

    public EngineSettings withHandOverMax(Duration longest) {
        return new EngineSettings(shards, leaseTtl, renewEvery, taskTimeout, batchMax, lookEvery, lanes,
                checkpointOwnership, longest, joins, stepsApart);
    }
}
