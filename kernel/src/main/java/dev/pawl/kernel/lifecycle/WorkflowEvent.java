package dev.pawl.kernel.lifecycle;

/** What can happen to a workflow as a whole. */
public enum WorkflowEvent {
    PAUSE, RESUME, PARK, COMPLETE, FAIL, CANCEL, INTERRUPT, CONTINUE_AS_NEW
}
