package dev.pawl.engine.flow;

import dev.pawl.engine.PawlException;

/** Somebody has asked for the end of the flow, or of this branch of it. Thrown by every wait that is not shielded. */
public final class FlowCancelled extends PawlException {

    private static final long serialVersionUID = 1L;

    public FlowCancelled(String reason) {
        super("Cancelled", reason, null);
    }
}
