package dev.pawl.engine.flow;

import dev.pawl.engine.PawlException;

/**
 * The flow does not wait for this attempt any more: it was cancelled, its branch has lost a race, or its workflow is over. Thrown by
 * {@link ActivityContext#heartbeat} in the process that runs the attempt, whose thread is interrupted as well, and by
 * {@code Pawl.heartbeat} for a worker with a token. Let it pass, or finish and return: what is returned all the same is recorded. Throw
 * {@link NothingHappened} if nothing has happened.
 */
public final class ActivityCancelled extends PawlException {

    private static final long serialVersionUID = 1L;

    public ActivityCancelled(String reason) {
        super("ActivityCancelled", reason, null);
    }
}
