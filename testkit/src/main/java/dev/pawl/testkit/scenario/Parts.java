package dev.pawl.testkit.scenario;

import dev.pawl.engine.graph.Child;
import dev.pawl.engine.graph.Data;
import dev.pawl.engine.graph.Graph;
import dev.pawl.engine.graph.GraphBuilder;
import dev.pawl.kernel.id.Recipient;
import dev.pawl.kernel.message.Ending;
import dev.pawl.kernel.message.Payload;
import java.time.Duration;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What many graphs of the scenarios have in common. */
final class Parts {

    static final String BEGIN = "begin";
    static final String QUEUE = "queue";
    static final Duration TIMEOUT = Duration.ofMinutes(5);
    static final Ending ENOUGH = Ending.interrupted("enough", false);
    static final Ending ENOUGH_FOR_ALL = Ending.interrupted("enough for all", true);

    private Parts() {
    }

    static GraphBuilder graph(String name) {
        return Graph.named(name, "1").trigger(BEGIN);
    }

    /** Workers on the common queue. */
    static GraphBuilder workers(GraphBuilder graph, String... nodes) {
        Stream.of(nodes).forEach(node -> graph.worker(node, QUEUE, TIMEOUT));
        return graph;
    }

    /** Edges from each node to the next. */
    static GraphBuilder path(GraphBuilder graph, String... nodes) {
        for (int i = 1; i < nodes.length; i++) {
            graph.edge(nodes[i - 1], nodes[i]);
        }
        return graph;
    }

    /**
     * A pivot, and from the last node of its rounds either a cycle back or an edge out. The rounds are counted in what the
     * pivot is given.
     */
    static GraphBuilder rounds(GraphBuilder graph, String pivot, String last, String out, int count) {
        String cycle = pivot + "-again";
        return graph.pivot(pivot).input(pivot, data -> Text.of("0"))
                .cycle(cycle, pivot, data -> Text.of(String.valueOf(round(data, pivot) + 1)))
                .edge(last, cycle, data -> round(data, pivot) < count - 1)
                .edge(last, out, data -> round(data, pivot) == count - 1);
    }

    static int round(Data data, String pivot) {
        return Integer.parseInt(Text.in(data.output(pivot)));
    }

    /** A child with an id of its own for every activity and plane. */
    static Child own(Graph definition) {
        return Child.of(definition, Parts::ownId);
    }

    static Recipient ownId(Data data) {
        String place = data.activity().activity() + data.activity().address().drawing().replace(',', '.');
        return data.other(data.self().workflow().workflowId() + "-" + place);
    }

    static Child called(Graph definition, String workflowId) {
        return Child.of(definition, data -> data.other(workflowId));
    }

    /** What several activities have answered, in one payload. */
    static Function<Data, Payload> all(String... nodes) {
        return data -> Text.of(
                Stream.of(nodes).map(node -> Text.in(data.output(node))).collect(Collectors.joining("+")));
    }

    static Function<Data, Payload> say(String text) {
        return data -> Text.of(text);
    }
}
