package dev.pawl.kernel.collation;

import dev.pawl.kernel.id.Recipient;
import dev.pawl.kernel.message.Attribute;
import dev.pawl.kernel.message.Ending;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.ActivityType;
import java.time.Instant;

/** What leg one of an activity asks for. Which kind of hook, signal or interrupt it is shows here, at run time. */
public sealed interface Request {

    ActivityType type();

    Category category();

    /** Leg one asks and waits; leg two will take the answer. */
    sealed interface Waiting extends Request {

        @Override
        default Category category() {
            return Category.A;
        }
    }

    /** Leg one runs the three steps itself. */
    sealed interface Stepping extends Request {

        @Override
        default Category category() {
            return Category.B;
        }

        /** True if a cycle may enter the activity again: then it never finalizes. */
        default boolean cycleTarget() {
            return false;
        }
    }

    /** Hands a task to the workers of a queue. */
    record Task(String queue, Payload input, Instant deadline) implements Waiting {

        @Override
        public ActivityType type() {
            return ActivityType.WORKER;
        }
    }

    /** An operation that the flow's own thread runs; the runner is as in the waker. */
    record Local(String runner) implements Waiting {

        @Override
        public ActivityType type() {
            return ActivityType.WORKER;
        }
    }

    /** The code of a flow, run by whoever owns its shard. */
    record Code() implements Waiting {

        @Override
        public ActivityType type() {
            return ActivityType.WORKER;
        }
    }

    /** Starts a workflow, and waits for its result or only for its existence. */
    record StartChild(Recipient child, String definition, String definitionVersion, String trigger,
            Payload input, boolean awaitsResult) implements Waiting {

        @Override
        public ActivityType type() {
            return ActivityType.AWAIT;
        }
    }

    /** Signals one workflow, and waits until that one has accepted or refused it. */
    record SignalAwaitingReceipt(Recipient target, String topic, Payload payload) implements Waiting {

        @Override
        public ActivityType type() {
            return ActivityType.SIGNAL;
        }
    }

    /** Waits for the clock. */
    record Sleep(Instant until) implements Waiting {

        @Override
        public ActivityType type() {
            return ActivityType.HOOK;
        }
    }

    /** Waits for a signal. */
    record WebHook(String topic) implements Waiting {

        @Override
        public ActivityType type() {
            return ActivityType.HOOK;
        }
    }

    /** A hook that waits for nothing: goes straight to its children, and is where cycles return to. */
    record Pass(boolean cycleTarget) implements Stepping {

        @Override
        public ActivityType type() {
            return ActivityType.HOOK;
        }
    }

    /** An operation of a flow that was done in the transaction that records it. */
    record Transacted() implements Stepping {

        @Override
        public ActivityType type() {
            return ActivityType.WORKER;
        }
    }

    /** Sets or removes something the workflow is found by. */
    record SetAttribute(Attribute attribute) implements Stepping {

        @Override
        public ActivityType type() {
            return ActivityType.HOOK;
        }
    }

    /** Signals one workflow. */
    record SignalOne(Recipient target, String topic, Payload payload) implements Stepping {

        @Override
        public ActivityType type() {
            return ActivityType.SIGNAL;
        }
    }

    /** Signals every workflow the behaviour names as a target, a page at a time. */
    record SignalAll(String topic, Payload payload) implements Stepping {

        @Override
        public ActivityType type() {
            return ActivityType.SIGNAL;
        }
    }

    /** Ends another workflow. */
    record InterruptAnother(Recipient target, Ending ending) implements Stepping {

        @Override
        public ActivityType type() {
            return ActivityType.INTERRUPT;
        }
    }

    /**
     * Ends this workflow. Category C in the specification; it runs the three steps here all the same, because whoever
     * closes a workflow must own the completion tasks.
     */
    record InterruptSelf(Ending ending) implements Stepping {

        @Override
        public ActivityType type() {
            return ActivityType.INTERRUPT;
        }

        @Override
        public Category category() {
            return Category.C;
        }
    }

    /** Enters an ancestor again, in a plane of its own. */
    record Cycle(String ancestor, int depth, Payload input) implements Request {

        @Override
        public ActivityType type() {
            return ActivityType.CYCLE;
        }

        @Override
        public Category category() {
            return Category.C;
        }
    }
}
