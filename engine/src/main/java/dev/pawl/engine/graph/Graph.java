package dev.pawl.engine.graph;

import dev.pawl.engine.Definition;
import dev.pawl.kernel.collation.Behaviour;
import dev.pawl.kernel.message.Payload;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A definition drawn in Java code. Immutable; its functions must be pure: each may be asked more than once, and must answer
 * the same.
 *
 * <p>A node that several edges lead to is a join: it runs when all of them have been taken, and not at all if one of them
 * never is. A function that fails ends the workflow as failed, and so does a failure that no error edge takes.
 */
public final class Graph implements Definition {

    private final String name;
    private final String version;
    private final Map<String, Node> nodes = new LinkedHashMap<>();
    private final List<Edge> edges;
    private final Map<String, List<Edge>> from;
    private final Map<String, List<Edge>> into;
    private final Map<String, Function<Data, Payload>> inputs;
    private final Optional<Function<Data, Payload>> result;
    private final Shape shape;

    /** Takes what the builder has found to be sound. */
    Graph(Sketch sketch) {
        this.name = sketch.name();
        this.version = sketch.version();
        sketch.nodes().forEach(node -> nodes.put(node.name(), node));
        this.edges = List.copyOf(sketch.edges());
        this.from = edges.stream().collect(Collectors.groupingBy(Edge::from));
        this.into = edges.stream().collect(Collectors.groupingBy(Edge::to));
        this.inputs = Map.copyOf(sketch.inputs());
        this.result = sketch.result();
        this.shape = new Shape(List.copyOf(nodes.keySet()), edges);
    }

    public static GraphBuilder named(String name, String version) {
        return new GraphBuilder(name, version);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String version() {
        return version;
    }

    @Override
    public String trigger() {
        return nodes.values().stream().filter(Node.Trigger.class::isInstance).findFirst().orElseThrow().name();
    }

    @Override
    public Behaviour behaviour() {
        return new GraphBehaviour(this);
    }

    /** All nodes, in the order they were drawn. */
    public List<Node> nodes() {
        return List.copyOf(nodes.values());
    }

    public Node node(String node) {
        Node found = nodes.get(node);
        if (found == null) {
            throw new IllegalArgumentException("graph '" + name + "' has no node '" + node + "'");
        }
        return found;
    }

    /** All edges, in the order they were drawn. */
    public List<Edge> edges() {
        return edges;
    }

    public List<Edge> from(String node) {
        return from.getOrDefault(node, List.of());
    }

    public List<Edge> into(String node) {
        return into.getOrDefault(node, List.of());
    }

    /**
     * What makes the input of an activity. If nothing was said, it is the output of the one before it; where several come
     * before it, the workflow's input.
     */
    public Function<Data, Payload> input(String node) {
        List<Edge> arrivals = into(node);
        return inputs.getOrDefault(node,
                arrivals.size() == 1 ? data -> data.output(arrivals.getFirst().from()) : Data::workflowInput);
    }

    /** What makes the result; if nothing was said, a line {@code name@address=output} for each leaf that has answered. */
    public Optional<Function<Data, Payload>> result() {
        return result;
    }

    /** The level its activities run at: 1 for the trigger, and one more than the deepest node before it for all others. */
    public int depth(String node) {
        return shape.depth(node);
    }

    /** True if there is a path from the one node to the other: whoever runs there, the one has run before it. */
    public boolean leads(String before, String after) {
        return shape.leads(before, after);
    }

    boolean join(String node) {
        return into(node).size() > 1;
    }

    /** The level at which the branches of a join part: planes opened below it belong to one branch alone. */
    int forkDepth(String join) {
        return shape.forkDepth(join);
    }

    /** How much of an address a node has in common with one before it: at a join, the planes of the branches are left. */
    int commonDepth(String before, String after) {
        return nodes.keySet().stream()
                .filter(node -> join(node) && leads(before, node) && (node.equals(after) || leads(node, after)))
                .mapToInt(this::forkDepth)
                .reduce(depth(before), Math::min);
    }

    @Override
    public String toString() {
        return "graph " + name + " " + version + " " + nodes.keySet() + " " + edges;
    }
}
