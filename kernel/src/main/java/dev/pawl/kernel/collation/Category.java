package dev.pawl.kernel.collation;

/** How many legs an activity has and what its ledgers record: the letters of collation.md section 19. */
public enum Category {
    /** Leg one asks, leg two takes the answer and runs the three steps. */
    A,
    /** Leg one only, with children: the three steps run in leg one. */
    B,
    /** Leg one only, no children of its own. */
    C,
    /** The root: creates the workflow. */
    D
}
