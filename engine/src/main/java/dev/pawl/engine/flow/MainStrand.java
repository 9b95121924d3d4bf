package dev.pawl.engine.flow;

import dev.pawl.kernel.collation.Advance;
import dev.pawl.kernel.lifecycle.WorkflowEvent;
import dev.pawl.kernel.message.Attribute;
import dev.pawl.kernel.message.Ending;
import dev.pawl.kernel.message.Payload;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The code of a flow from its beginning to its end, whatever that is. */
final class MainStrand {

    private final Incarnation incarnation;
    private final Scope scope;

    MainStrand(Incarnation incarnation) {
        this.incarnation = incarnation;
        this.scope = new Scope(incarnation);
    }

    void run() {
        incarnation.outbox().end(result());
    }

    private Advance.Result result() {
        try {
            Payload output = call(incarnation.flow());
            incarnation.updates().finish(null);
            incarnation.progress().ended("");
            return new Advance.Returned(output);
        } catch (ContinueAsNew next) {
            incarnation.updates().finish(null);
            incarnation.progress().ended("");
            // A handler may have taken the request, and then no other run hears of it.
            String cancelled = incarnation.cancelled();
            if (cancelled != null) {
                return failed(new FlowCancelled(cancelled));
            }
            List<Attribute> carried = new AttributeOperation(scope).carried();
            return new Advance.Ended(Ending.continued(next.successor(incarnation.key().workflowId()),
                    Beginnings.carrying(carried, next.input()), carried));
        } catch (Aborted e) {
            incarnation.updates().finish("the flow was aborted");
            String why = Results.reason(Objects.toString(e.getMessage(), e.code())
                    + Compensator.summary(new Compensator(scope).all()));
            return new Advance.Ended(Ending.failed(why, new Results.Failure(e.code(), why, e.code()).payload()));
        } catch (PayloadError e) {
            throw incarnation.parking().park("the code", e);
        } catch (SignalUnreadable e) {
            throw incarnation.parking().park(e.operation(), e.error());
        } catch (Exception e) {
            incarnation.updates().finish("the flow has ended: " + ending(e, "").reason());
            return failed(e);
        }
    }

    private Advance.Result failed(Exception e) {
        return new Advance.Ended(ending(e, Compensator.summary(new Compensator(scope).all())));
    }

    @SuppressWarnings("NullAway") // Null is a value like any other, if the flow takes it.
    private <I extends @Nullable Object, O extends @Nullable Object> Payload call(Flow<I, O> flow) throws Exception {
        Beginnings.Beginning beginning = Beginnings.of(incarnation.workflow().beginning().input());
        incarnation.attributeNames().born(beginning.names());
        if (beginning.startAt() != null) {
            new WaitOperation(scope, Journal.OWN + "start").sleepUntil("start", beginning.startAt());
        }
        I input = scope.decode("the input", beginning.input(), flow.input());
        O output = flow.code().run(new StrandContext(scope), input);
        try {
            return scope.codec().encode(output, flow.output());
        } catch (PayloadError e) {
            throw incarnation.parking().park("the result", e);
        }
    }

    private static Ending ending(Exception e, String compensations) {
        String reason =
                Results.reason(Objects.toString(e.getMessage(), e.getClass().getSimpleName()) + compensations);
        WorkflowEvent event = e instanceof FlowCancelled ? WorkflowEvent.CANCEL : WorkflowEvent.FAIL;
        return new Ending(event, reason, Ending.GONE, false,
                Results.Failure.ofWorkflow(e).and(compensations).payload());
    }
}
