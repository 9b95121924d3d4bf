package dev.pawl.kernel.message;

/** What comes back to an activity that waits: the second half of its transaction. */
public sealed interface Response {

    Payload payload();

    /** The answer: the activity is done with it, and no other answer is taken after it. */
    record Final(Payload payload) implements Response {
    }

    /** Something to go on with, but not the end (a 202): the activity stays open for more. */
    record Pending(Payload payload) implements Response {
    }

    /** It did not work, for good: retries are over before this is said. The payload describes the error. */
    record Failure(Payload payload) implements Response {
    }

    /** True if the activity finalizes with this response. */
    default boolean last() {
        return !(this instanceof Pending);
    }
}
