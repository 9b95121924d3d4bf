package dev.pawl.engine.graph;

import dev.pawl.kernel.collation.Behaviour;
import dev.pawl.kernel.collation.Next;
import dev.pawl.kernel.collation.Request;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.WorkflowView;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a graph tells the kernel. Whom a {@link Request.SignalAll} reaches is not its to say: the engine knows who waits.
 */
record GraphBehaviour(Graph graph) implements Behaviour {

    @Override
    public Request request(WorkflowView view, ActivityRecord activity, Instant now) {
        return new Asking(graph).request(node(activity), ViewData.at(activity, graph, view), now);
    }

    @Override
    public Payload output(WorkflowView view, ActivityRecord activity, Response response) {
        return node(activity) instanceof Node.Sleep ? activity.input() : response.payload();
    }

    @Override
    public Next next(WorkflowView view, ActivityRecord activity, Response response) {
        try {
            return new Following(graph, view, activity).next(response);
        } catch (ExpressionFault fault) {
            return new Next.Close(fault.ending());
        }
    }

    @Override
    public Payload result(WorkflowView view) {
        return new Results(graph, view).result();
    }

    private Node node(ActivityRecord activity) {
        return graph.node(activity.key().activity());
    }

    /** A graph runs no code that could hear of a signal. */
    @Override
    public @Nullable ActivityKey heeds(String topic) {
        return null;
    }

    @Override
    public @Nullable Farewell farewell(ActivityRecord activity) {
        return null;
    }
}
