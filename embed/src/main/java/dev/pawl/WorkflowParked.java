package dev.pawl;

import dev.pawl.engine.PawlException;

/**
 * A workflow whose result was waited for is parked: it does not go on before a person has decided, or a program with other code is there.
 * It has not failed; its result can be waited for again.
 */
public final class WorkflowParked extends PawlException {

    private static final long serialVersionUID = 1L;

    private final String reason;

    WorkflowParked(String workflowId, String reason) {
        super("WorkflowParked", workflowId + " is parked and does not go on by itself: " + reason + ". " + WHAT_TO_DO,
                null);
        this.reason = reason;
    }

    static final String WHAT_TO_DO = "See attention() for the case and decide it, or deploy code that fits";

    /** Why it is parked, as JSON with a code. */
    public String reason() {
        return reason;
    }
}
