package dev.pawl.engine.flow;

/**
 * This run of the code is over, though the flow is not: it was put aside, or lost its shard. Nothing it does counts any more, and it is
 * run again from what is durable. An error, so that no {@code catch (Exception)} of the user's takes it for one of his own.
 */
final class Unwound extends Error {

    private static final long serialVersionUID = 1L;

    Unwound(String why) {
        super(why, null, false, false);
    }
}
