package dev.pawl.kernel.lifecycle;

import static dev.pawl.kernel.lifecycle.ActivityEvent.FINISH;
import static dev.pawl.kernel.lifecycle.ActivityEvent.PASS;
import static dev.pawl.kernel.lifecycle.ActivityEvent.REENTER;
import static dev.pawl.kernel.lifecycle.ActivityEvent.REQUEST;
import static dev.pawl.kernel.lifecycle.ActivityEvent.RESPOND_PENDING;

/** What one activity is doing. It is read off its ledger and its waker, never stored beside them. */
public enum ActivityStatus {
    /** Entered; its leg one is not through. */
    ENTERED,
    /** Leg one committed; a task, timer, hook or child will answer. */
    WAITING,
    /** Did its work and stays open, because a cycle may enter it again. */
    PASSED,
    /** Finalized: takes no further message. */
    FINISHED;

    public static final Lifecycle<ActivityStatus, ActivityEvent> LIFECYCLE =
            new Lifecycle<ActivityStatus, ActivityEvent>(
                    ActivityStatus.class)
                    .row(ENTERED, REQUEST, WAITING)
                    .row(ENTERED, FINISH, FINISHED)
                    .row(ENTERED, PASS, PASSED)
                    .row(WAITING, RESPOND_PENDING, WAITING)
                    .row(WAITING, FINISH, FINISHED)
                    .row(PASSED, REENTER, PASSED);
}
