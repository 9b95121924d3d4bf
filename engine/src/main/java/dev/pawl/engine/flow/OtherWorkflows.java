package dev.pawl.engine.flow;

import dev.pawl.kernel.collation.Request;
import dev.pawl.kernel.id.Recipient;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Payload;
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

    void signal(String workflowId, String name, @Nullable Object payload) {
        Payload arguments = scope.codec().encode(payload);
        scope.once(scope.naming().id("signal-to"),
                Header.message("signal-to", workflowId, Naming.topic(name), arguments), Payload.EMPTY,
                new Request.SignalOne(recipient(workflowId), name, arguments));
    }

    void cancel(String workflowId, String reason) {
        Payload arguments = scope.codec().encode(reason);
        scope.once(scope.naming().id("cancel"),
                Header.message("cancel", workflowId, ControlSignals.CANCEL, arguments), Payload.EMPTY,
                cancelling(workflowId, arguments));
    }

    /** What asks another one to end, for the same reason for which this one is to. */
    Request.SignalOne cancelling(String workflowId) {
        return cancelling(workflowId, scope.codec().encode(scope.cancelReason()));
    }

    private Request.SignalOne cancelling(String workflowId, Payload reason) {
        return new Request.SignalOne(recipient(workflowId), ControlSignals.CANCEL, reason);
    }

    /** Starts one whose result can be waited for. */
    <I extends @Nullable Object, O extends @Nullable Object> ChildHandle<O> start(Flow<I, O> flow, String workflowId,
            I input, ParentEnd onParentEnd) {
        String id = scope.naming().id(flow.name());
        Payload arguments = scope.codec().encode(input);
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
        Payload arguments = scope.codec().encode(input);
        scope.ask(scope.naming().id(flow.name()), Header.child(workflowId, flow, arguments, ParentEnd.ABANDON),
                starting(flow, workflowId, arguments, false), Object.class);
    }

    private Request.StartChild starting(Flow<?, ?> flow, String workflowId, Payload arguments, boolean awaits) {
        return new Request.StartChild(recipient(workflowId), flow.name(), flow.version(), flow.trigger(), arguments,
                awaits);
    }
}
