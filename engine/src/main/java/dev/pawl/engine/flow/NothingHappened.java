package dev.pawl.engine.flow;

import org.jspecify.annotations.Nullable;

/**
 * Thrown by an activity that knows that it has had no effect on the outside world: the card was declined, the connection refused. Then
 * nothing has to be looked up, and its effect counts as failed. Whatever else is thrown may have happened all the same.
 */
public final class NothingHappened extends Exception {

    private static final long serialVersionUID = 1L;

    public NothingHappened(String message) {
        this(message, null);
    }

    /** Fails like the cause, which is what a retry policy is asked about. */
    public NothingHappened(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    static Throwable cause(Throwable error) {
        return error instanceof NothingHappened && error.getCause() != null ? error.getCause() : error;
    }
}
