package dev.pawl.engine.graph;

import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Recipient;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Payload;

/**
 * What the functions of a graph may look at, seen from one activity.
 *
 * <p>Nothing here changes once it can be seen: a function is asked again after a crash, and must answer the same. That is
 * why an activity sees those before it, and not those beside it.
 */
public interface Data {

    /** This workflow, as others send to it. */
    Recipient self();

    /** The workflow that started this one; fails if none did. */
    Recipient parent();

    /** This activity; the trigger when the result is made. */
    ActivityKey activity();

    /** What the workflow was started with. */
    Payload workflowInput();

    /** What this activity was given; empty while its own input is being made. */
    Payload input();

    /** What this activity has answered; empty before it has. */
    Payload output();

    /**
     * What another activity has answered: the one that led here, in the same planes. For the trigger it is the workflow's
     * input. Fails if the activity does not come before this one.
     *
     * <p>When the result is made, all activities come before; then it is the latest answer of that name, or empty.
     */
    Payload output(String activity);

    /** Another workflow of the same group. */
    default Recipient other(String workflowId) {
        Recipient self = self();
        return new Recipient(self.group(), new WorkflowKey(self.workflow().namespace(), workflowId));
    }
}
