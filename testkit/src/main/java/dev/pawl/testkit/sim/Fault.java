package dev.pawl.testkit.sim;

/** What can go wrong with one call to a store. */
public enum Fault {
    /** Not written: try again. */
    BUSY,
    /** Not written: no room. */
    FULL,
    /** Not written: the connection broke before the commit. */
    UNAVAILABLE,
    /** Written, but the caller never hears: the connection broke after the commit. */
    LOST_ANSWER,
    /** The caller never hears, and the commit comes through later, when the caller has long gone on. Commits only. */
    LATE,
    /** The network delivers it twice; the caller hears of the first. Commits only. */
    TWICE,
    /** Somebody else took the shard a moment ago. Commits only. */
    STALE_FENCE,
    /** The workflow is not at the version it was computed from. Commits only. */
    WRONG_VERSION,
    /** The caller dies before the call. */
    CRASH_BEFORE,
    /** The caller dies after the call, before it hears. */
    CRASH_AFTER
}
