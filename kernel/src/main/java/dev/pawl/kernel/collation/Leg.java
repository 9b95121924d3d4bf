package dev.pawl.kernel.collation;

/** The two halves of an activity. */
public enum Leg {
    ONE, TWO
}
