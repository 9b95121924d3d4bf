package dev.pawl.testkit.scenario;

import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Ending;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Response;

/** Something from outside, for a workflow that the scenario has started. */
public sealed interface Stimulus {

    /** A wish, so that early and late ones are both seen; what a scenario fixes does not depend on it. */
    enum Moment {
        /** As soon as the workflow exists. */
        AT_ONCE,
        /** When nothing is left to do but to wait. */
        WHEN_IDLE
    }

    String workflowId();

    Moment moment();

    /** What the kernel gets to see of it. */
    Message message();

    /** A signal with an id chosen by its sender: sent twice, it is the same signal. */
    record Signal(String workflowId, String topic, String signalId, Response response, Moment moment)
            implements Stimulus {

        @Override
        public Message.Signal message() {
            WorkflowKey key = Scenario.key(workflowId);
            return new Message.Signal(key, Guid.ofRequest(key, topic, signalId), topic, response);
        }
    }

    /** The end of the workflow. */
    record Interrupt(String workflowId, Ending ending, Moment moment) implements Stimulus {

        @Override
        public Message.Interrupt message() {
            WorkflowKey key = Scenario.key(workflowId);
            return new Message.Interrupt(key, Guid.ofRequest(key, "interrupt", "outside"), ending);
        }
    }
}
