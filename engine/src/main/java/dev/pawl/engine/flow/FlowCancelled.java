package dev.pawl.engine.flow;

import dev.pawl.engine.PawlException;

/**
 * The flow was asked to end, or this branch of it. Thrown by every wait that is not shielded, by a step or activity that was interrupted for
 * it and has not returned, and by every operation that would begin after that: use {@link FlowContext#shielded} for what has to be done in
 * the end.
 */
public final class FlowCancelled extends PawlException {

    private static final long serialVersionUID = 1L;

    public FlowCancelled(String reason) {
        super("Cancelled", reason, null);
    }
}
