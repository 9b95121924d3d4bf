package dev.pawl.engine.graph;

import static dev.pawl.engine.graph.Asking.whose;
import static dev.pawl.engine.graph.ExpressionFault.evaluate;

import dev.pawl.kernel.collation.Next;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.DimensionalAddress;
import dev.pawl.kernel.message.Ending;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Gate;
import dev.pawl.kernel.workflow.WorkflowView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Where a workflow goes from an activity.
 *
 * <p>Everything that a child will need is made here, before it exists: its input, to be stored, and its request, as a
 * rehearsal. Both see only what no longer changes, so the child will ask for the same, and what would fail then fails now,
 * while the workflow can still be closed for it.
 */
record Following(Graph graph, WorkflowView view, ActivityRecord here) {

    /** Throws an {@link ExpressionFault} if a function on the way does not answer. */
    Next next(Response response) {
        boolean failed = response instanceof Response.Failure;
        List<Edge> ways = graph.from(name()).stream()
                .filter(edge -> edge.onFailure() == failed && (response.last() || !leadsToAJoin(edge)))
                .toList();
        if (failed && ways.isEmpty()) {
            return new Next.Close(Ending.failed(here.key() + " failed", response.payload()));
        }
        List<Next.Child> children = new ArrayList<>();
        int spawned = 0;
        for (Edge edge : ways) {
            if (taken(edge)) {
                ActivityKey key = new ActivityKey(edge.to(), place(edge.to()));
                if (open(key)) {
                    return new Next.Close(Ending.failed("edge '" + edge + "' comes to " + key
                            + " again, which has opened already", Payload.EMPTY));
                }
                boolean spawns = !graph.join(edge.to()) || lastToArrive(key);
                children.add(child(key, spawns ? input(key) : Payload.EMPTY));
                spawned += spawns ? 1 : 0;
            }
        }
        if (spawned == children.size()) {
            rehearseResult(spawned, response);
        }
        return new Next.Spawn(children);
    }

    /** A branch comes to its join once. So a response that others will follow goes only where no branches meet. */
    private boolean leadsToAJoin(Edge edge) {
        return graph.nodes().stream().map(Node::name)
                .filter(node -> node.equals(edge.to()) || graph.leads(edge.to(), node))
                .anyMatch(node -> graph.join(node) && graph.forkDepth(node) < graph.depth(name()));
    }

    private boolean taken(Edge edge) {
        Data data = ViewData.at(here, graph, view);
        return edge.condition() == null
                || evaluate(whose(graph.node(name())), "condition of edge '" + edge + "'", edge.condition()::test,
                        data);
    }

    /** Below here; for a join below the fork its branches come from, whatever planes were opened in between. */
    private DimensionalAddress place(String child) {
        DimensionalAddress address = here.key().address();
        return (graph.join(child) ? address.prefix(graph.forkDepth(child)) : address).descendTo(graph.depth(child));
    }

    /** A condition let a branch through twice. Asked again after a close with something left open, that was this branch. */
    private boolean open(ActivityKey join) {
        Gate own = ViewData.started(view).gate();
        Gate gate = view.join(join);
        return gate != null && gate.closed() && (!own.closed() || own.threshold() == 0);
    }

    /** The branches that are still to come have not stored what the join may want to see, so only the last one looks. */
    private boolean lastToArrive(ActivityKey join) {
        Gate gate = view.join(join);
        return (gate == null ? Gate.ofJoin(graph.into(join.activity()).size()) : gate).semaphore().open() == 1;
    }

    private Next.Child child(ActivityKey key, Payload input) {
        String node = key.activity();
        Next.Join join = graph.join(node)
                ? new Next.Join(graph.into(node).size(), graph.forkDepth(node), graph.depth(node))
                : null;
        return new Next.Child(node, graph.node(node).type(), input, join);
    }

    private Payload input(ActivityKey key) {
        Node node = graph.node(key.activity());
        ActivityRecord bare = ActivityRecord.entered(key, node.type(), Payload.EMPTY);
        Payload input =
                evaluate(whose(node), "input", graph.input(node.name()), ViewData.at(bare, graph, view));
        ActivityRecord entered = ActivityRecord.entered(key, node.type(), input);
        new Asking(graph).request(node, ViewData.at(entered, graph, view), Instant.EPOCH);
        return input;
    }

    /**
     * A result cannot refuse any more: if this response closes the workflow, it is the last moment to try. A workflow with
     * a join that still waits will fail, and has no result.
     */
    private void rehearseResult(int spawned, Response response) {
        Gate gate = ViewData.started(view).gate();
        long open = gate.semaphore().open() + spawned - (response.last() ? 1 : 0);
        if (graph.result().isPresent() && (gate.closed() || open == gate.threshold())
                && view.joins().values().stream().allMatch(Gate::closed)) {
            new Results(graph, view).result();
        }
    }

    private String name() {
        return here.key().activity();
    }
}
