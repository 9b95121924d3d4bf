package dev.pawl.kernel.lifecycle;

import static dev.pawl.kernel.lifecycle.WorkflowEvent.CANCEL;
import static dev.pawl.kernel.lifecycle.WorkflowEvent.COMPLETE;
import static dev.pawl.kernel.lifecycle.WorkflowEvent.CONTINUE_AS_NEW;
import static dev.pawl.kernel.lifecycle.WorkflowEvent.FAIL;
import static dev.pawl.kernel.lifecycle.WorkflowEvent.INTERRUPT;
import static dev.pawl.kernel.lifecycle.WorkflowEvent.PARK;
import static dev.pawl.kernel.lifecycle.WorkflowEvent.PAUSE;
import static dev.pawl.kernel.lifecycle.WorkflowEvent.RESUME;

/** What a workflow is doing, as its owner and its reader see it. */
public enum WorkflowStatus {
    RUNNING,
    /** Held by a person: completions are recorded, nothing is dispatched. */
    PAUSED,
    /** Held by the engine until a person decides: code and record disagree, or an outcome is unknown. */
    PARKED, COMPLETED, FAILED, CANCELLED, INTERRUPTED, CONTINUED_AS_NEW;

    public static final Lifecycle<WorkflowStatus, WorkflowEvent> LIFECYCLE = table();

    public boolean terminal() {
        return LIFECYCLE.terminal(this);
    }

    private static Lifecycle<WorkflowStatus, WorkflowEvent> table() {
        var table = new Lifecycle<WorkflowStatus, WorkflowEvent>(WorkflowStatus.class);
        table.row(RUNNING, PAUSE, PAUSED).row(PAUSED, RESUME, RUNNING);
        table.row(RUNNING, PARK, PARKED).row(PARKED, RESUME, RUNNING);
        // Work under way when a person paused it may still close it: what is done is done.
        for (WorkflowStatus open : new WorkflowStatus[] {RUNNING, PAUSED, PARKED}) {
            table.row(open, COMPLETE, COMPLETED)
                    .row(open, FAIL, FAILED)
                    .row(open, CANCEL, CANCELLED)
                    .row(open, INTERRUPT, INTERRUPTED);
        }
        return table.row(RUNNING, CONTINUE_AS_NEW, CONTINUED_AS_NEW).row(PAUSED, CONTINUE_AS_NEW, CONTINUED_AS_NEW);
    }
}
