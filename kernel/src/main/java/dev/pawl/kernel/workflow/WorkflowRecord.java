package dev.pawl.kernel.workflow;

import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.message.Message.Beginning;
import dev.pawl.kernel.message.Payload;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The row of one workflow.
 *
 * @param version how many bundles have been committed to it: the other half of every commit's precondition
 * @param messages the number the next message in its queue gets
 * @param output the result, or the error of a workflow that ended before its time
 * @param reason why it ended before its time, for people
 */
public record WorkflowRecord(WorkflowKey key, Beginning beginning, WorkflowStatus status, long version, Gate gate,
        long messages, Payload output, @Nullable String reason, Instant createdAt, @Nullable Instant closedAt) {

    public static WorkflowRecord created(WorkflowKey key, Beginning beginning, Instant now) {
        return new WorkflowRecord(key, beginning, WorkflowStatus.RUNNING, 0, Gate.ofWorkflow(beginning.threshold()), 0,
                Payload.EMPTY, null, now, null);
    }

    public ActivityKey trigger() {
        return ActivityKey.trigger(beginning.trigger());
    }

    public WorkflowRecord with(Gate gate) {
        return new WorkflowRecord(key, beginning, status, version, gate, messages, output, reason, createdAt, closedAt);
    }

    public WorkflowRecord committed() {
        return new WorkflowRecord(key, beginning, status, version + 1, gate, messages, output, reason, createdAt,
                closedAt);
    }

    public WorkflowRecord numbered(long messages) {
        return new WorkflowRecord(key, beginning, status, version, gate, messages, output, reason, createdAt, closedAt);
    }

    public WorkflowRecord closed(WorkflowStatus status, Payload output, @Nullable String reason, Instant closedAt) {
        return new WorkflowRecord(key, beginning, status, version, gate, messages, output, reason, createdAt, closedAt);
    }
}
