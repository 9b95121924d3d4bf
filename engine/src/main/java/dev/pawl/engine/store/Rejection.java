package dev.pawl.engine.store;

import dev.pawl.kernel.id.Guid;

/** Why a bundle does not fit what is stored. */
public sealed interface Rejection {

    /** A signal is to be accepted that was accepted before, or is there without that. */
    record SignalKnown(Guid guid) implements Rejection {
    }

    /** Somebody committed in between, or the bundle was computed from something never committed. */
    record VersionConflict(long expected, long actual) implements Rejection {
    }

    /** A start that lost the race: the workflow is there. */
    record WorkflowExists() implements Rejection {
    }

    /** A write to a workflow that was never started. */
    record WorkflowMissing() implements Rejection {
    }

    /** The workflow lives in a shard the fence says nothing about. */
    record WrongShard(ShardId actual) implements Rejection {
    }

    /** A bundle that touches inboxes alone takes a message that does not lie in the inbox of the fence's shard. */
    record MessageGone(long inboxId) implements Rejection {
    }

    /** A message is posted to a group that has no shards. */
    record UnknownGroup(String group) implements Rejection {
    }

    /** The store computed another outcome of the compound primitive than the kernel predicted. */
    record HitMismatch(Guid by, boolean predicted) implements Rejection {
    }

    /** The number of a queued message is not the next one: another message has it, or had it. */
    record NumberTaken(long number) implements Rejection {
    }

    /** A semaphore would fall below zero: more was closed than was ever opened. */
    record Underflow(String what) implements Rejection {
    }

    /** The event of the bundle does not follow from the workflow's last one, or there is none. */
    record ChainBroken(long number) implements Rejection {
    }

    /** A ledger would lose a digit. Nothing that only goes forward can ask for that; a store that keeps no ledgers finds it when it reads. */
    record LedgerShrinks(String what) implements Rejection {
    }
}
