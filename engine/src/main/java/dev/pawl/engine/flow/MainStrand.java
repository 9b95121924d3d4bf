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
            incarnation.progress().ended("");
            return new Advance.Returned(output);
        } catch (ContinueAsNew next) {
            incarnation.progress().ended("");
            List<Attribute> carried = new AttributeOperation(scope).carried();
            return new Advance.Ended(Ending.continued(next.successor(incarnation.key().workflowId()),
                    Beginnings.carrying(carried, next.input()), carried));
        } catch (Aborted e) {
            new Undoing(scope).all();
            String why = Objects.toString(e.getMessage(), e.code());
            return new Advance.Ended(Ending.failed(why, new Results.Failure(e.code(), why, e.code()).payload()));
        } catch (Exception e) {
            Ending ending = ending(e);
            new Undoing(scope).all();
            return new Advance.Ended(ending);
        }
    }

    @SuppressWarnings("NullAway") // Null is a value like any other, if the flow takes it.
    private <I extends @Nullable Object, O extends @Nullable Object> Payload call(Flow<I, O> flow) throws Exception {
        Codec codec = incarnation.runtime().codec();
        Beginnings.Beginning beginning = Beginnings.of(incarnation.workflow().beginning().input(), codec);
        incarnation.attributeNames().born(beginning.names());
        if (beginning.startAt() != null) {
            new WaitOperation(scope, Journal.OWN + "start").sleepUntil("start", beginning.startAt());
        }
        I input = codec.<I>decode(beginning.input(), flow.input());
        return codec.encode(flow.code().run(new StrandContext(scope), input));
    }

    private static Ending ending(Exception e) {
        String reason = Results.reason(Objects.toString(e.getMessage(), e.getClass().getSimpleName()));
        WorkflowEvent event = e instanceof FlowCancelled ? WorkflowEvent.CANCEL : WorkflowEvent.FAIL;
        return new Ending(event, reason, Ending.GONE, false, Results.Failure.ofWorkflow(e).payload());
    }
}
