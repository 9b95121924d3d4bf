package dev.pawl.engine.flow;

import dev.pawl.kernel.collation.Advance;
import dev.pawl.kernel.collation.Behaviour;
import dev.pawl.kernel.collation.Next;
import dev.pawl.kernel.collation.Request;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.DimensionalAddress;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.ActivityType;
import dev.pawl.kernel.workflow.WorkflowView;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Every flow looks the same to the kernel: a trigger, one activity that runs code, and whatever operations the code asks for. */
final class FlowBehaviour implements Behaviour {

    static final FlowBehaviour INSTANCE = new FlowBehaviour();
    static final String TRIGGER = "start";

    /** The activity that runs the code. */
    static final ActivityKey FLOW = new ActivityKey("flow", DimensionalAddress.ROOT.child());

    /** Where the operations of the code are. */
    static final DimensionalAddress OPERATIONS = Advance.operations(FLOW);

    /** The code may run as soon as the workflow is there: one commit, one event. */
    private static final Next BEGINNING = new Next.Spawn(
            List.of(Next.Child.asking(FLOW.activity(), Payload.EMPTY, new Request.Code())));

    /** Signals that are not for a wait of the code, but for the code itself. */
    static final String CONTROL = "pawl:";

    private FlowBehaviour() {
    }

    static ActivityKey operation(String id) {
        return new ActivityKey(id, OPERATIONS);
    }

    @Override
    public Request request(WorkflowView view, ActivityRecord activity, Instant now) {
        return new Request.Code();
    }

    /** The result of an operation, marked if it is a failure: the row must not read like a success. */
    @Override
    public Payload output(WorkflowView view, ActivityRecord activity, Response response) {
        boolean operation = activity.key().address().equals(OPERATIONS);
        return operation && response instanceof Response.Failure failure
                ? Results.failed(failure.payload())
                : response.payload();
    }

    @Override
    public Next next(WorkflowView view, ActivityRecord activity, Response response) {
        if (activity.type() == ActivityType.TRIGGER) {
            return BEGINNING;
        }
        return activity.key().equals(FLOW) ? new Next.Spawn(List.of()) : new Next.Tell(FLOW);
    }

    @Override
    public Payload result(WorkflowView view) {
        ActivityRecord flow = view.activity(FLOW);
        return flow == null ? Payload.EMPTY : flow.output();
    }

    /** A child that has answered has ended, and one that was abandoned is on its own. */
    @Override
    public @Nullable Farewell farewell(ActivityRecord activity) {
        boolean told = activity.ledger().legTwoEntries() == 0 && Header.toldOfParentEnd(activity.input());
        return told ? PARENT_ENDED : null;
    }

    /** A reason, as JSON. */
    private static final Farewell PARENT_ENDED = new Farewell(ControlSignals.CANCEL,
            Payload.of("\"the workflow that has started it has ended\"".getBytes(StandardCharsets.UTF_8)));

    @Override
    public @Nullable ActivityKey heeds(String topic) {
        return topic.startsWith(CONTROL) ? FLOW : null;
    }
}
