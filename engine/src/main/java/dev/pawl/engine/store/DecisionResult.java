package dev.pawl.engine.store;

/** What came of a decision: insert-or-read, never both. */
public sealed interface DecisionResult {

    /** Recorded now, with its consequence. */
    record Decided() implements DecisionResult {
    }

    /** Decided before; nothing was written. Whether the two agree is for the caller to see. */
    record AlreadyDecided(DecisionRecord first) implements DecisionResult {
    }

    /** There is nothing to decide any more: what it is about is over or gone, or, where it had to be over, is not yet. Nothing was written. */
    record NothingToDecide() implements DecisionResult {
    }
}
