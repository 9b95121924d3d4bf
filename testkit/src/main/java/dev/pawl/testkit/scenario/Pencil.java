package dev.pawl.testkit.scenario;

import dev.pawl.engine.graph.Data;
import dev.pawl.engine.graph.GraphBuilder;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Draws the nodes of a generated graph, names them and hangs each on the loose end before it. */
final class Pencil {

    final GraphBuilder graph;
    /** How many nodes are still to be drawn; a block may draw a few more. */
    int left;

    private int drawn;

    /** Where the next node hangs on. */
    record End(String from, @Nullable Predicate<Data> condition, boolean onFailure) {

        static End of(String node) {
            return new End(node, null, false);
        }

        static End onFailureOf(String node) {
            return new End(node, null, true);
        }
    }

    Pencil(GraphBuilder graph, int left) {
        this.graph = graph;
        this.left = left;
    }

    /** The name of a new node, to be drawn by the caller, with its edge already there. */
    String node(End end) {
        left--;
        String node = "n" + ++drawn;
        if (end.onFailure()) {
            graph.onFailure(end.from(), node);
        } else if (end.condition() != null) {
            graph.edge(end.from(), node, end.condition());
        } else {
            graph.edge(end.from(), node);
        }
        return node;
    }

    String worker(End end, String queue) {
        String node = node(end);
        graph.worker(node, queue, Parts.TIMEOUT);
        return node;
    }

    /** A node that can be left in any way, whatever the end before it asks for. */
    String plain(End end) {
        if (end.condition() == null && !end.onFailure()) {
            return end.from();
        }
        String node = node(end);
        graph.pass(node);
        return node;
    }
}
