package dev.pawl.engine.flow;

import dev.pawl.engine.Incidents;
import dev.pawl.kernel.collation.Request;
import dev.pawl.kernel.id.Recipient;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Payload;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/** What the code of a flow tells other workflows of its group: to begin, to hear of something, or to end. */
final class OtherWorkflows {

    private final Scope scope;

    OtherWorkflows(Scope scope) {
        this.scope = scope;
    }

    private Recipient recipient(String workflowId) {
        Incarnation incarnation = scope.incarnation();
        return new Recipient(incarnation.workflow().beginning().group(),
                new WorkflowKey(incarnation.key().namespace(), workflowId));
    }

    /** Waits for the receipt: the code is the only one that knows what to do about a signal that does not arrive. */
    void signal(String workflowId, String name, @Nullable Object payload) {
        Payload arguments = scope.codec().encode(payload);
        String id = scope.naming().id("signal-to");
        try {
            scope.ask(id, Header.message("signal-to", workflowId, Naming.topic(name), arguments),
                    new Request.SignalAwaitingReceipt(recipient(workflowId), name, arguments));
        } catch (OperationFailed e) {
            throw new SignalNotAccepted(id, workflowId, name, SignalNotAccepted.Reason.of(e.code()));
        }
    }

    void cancel(String workflowId, String reason) {
        Payload arguments = RecordJson.of(reason);
        scope.once(scope.naming().id("cancel"),
                Header.message("cancel", workflowId, ControlSignals.CANCEL, arguments), Payload.EMPTY,
                cancelling(workflowId, arguments));
    }

    /** What asks another one to end, for the same reason for which this one is to. */
    Request.SignalOne cancelling(String workflowId) {
        return cancelling(workflowId, RecordJson.of(scope.cancelReason()));
    }

    private Request.SignalOne cancelling(String workflowId, Payload reason) {
        return new Request.SignalOne(recipient(workflowId), ControlSignals.CANCEL, reason);
    }

    /** Starts one whose result can be waited for. */
    <I extends @Nullable Object, O extends @Nullable Object> ChildHandle<O> start(Flow<I, O> flow, String workflowId,
            I input, ParentEnd onParentEnd) {
        String id = scope.naming().id(flow.name());
        requireRegistered(id, flow, workflowId);
        Payload arguments = scope.codec().encode(input, flow.input());
        ChildOperation<O> child = new ChildOperation<>(scope, id, workflowId, flow.output(), onParentEnd);
        child.begin(Header.child(workflowId, flow, arguments, onParentEnd),
                starting(flow, workflowId, arguments, true));
        if (child.awaited()) {
            scope.rollbacks().add(id, new Rollbacks.Ending(child));
        }
        return child;
    }

    /** Starts one that is on its own as soon as it exists. */
    <I extends @Nullable Object> void startAlone(Flow<I, ?> flow, String workflowId, I input) {
        String id = scope.naming().id(flow.name());
        requireRegistered(id, flow, workflowId);
        Payload arguments = scope.codec().encode(input, flow.input());
        scope.ask(id, Header.child(workflowId, flow, arguments, ParentEnd.ABANDON),
                starting(flow, workflowId, arguments, false));
    }

    /**
     * A child that no engine of this program could run is a mistake of the program, and not of the workflow: it is parked where it is, and
     * goes on when the program has been mended.
     */
    private void requireRegistered(String id, Flow<?, ?> flow, String workflowId) {
        if (scope.recorded(id) == null && !scope.runtime().registered(flow)) {
            String child = "flow " + flow.name() + " version " + flow.version();
            scope.runtime().incidents().begins(Incidents.Kind.DEFINITION_MISSING, child, Level.WARNING,
                    scope.incarnation().key() + " cannot start its child " + workflowId + ": " + child
                            + " is not registered. It is parked; pass the flow to definitions(…) and start the program"
                            + " anew, and it goes on");
            throw scope.incarnation().parking().park(FlowControl.CHILD_NOT_REGISTERED, "child " + workflowId + ": "
                    + child + " is not registered; pass it to definitions(…) and start the program anew");
        }
    }

    private Request.StartChild starting(Flow<?, ?> flow, String workflowId, Payload arguments, boolean awaits) {
        return new Request.StartChild(recipient(workflowId), flow.name(), flow.version(), flow.trigger(), arguments,
                awaits);
    }
}
