package dev.pawl.engine.flow;

import dev.pawl.kernel.collation.Advance;
import dev.pawl.kernel.collation.Request;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.ActivityRecord;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A workflow started by the code of another: one operation, from its start to its result. */
final class ChildOperation<O extends @Nullable Object> implements ChildHandle<O> {

    private final Scope scope;
    private final String id;
    private final String workflowId;
    private final Type output;
    private final ParentEnd onParentEnd;
    /** It was asked to cancel by this run of the code. */
    private boolean asked;

    ChildOperation(Scope scope, String id, String workflowId, Type output, ParentEnd onParentEnd) {
        this.scope = scope;
        this.id = id;
        this.workflowId = workflowId;
        this.output = output;
        this.onParentEnd = onParentEnd;
    }

    /** Begins it, unless it has begun before. */
    void begin(Payload header, Request.StartChild request) {
        if (scope.reach(id, header) == null) {
            scope.hold(new Advance.Begin(FlowBehaviour.operation(id), header, request));
        }
    }

    @Override
    public String workflowId() {
        return workflowId;
    }

    /** The wait for the result, which is not where the child was started: what is answered meanwhile belongs here. */
    private String waiting() {
        return Journal.OWN + "w:" + id;
    }

    private String cancellation() {
        return Journal.OWN + "c:" + id;
    }

    @Override
    public O result() {
        scope.naming().check();
        return scope.outside(this::await);
    }

    private O await() {
        scope.replayUpdates(waiting());
        if (scope.recorded(cancellation()) != null || asked) {
            throw new FlowCancelled(scope.cancelReason());
        }
        scope.await(List.of(), Set.of(id), this::handle);
        ActivityRecord done = scope.answered(id);
        if (Results.isFailure(done.output())) {
            throw new ChildFailed(id, workflowId, Results.failure(Results.error(done.output())));
        }
        return scope.result(id, done, output);
    }

    /** A cancellation ends the wait, and the operation unless the child's end is to be waited for. */
    private boolean handle() {
        if (awaited() && scope.cancelled() != null) {
            ask(scope);
            throw new FlowCancelled(scope.cancelReason());
        }
        return scope.handle(Set.of(id));
    }

    @Override
    public void cancel(String reason) {
        scope.outsideRun(() -> new OtherWorkflows(scope).cancel(workflowId, reason));
    }

    /** Whether the parent waits for its end even when it is cancelled itself. */
    boolean awaited() {
        return onParentEnd == ParentEnd.AWAIT_CANCEL;
    }

    /** Asks it to cancel, once, whoever runs the code. */
    void ask(Scope by) {
        if (!asked && scope.recorded(cancellation()) == null) {
            asked = true;
            by.hold(new Advance.Do(FlowBehaviour.operation(cancellation()),
                    Header.of("cancel", "workflowId", workflowId), Payload.EMPTY,
                    new OtherWorkflows(by).cancelling(workflowId), null));
        }
    }

    /** Has it end, and waits until it has. */
    void end(Scope by) {
        ActivityRecord known = scope.recorded(id);
        if (known == null || !known.ledger().finalized()) {
            ask(by);
            // Whatever comes meanwhile.
            by.await(List.of(), Set.of(id), () -> false);
        }
    }
}
