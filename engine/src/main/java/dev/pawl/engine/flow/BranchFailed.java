package dev.pawl.engine.flow;

import dev.pawl.engine.PawlException;

/** A branch has thrown something that is not a {@link RuntimeException}; it is the cause. */
public final class BranchFailed extends PawlException {

    private static final long serialVersionUID = 1L;

    BranchFailed(Throwable cause) {
        super("BranchFailed", String.valueOf(cause.getMessage()), cause);
    }

    /** What a caller gets that cannot declare it. */
    static RuntimeException of(Throwable cause) {
        return cause instanceof RuntimeException runtime ? runtime : new BranchFailed(cause);
    }
}
