package dev.pawl.kernel.lifecycle;

import static dev.pawl.kernel.lifecycle.ActionEvent.AWAIT_PERSON;
import static dev.pawl.kernel.lifecycle.ActionEvent.CANCEL;
import static dev.pawl.kernel.lifecycle.ActionEvent.DISPATCH;
import static dev.pawl.kernel.lifecycle.ActionEvent.FAIL;
import static dev.pawl.kernel.lifecycle.ActionEvent.SUCCEED;

/** What one action of an action list is doing, in the words of its specification. Retries happen inside RUNNING. */
public enum ActionStatus {
    PENDING, RUNNING,
    /** Open, not terminal: a person completes it with the token it was given. */
    WAITING_FOR_MANUAL_COMPLETION, SUCCEEDED, FAILED, CANCELLED;

    public static final Lifecycle<ActionStatus, ActionEvent> LIFECYCLE = table();

    private static Lifecycle<ActionStatus, ActionEvent> table() {
        var table = new Lifecycle<ActionStatus, ActionEvent>(ActionStatus.class);
        // Fail-fast schedules nothing more, so an action that never ran ends here.
        table.row(PENDING, DISPATCH, RUNNING).row(PENDING, CANCEL, CANCELLED);
        table.row(RUNNING, AWAIT_PERSON, WAITING_FOR_MANUAL_COMPLETION);
        for (ActionStatus open : new ActionStatus[] {RUNNING, WAITING_FOR_MANUAL_COMPLETION}) {
            table.row(open, SUCCEED, SUCCEEDED).row(open, FAIL, FAILED).row(open, CANCEL, CANCELLED);
        }
        return table;
    }
}
