package dev.pawl;

import dev.pawl.engine.PawlException;
import dev.pawl.engine.flow.FlowControl;
import org.jspecify.annotations.Nullable;

/**
 * Something asked of a workflow that cannot be done, or that has not been answered: in time ({@code Timeout}), or before the calling thread
 * was interrupted ({@code Interrupted}; the thread's interrupt flag is set then).
 */
public final class WorkflowError extends PawlException {

    private static final long serialVersionUID = 1L;

    /** The code of a call whose thread was interrupted before there was an answer. */
    static final String INTERRUPTED = "Interrupted";

    private WorkflowError(String code, String message) {
        this(code, message, null);
    }

    private WorkflowError(String code, String message, @Nullable Throwable cause) {
        super(code, message, cause);
    }

    static WorkflowError notFound(String workflowId) {
        return new WorkflowError("NotFound", "there is no workflow " + workflowId);
    }

    static WorkflowError closed(String workflowId) {
        return new WorkflowError("WorkflowClosed", workflowId + " has ended; nothing can be asked of it any more");
    }

    static WorkflowError conflict(String workflowId) {
        return new WorkflowError("WorkflowIdConflict", workflowId
                + " was started with another definition or another input; use another id, or the same input");
    }

    static WorkflowError timeout(String message) {
        return new WorkflowError("Timeout", message);
    }

    /** The thread that waits was interrupted; its flag is set again. */
    static WorkflowError interrupted(String what, @Nullable Throwable cause) {
        Thread.currentThread().interrupt();
        return new WorkflowError(INTERRUPTED, what
                + ": the calling thread was interrupted. What the workflow was asked goes on if it was accepted; to learn"
                + " what became of it, call again with the same ids", cause);
    }

    static WorkflowError validation(String message) {
        return new WorkflowError("ValidationFailed", message);
    }

    static WorkflowError undecided(String caseId) {
        return new WorkflowError("NotFound", "there is nothing to decide about " + caseId
                + "; it was never asked, or is over");
    }

    static WorkflowError notAllowed(String decision, Object allowed) {
        return new WorkflowError("DecisionNotAllowed", decision + " cannot be decided here; choose one of " + allowed);
    }

    static WorkflowError decided(String caseId, String decision, String subject) {
        return new WorkflowError("DecisionConflict", caseId + " was decided otherwise before: " + decision + ", by "
                + subject);
    }

    static WorkflowError unreadable(String workflowId, String signal, String why) {
        return new WorkflowError("SignalRefused", workflowId + " waits for the signal " + signal
                + ", but cannot read this one, so it was not accepted: " + why + "; send what the wait asks for");
    }

    static WorkflowError refused(String update, String message) {
        return new WorkflowError(FlowControl.REFUSED, "the update " + update + " was refused: " + message);
    }

    static WorkflowError update(String message) {
        return new WorkflowError("UpdateFailed", message);
    }
}
