package dev.pawl.engine.flow;

import org.jspecify.annotations.Nullable;

/**
 * A workflow that another one has started. For the thread that has started it.
 *
 * @param <O> what it returns
 */
public interface ChildHandle<O extends @Nullable Object> {

    String workflowId();

    /** Waits for its result. Throws {@link ChildFailed} if it does not complete. */
    O result();

    /** Asks it to cancel, and goes on. */
    void cancel(String reason);
}
