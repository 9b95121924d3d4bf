package dev.pawl.engine.flow;

import dev.pawl.engine.PawlException;

/** The lease of this process may have run out: the function that was about to run has not begun. Never seen by user code. */
final class LeaseLapsed extends PawlException {

    private static final long serialVersionUID = 1L;

    LeaseLapsed() {
        super("LeaseLapsed", "the lease of this process may have run out", null);
    }
}
