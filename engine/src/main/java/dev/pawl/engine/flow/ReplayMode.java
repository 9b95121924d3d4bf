package dev.pawl.engine.flow;

/** What follows if the outside world disagrees with a recorded result when the code of a flow is run again. */
public enum ReplayMode {
    /** The workflow fails for good. If the world cannot be asked, a person is. */
    STRICT,
    /** It is counted ({@code ConfirmationReplayWarnTotal}), and the flow goes on with what is recorded. */
    WARN,
    /** The workflow is parked until a person has decided ({@code ReplayVerificationHumanRequired}). */
    HUMAN_IN_LOOP
}
