package dev.pawl.kernel.workflow;

import dev.pawl.kernel.id.Recipient;
import dev.pawl.kernel.message.Payload;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** What will wake an open activity. Every open workflow can name its wakers: these, and the messages in its queue. */
public sealed interface Waker {

    /** Stores keep milliseconds; cutting one off would make a timer fire early. */
    private static Instant roundedUp(Instant instant) {
        Instant whole = instant.truncatedTo(ChronoUnit.MILLIS);
        return whole.equals(instant) ? instant : whole.plusMillis(1);
    }

    /** Nothing: it is done, or a message is on its way to it. */
    record None() implements Waker {
    }

    /** A worker's answer to this attempt. */
    record Task(String queue, Payload input, int attempt, Instant deadline) implements Waker {

        public Task {
            deadline = roundedUp(deadline);
        }
    }

    /** The clock. */
    record Timer(Instant dueAt) implements Waker {

        public Timer {
            dueAt = roundedUp(dueAt);
        }
    }

    /** A signal on a topic; {@code taken} while one that came early is on its way, so that no second one is routed here. */
    record Hook(String topic, boolean taken) implements Waker {

        public boolean awaits(String signalTopic) {
            return !taken && topic.equals(signalTopic);
        }
    }

    /** Another workflow. */
    record Child(Recipient child) implements Waker {
    }

    /** The flow's own thread, which runs this attempt of an operation: no worker outside of it has the task. */
    record Local(int attempt) implements Waker {
    }

    /**
     * The code of a flow, which waits for its own operations.
     *
     * @param news how often something it may wait for has come
     * @param awake whether it has to run: it is under way, or has not heard the latest news
     */
    record Code(int news, boolean awake) implements Waker {

        /** Something has come. */
        public Code told() {
            return new Code(news + 1, true);
        }

        /** The code waits, and has heard so much. What came in the meantime keeps it awake. */
        public Code seen(int heard) {
            return new Code(news, news != heard);
        }
    }

    /** Its own turn again: a fan-out too large for one commit has sent everything before the cursor. */
    record FanOut(String cursor) implements Waker {
    }
}
