package dev.pawl.engine.graph;

import dev.pawl.kernel.id.Recipient;
import dev.pawl.kernel.message.Ending;
import dev.pawl.kernel.workflow.ActivityType;
import java.time.Duration;
import java.util.function.Function;

/**
 * A node of a graph. What it carries (a task's input, a child's, a signal's payload, the input of the next round) is the
 * activity's own input, made by {@link Graph#input}; here stands the rest of what it asks for.
 */
public sealed interface Node {

    String name();

    ActivityType type();

    /** True if its response may be a failure, so that an error edge makes sense. */
    default boolean canFail() {
        return false;
    }

    /** True if nothing can come after it. */
    default boolean last() {
        return false;
    }

    record Trigger(String name) implements Node {

        @Override
        public ActivityType type() {
            return ActivityType.TRIGGER;
        }
    }

    /** Hands its input to the workers of a queue. */
    record Worker(String name, String queue, Duration timeout) implements Node {

        @Override
        public ActivityType type() {
            return ActivityType.WORKER;
        }

        @Override
        public boolean canFail() {
            return true;
        }
    }

    /** Starts a workflow with its input, and waits for the result or only for the workflow to exist. */
    record Await(String name, Child child, boolean awaitsResult) implements Node {

        @Override
        public ActivityType type() {
            return ActivityType.AWAIT;
        }

        @Override
        public boolean canFail() {
            return true;
        }
    }

    /** Waits for the clock and hands its input on. A duration that is not positive is no wait at all. */
    record Sleep(String name, Function<Data, Duration> duration) implements Node {

        @Override
        public ActivityType type() {
            return ActivityType.HOOK;
        }
    }

    /** Waits for a signal. */
    record WebHook(String name, String topic) implements Node {

        @Override
        public ActivityType type() {
            return ActivityType.HOOK;
        }

        @Override
        public boolean canFail() {
            return true;
        }
    }

    /** Hands its input on. A pivot is one that cycles return to. */
    record Pass(String name, boolean pivot) implements Node {

        @Override
        public ActivityType type() {
            return ActivityType.HOOK;
        }
    }

    /** Signals one workflow, with its input as the payload. */
    record SignalOne(String name, Function<Data, Recipient> target, String topic) implements Node {

        @Override
        public ActivityType type() {
            return ActivityType.SIGNAL;
        }
    }

    /** Signals every workflow in which a hook waits on the topic, with its input as the payload. */
    record SignalAll(String name, String topic) implements Node {

        @Override
        public ActivityType type() {
            return ActivityType.SIGNAL;
        }
    }

    /** Enters a pivot before it again, with its input, in a plane of its own. */
    record Cycle(String name, String pivot) implements Node {

        @Override
        public ActivityType type() {
            return ActivityType.CYCLE;
        }

        @Override
        public boolean last() {
            return true;
        }
    }

    /** Ends this workflow. */
    record InterruptSelf(String name, Function<Data, Ending> ending) implements Node {

        @Override
        public ActivityType type() {
            return ActivityType.INTERRUPT;
        }

        @Override
        public boolean last() {
            return true;
        }
    }

    /** Ends another workflow; this one, if the target turns out to be it. */
    record InterruptAnother(String name, Function<Data, Recipient> target, Function<Data, Ending> ending)
            implements Node {

        @Override
        public ActivityType type() {
            return ActivityType.INTERRUPT;
        }
    }
}
