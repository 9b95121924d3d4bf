package dev.pawl.kernel.workflow;

import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Hash;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.message.Message.Beginning;
import dev.pawl.kernel.message.Payload;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * The row of one workflow.
 *
 * @param version how many bundles have been committed to it: the other half of every commit's precondition
 * @param messages the number the next message in its queue gets
 * @param chain the hash of its last event; events are numbered like versions
 * @param output the result, or the error of a workflow that ended before its time
 * @param reason why it ended before its time, for people
 */
public record WorkflowRecord(WorkflowKey key, Beginning beginning, WorkflowStatus status, long version, Gate gate,
        long messages, Hash chain, Payload output, @Nullable String reason, Instant createdAt,
        @Nullable Instant closedAt) {

    public static WorkflowRecord created(WorkflowKey key, Beginning beginning, Instant now) {
        return new WorkflowRecord(key, beginning, WorkflowStatus.RUNNING, 0, Gate.ofWorkflow(beginning.threshold()), 0,
                Hash.NONE, Payload.EMPTY, null, now.truncatedTo(ChronoUnit.MILLIS), null);
    }

    public ActivityKey trigger() {
        return ActivityKey.trigger(beginning.trigger());
    }

    public WorkflowRecord with(Gate gate) {
        return new WorkflowRecord(key, beginning, status, version, gate, messages, chain, output, reason, createdAt,
                closedAt);
    }

    public WorkflowRecord committed(Hash chain) {
        return new WorkflowRecord(key, beginning, status, version + 1, gate, messages, chain, output, reason, createdAt,
                closedAt);
    }

    public WorkflowRecord numbered(long messages) {
        return new WorkflowRecord(key, beginning, status, version, gate, messages, chain, output, reason, createdAt,
                closedAt);
    }

    public WorkflowRecord held(WorkflowStatus status, @Nullable String reason) {
        return new WorkflowRecord(key, beginning, status, version, gate, messages, chain, output, reason, createdAt,
                closedAt);
    }

    public WorkflowRecord closed(WorkflowStatus status, Payload output, @Nullable String reason, Instant closedAt) {
        return new WorkflowRecord(key, beginning, status, version, gate, messages, chain, output, reason, createdAt,
                closedAt);
    }
}
