package dev.pawl.kernel.lifecycle;

/** What can happen to one activity. */
public enum ActivityEvent {
    /** Leg one committed a request: a task, a timer, a hook or a child is now waited for. */
    REQUEST,
    /** A response came that is not the last one. */
    RESPOND_PENDING,
    /** The last response came, or an activity without a second leg spawned its children. */
    FINISH,
    /** An activity that can be entered again did its work: a cycle, or the hook a cycle returns to. */
    PASS,
    /** A cycle came back to it. */
    REENTER
}
