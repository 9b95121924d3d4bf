package dev.pawl.engine.store;

/** What came of a signal: insert-or-read, never both. */
public sealed interface SignalResult {

    /** Accepted now: acceptance and payload committed together. */
    record Accepted(AcceptedSignal signal) implements SignalResult {
    }

    /** Accepted before, with this answer; nothing was written. */
    record Duplicate(AcceptedSignal signal) implements SignalResult {
    }

    /** The workflow is closed and has never accepted this signal; nothing was written. */
    record WorkflowClosed() implements SignalResult {
    }

    /** There is no such workflow; nothing was written. */
    record WorkflowMissing() implements SignalResult {
    }

    /** The payload is there but its acceptance is not: written by something else. Never enqueued a second time. */
    record Indeterminate() implements SignalResult {
    }
}
