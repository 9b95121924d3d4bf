package dev.pawl.engine.store;

import dev.pawl.kernel.message.Message;
import org.jspecify.annotations.Nullable;

/** A decision, and what follows from it. */
public record DecisionRequest(DecisionRecord decision, Consequence consequence) {

    /** What is done in the transaction that records the decision. */
    public sealed interface Consequence {
    }

    /** The workflow is told, by a signal that nobody else sends. */
    public record Told(SignalRequest signal) implements Consequence {
    }

    /** A message that was given up lies in the inbox again, with its first entry charged. */
    public record PutBack(long givenUpId) implements Consequence {
    }

    /**
     * A workflow is ended by a message to it.
     *
     * @param message null if there is nothing to end
     * @param givenUpId what was given up and is forgotten by it, if it is about that
     */
    public record Ended(String group, @Nullable Message message, @Nullable Long givenUpId) implements Consequence {
    }

    /** Nothing: the workflow is over, and what somebody has found out about it is written down. */
    public record Noted() implements Consequence {
    }

    /** A signal that is there without its acceptance gets one. */
    public record Settled(SignalRequest signal) implements Consequence {
    }
}
