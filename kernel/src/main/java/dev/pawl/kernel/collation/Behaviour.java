package dev.pawl.kernel.collation;

import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.WorkflowView;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a definition tells the kernel, step by step.
 *
 * <p>Every answer depends on the arguments alone: a resume asks again and must hear the same. An expression that fails is
 * an answer too ({@link Next.Close}); nothing may be thrown for it.
 *
 * <p>No method has a default: whoever wraps a definition and leaves one out is stopped by the compiler, and not found out when a workflow
 * ends without a word to its children.
 */
public interface Behaviour {

    /**
     * What leg one of the activity asks for. Only what is asked once may depend on the time: a deadline, the end of a
     * sleep. A request that runs steps is asked for again on a resume.
     */
    Request request(WorkflowView view, ActivityRecord activity, Instant now);

    /** What the activity keeps of a response. */
    Payload output(WorkflowView view, ActivityRecord activity, Response response);

    /** Where the workflow goes when the activity, with its output stored, has got this response. */
    Next next(WorkflowView view, ActivityRecord activity, Response response);

    /** The result of a workflow that has run to its end. */
    Payload result(WorkflowView view);

    /** The code of a flow that has to hear of a signal which no hook waits for; null if it may lie until one does. */
    @Nullable ActivityKey heeds(String topic);

    /**
     * What a workflow that ends before its time tells one that it has started; null if that one is on its own. Not asked if the
     * end descends.
     *
     * @param activity which has started it
     */
    @Nullable Farewell farewell(ActivityRecord activity);

    /** A signal to a workflow that outlives the one that has started it. */
    record Farewell(String topic, Payload payload) {
    }
}
