package dev.pawl.engine.graph;

import dev.pawl.kernel.id.Recipient;
import dev.pawl.kernel.message.Ending;
import dev.pawl.kernel.message.Payload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/** Draws a graph, in any order; {@link #build} says what is wrong with it. Not thread-safe. */
public final class GraphBuilder {

    private final String name;
    private final String version;
    private final List<Node> nodes = new ArrayList<>();
    private final List<Edge> edges = new ArrayList<>();
    private final Map<String, Function<Data, Payload>> inputs = new LinkedHashMap<>();
    private Optional<Function<Data, Payload>> result = Optional.empty();

    GraphBuilder(String name, String version) {
        this.name = name;
        this.version = version;
    }

    public GraphBuilder trigger(String node) {
        return add(new Node.Trigger(node));
    }

    public GraphBuilder worker(String node, String queue, Duration timeout) {
        return add(new Node.Worker(node, queue, timeout));
    }

    /** Starts a child workflow; waits for its result, or goes on as soon as it exists. */
    public GraphBuilder await(String node, Child child, Function<Data, Payload> input, boolean awaitsResult) {
        return add(new Node.Await(node, child, awaitsResult)).input(node, input);
    }

    public GraphBuilder sleep(String node, Duration duration) {
        return sleep(node, data -> duration);
    }

    public GraphBuilder sleep(String node, Function<Data, Duration> duration) {
        return add(new Node.Sleep(node, duration));
    }

    public GraphBuilder webHook(String node, String topic) {
        return add(new Node.WebHook(node, topic));
    }

    public GraphBuilder pass(String node) {
        return add(new Node.Pass(node, false));
    }

    /** A pass that cycles return to. */
    public GraphBuilder pivot(String node) {
        return add(new Node.Pass(node, true));
    }

    public GraphBuilder signalOne(String node, Function<Data, Recipient> target, String topic,
            Function<Data, Payload> payload) {
        return add(new Node.SignalOne(node, target, topic)).input(node, payload);
    }

    public GraphBuilder signalAll(String node, String topic, Function<Data, Payload> payload) {
        return add(new Node.SignalAll(node, topic)).input(node, payload);
    }

    /** Goes back to a pivot; the input is that of the next round. */
    public GraphBuilder cycle(String node, String pivot, Function<Data, Payload> input) {
        return add(new Node.Cycle(node, pivot)).input(node, input);
    }

    public GraphBuilder interruptSelf(String node, Function<Data, Ending> ending) {
        return add(new Node.InterruptSelf(node, ending));
    }

    public GraphBuilder interruptAnother(String node, Function<Data, Recipient> target,
            Function<Data, Ending> ending) {
        return add(new Node.InterruptAnother(node, target, ending));
    }

    public GraphBuilder edge(String from, String to) {
        edges.add(new Edge(from, to, false, null));
        return this;
    }

    /** An edge that is taken only if the condition holds, seen from the node it leaves. */
    public GraphBuilder edge(String from, String to, Predicate<Data> condition) {
        edges.add(new Edge(from, to, false, condition));
        return this;
    }

    /** Where to go after a failure, which would otherwise end the workflow. */
    public GraphBuilder onFailure(String from, String to) {
        edges.add(new Edge(from, to, true, null));
        return this;
    }

    /** What a node is given; the last word counts. */
    public GraphBuilder input(String node, Function<Data, Payload> mapping) {
        inputs.put(node, mapping);
        return this;
    }

    public GraphBuilder result(Function<Data, Payload> mapping) {
        result = Optional.of(mapping);
        return this;
    }

    /** The graph, if it is sound. */
    public Graph build() {
        Sketch sketch = new Sketch(name, version, nodes, edges, inputs, result);
        List<String> problems = new Inspection(sketch).problems();
        if (!problems.isEmpty()) {
            throw new InvalidGraph(name, problems);
        }
        return new Graph(sketch);
    }

    private GraphBuilder add(Node node) {
        nodes.add(node);
        return this;
    }
}
