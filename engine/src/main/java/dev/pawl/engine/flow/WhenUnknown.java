package dev.pawl.engine.flow;

/** What becomes of an operation when nobody can tell whether it has happened. */
public enum WhenUnknown {
    /** It fails, with a code that says so. */
    FAIL,
    /** It waits until a person has decided; the workflow is parked meanwhile. */
    ASK
}
