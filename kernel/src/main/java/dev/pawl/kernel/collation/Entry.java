package dev.pawl.kernel.collation;

import dev.pawl.kernel.bundle.Step;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.message.Message;

/** What the ledgers say about a message that has come: the first decision of every transition. */
public sealed interface Entry {

    /** New: it gets this ordinal among the leg-two messages of its activity; 0 in leg one. */
    record Fresh(ActivityKey activity, int ordinal) implements Entry {
    }

    /** Seen before, but cut short: goes on with this step. */
    record Resume(ActivityKey activity, Step step) implements Entry {
    }

    /** A signal that no hook waits for yet: kept until one does. */
    record Keep(Message.Signal signal) implements Entry {
    }

    /** A signal whose hook was dropped while it was on its way: it goes to the next wait on the topic. */
    record Return(ActivityKey hook, String topic) implements Entry {
    }

    /** Refused: nothing is changed but the message, which is consumed or, at a ceiling, given up. */
    sealed interface Refused extends Entry {
    }

    /** A leg-one message whose leg one is complete. */
    record Stale() implements Refused {
    }

    /** A message whose every step is done. */
    record Duplicate() implements Refused {
    }

    /** A start of another workflow under an id that is taken; a parent that waits for it is told. */
    record Taken() implements Refused {
    }

    /** A message that has no business here: nothing asked for it, or it is early. */
    record Forbidden(String reason) implements Refused {
    }

    /** The workflow is closed, or the activity has had its last response. */
    record Inactive(String reason) implements Refused {
    }

    /** The entry counter is full: a person must look. */
    record Overflow(Leg leg) implements Refused {
    }
}
