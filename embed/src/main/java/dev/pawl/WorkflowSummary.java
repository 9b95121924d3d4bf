package dev.pawl;

import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A workflow in a list.
 *
 * @param reason why it is held, or ended before its time; null if there is nothing to say
 */
public record WorkflowSummary(String workflowId, String definition, String version, WorkflowStatus status,
        Instant createdAt, @Nullable Instant closedAt, @Nullable String reason) {

    static WorkflowSummary of(WorkflowRecord workflow) {
        return new WorkflowSummary(workflow.key().workflowId(), workflow.beginning().definition(),
                workflow.beginning().definitionVersion(), workflow.status(), workflow.createdAt(), workflow.closedAt(),
                workflow.reason());
    }
}
