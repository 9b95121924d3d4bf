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
    /** Somebody else took the shard a moment ago. Commits only. */
    STALE_FENCE,
    /** The workflow is not at the version it was computed from. Commits only. */
    WRONG_VERSION
}
