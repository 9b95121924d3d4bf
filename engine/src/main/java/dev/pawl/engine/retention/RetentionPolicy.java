package dev.pawl.engine.retention;

import dev.pawl.engine.store.Cutoffs;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * How long a workflow that has ended is kept, by how it ended; one whose end is not named is kept for ever. It is looked at when a sweep
 * runs, not when a workflow ends: a new policy applies to what has ended long ago.
 *
 * <p>Longer than the longest a client or a worker may still answer: what comes for a workflow that was deleted is refused as for one that
 * never was, unless its id is in use again.
 */
public record RetentionPolicy(Map<WorkflowStatus, Duration> keep) {

    private static final Duration GOOD_END = Duration.ofDays(30);
    private static final Duration BAD_END = Duration.ofDays(90);

    /** 30 days for what came to a good end, 90 for what did not, because somebody may want to know why. */
    public static final RetentionPolicy DEFAULT = new RetentionPolicy(Map.of(
            WorkflowStatus.COMPLETED, GOOD_END, WorkflowStatus.CONTINUED_AS_NEW, GOOD_END,
            WorkflowStatus.FAILED, BAD_END, WorkflowStatus.CANCELLED, BAD_END, WorkflowStatus.INTERRUPTED, BAD_END));

    public RetentionPolicy {
        Map<WorkflowStatus, Duration> ordered = new EnumMap<>(WorkflowStatus.class);
        ordered.putAll(keep);
        ordered.forEach((status, time) -> {
            if (!status.terminal()) {
                throw new IllegalArgumentException("only what has ended is ever deleted, not what is " + status);
            }
            if (time.isNegative()) {
                throw new IllegalArgumentException("what is " + status + " is kept for some time, not for " + time);
            }
        });
        keep = Collections.unmodifiableMap(ordered);
    }

    /** No workflow is ever deleted. The answers to signals are forgotten all the same, when their own time is up. */
    public static RetentionPolicy keepForever() {
        return new RetentionPolicy(Map.of());
    }

    /** The same time for whatever has ended. */
    public static RetentionPolicy keepAll(Duration time) {
        RetentionPolicy policy = keepForever();
        for (WorkflowStatus status : WorkflowStatus.values()) {
            policy = status.terminal() ? policy.keep(status, time) : policy;
        }
        return policy;
    }

    public RetentionPolicy keep(WorkflowStatus status, Duration time) {
        Map<WorkflowStatus, Duration> changed = new EnumMap<>(WorkflowStatus.class);
        changed.putAll(keep);
        changed.put(status, time);
        return new RetentionPolicy(changed);
    }

    public RetentionPolicy keepForever(WorkflowStatus status) {
        Map<WorkflowStatus, Duration> changed = new EnumMap<>(WorkflowStatus.class);
        changed.putAll(keep);
        changed.remove(status);
        return new RetentionPolicy(changed);
    }

    /** What is old enough now. */
    public Cutoffs cutoffs(Instant now) {
        Map<WorkflowStatus, Instant> cutoffs = new EnumMap<>(WorkflowStatus.class);
        keep.forEach((status, time) -> cutoffs.put(status, now.minus(time)));
        return new Cutoffs(cutoffs);
    }
}
