package dev.pawl.kernel.bundle;

/**
 * The parts a transition is made of. Each part's writes stand together with the digit that proves them; the parts may
 * be committed in one transaction or in one each, and a resume from between any two of them comes to the same end.
 */
public enum Step {
    /** The entry mark: an attempt, not yet any work. */
    ENTRY,
    /** Leg one of an activity that waits, or step 1 of any message: the work itself. */
    WORK,
    /** One chunk of a fan-out that is too large for one commit. */
    FAN_OUT,
    /** Step 2: children, semaphore and closer digit. */
    SPAWN,
    /** Step 3: the completion tasks of the workflow this message closed. */
    COMPLETE,
    /** The message is consumed. */
    ACK
}
