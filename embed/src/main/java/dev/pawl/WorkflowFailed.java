package dev.pawl;

import dev.pawl.engine.PawlException;
import dev.pawl.kernel.lifecycle.WorkflowStatus;

/** A workflow whose result was asked for has ended without one. */
public final class WorkflowFailed extends PawlException {

    private static final long serialVersionUID = 1L;

    private final WorkflowStatus status;

    WorkflowFailed(String workflowId, WorkflowStatus status, String reason) {
        super("Workflow" + switch (status) {
            case CANCELLED -> "Cancelled";
            case INTERRUPTED -> "Interrupted";
            default -> "Failed";
        }, workflowId + " ended " + status + ": " + reason, null);
        this.status = status;
    }

    public WorkflowStatus status() {
        return status;
    }
}
