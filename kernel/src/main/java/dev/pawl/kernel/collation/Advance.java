package dev.pawl.kernel.collation;

import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.DimensionalAddress;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Ending;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.Effect;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the code of a flow has come to since it was last heard of. It lies nowhere: whoever loses it runs the code again, which
 * comes to the same.
 *
 * @param flow the activity whose code it is; its operations are its children
 * @param answer names the answer of the code, the same in all that it comes to
 * @param heard how much news the code has heard, if all of it waits now; null if some of it runs on
 * @param held why the code cannot go on until a person decides; null if it can
 * @param result how the flow has ended; null if it has not
 */
public record Advance(WorkflowKey workflow, ActivityKey flow, Guid answer, List<Change> changes,
        @Nullable Integer heard, @Nullable String held, @Nullable Result result) {

    private static final int ATTEMPT = 1;

    public Advance {
        changes = List.copyOf(changes);
    }

    public Advance(WorkflowKey workflow, ActivityKey flow, List<Change> changes, @Nullable Integer heard,
            @Nullable String held, @Nullable Result result) {
        this(workflow, flow, answer(workflow, flow), changes, heard, held, result);
    }

    /** The name of the answer that the code of a flow comes to. */
    public static Guid answer(WorkflowKey workflow, ActivityKey flow) {
        return Guid.ofAnswer(workflow, flow, ATTEMPT, 0);
    }

    /** Where the operations of a flow are. */
    public static ActivityKey operation(ActivityKey flow, String operationId) {
        return new ActivityKey(operationId, operations(flow));
    }

    /** The address that the operations of a flow share. */
    public static DimensionalAddress operations(ActivityKey flow) {
        return flow.address().child();
    }

    /** What happens to one operation. */
    public sealed interface Change {

        ActivityKey operation();

        /** What is known of an effect on the outside world from this change on; null if there is nothing to say. */
        @Nullable Effect effect();
    }

    /** It begins, and waits. */
    public record Begin(ActivityKey operation, Payload input, Request.Waiting request, @Nullable Effect effect)
            implements Change {

        public Begin(ActivityKey operation, Payload input, Request.Waiting request) {
            this(operation, input, request, null);
        }
    }

    /**
     * It begins and is over in one.
     *
     * @param takes the kept signal that it makes an end of, if it does
     */
    public record Do(ActivityKey operation, Payload input, Payload output, Request.Stepping request,
            @Nullable Guid takes, @Nullable Effect effect) implements Change {

        public Do(ActivityKey operation, Payload input, Payload output, Request.Stepping request,
                @Nullable Guid takes) {
            this(operation, input, output, request, takes, null);
        }
    }

    /** The flow's own thread tries it once more; the runner is as in the waker. */
    public record Retry(ActivityKey operation, int attempt, String runner, @Nullable Effect effect)
            implements Change {
    }

    /** The flow's own thread is done with it. */
    public record Finish(ActivityKey operation, int attempt, Response response, @Nullable Effect effect)
            implements Change {

        public Finish(ActivityKey operation, int attempt, Response response) {
            this(operation, attempt, response, null);
        }
    }

    /**
     * The flow's own thread has run it, without declaring it before: it begins and is over in one. What is stored is what {@link Begin} and
     * {@link Finish} of a first attempt leave.
     */
    public record Ran(ActivityKey operation, Payload input, Response response) implements Change {

        @Override
        public @Nullable Effect effect() {
            return null;
        }
    }

    /**
     * The code does not wait for it any more.
     *
     * @param unanswered whether it must not have been answered in the meantime
     * @param returns the topic of a hook whose signal, if it has got one, was not used: it goes to the next wait on that topic. Null if
     *        there is nothing to give back
     */
    public record Drop(ActivityKey operation, boolean unanswered, @Nullable Effect effect, @Nullable String returns)
            implements Change {

        public Drop(ActivityKey operation, boolean unanswered, @Nullable Effect effect) {
            this(operation, unanswered, effect, null);
        }

        public Drop(ActivityKey operation, boolean unanswered) {
            this(operation, unanswered, null, null);
        }
    }

    /** How a flow ends. */
    public sealed interface Result {
    }

    /** It has returned. */
    public record Returned(Payload output) implements Result {
    }

    /** It has failed, or was cancelled. */
    public record Ended(Ending ending) implements Result {
    }

    /** The message that ends the flow, or would. */
    Message message() {
        return result instanceof Ended ended
                ? new Message.Interrupt(workflow, answer, ended.ending())
                : new Message.Respond(workflow, answer, flow, Message.Source.TASK, ATTEMPT,
                        new Response.Final(result instanceof Returned returned ? returned.output() : Payload.EMPTY));
    }
}
