package dev.pawl.engine.graph;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What is wrong with the paths of a sketch: nodes that nothing reaches, loops, cycles to nowhere, joins that never open. */
final class PathInspection {

    private final Sketch sketch;
    private final List<Edge> edges;
    private final Shape shape;
    private final List<String> problems = new ArrayList<>();

    PathInspection(Sketch sketch, List<Edge> edges) {
        this.sketch = sketch;
        this.edges = edges;
        this.shape = new Shape(sketch.nodes().stream().map(Node::name).toList(), edges);
    }

    List<String> problems() {
        for (Node node : sketch.nodes()) {
            if (!(node instanceof Node.Trigger) && triggers().noneMatch(trigger -> shape.leads(trigger, node.name()))) {
                problems.add("no path leads to '" + node.name() + "'");
            }
            if (shape.leads(node.name(), node.name())) {
                problems.add("'" + node.name() + "' is on a loop of edges; only a cycle node may go back");
            }
            if (node instanceof Node.Cycle cycle && sketch.has(cycle.pivot())) {
                cycle(cycle);
            }
        }
        joins().forEach(this::exclusive);
        return problems;
    }

    private Stream<String> triggers() {
        return sketch.nodes().stream().filter(Node.Trigger.class::isInstance).map(Node::name);
    }

    private void cycle(Node.Cycle cycle) {
        boolean pivot = sketch.nodes().stream()
                .anyMatch(node -> node.name().equals(cycle.pivot()) && node instanceof Node.Pass pass && pass.pivot());
        if (pivot && shape.passes(cycle.name(), cycle.pivot())) {
            everyRound(cycle);
        } else {
            problems.add("cycle '" + cycle.name() + "' goes back to '" + cycle.pivot()
                    + "', which is not a pivot on every way to it");
        }
    }

    /** All branches of a join must be taken, but a response is either a failure or not. */
    private void exclusive(String join) {
        List<Edge> needed = edges.stream()
                .filter(edge -> leads(edge, join))
                .toList();
        needed.stream()
                .filter(Edge::onFailure)
                .map(Edge::from)
                .distinct()
                .filter(from -> needed.stream().anyMatch(edge -> !edge.onFailure() && edge.from().equals(from)))
                .forEach(from -> problems.add("join '" + join + "' never opens: one branch needs '" + from
                        + "' to fail, another needs it not to"));
    }

    /** A branch comes to its join once. In rounds only a condition can see to that. */
    private void everyRound(Node.Cycle cycle) {
        for (Edge edge : edges) {
            boolean inRound = edge.from().equals(cycle.pivot()) || shape.leads(cycle.pivot(), edge.from());
            if (inRound && edge.condition() == null && !edge.onFailure() && !leads(edge, cycle.name())
                    && edges.stream().anyMatch(other -> other.from().equals(edge.from()) && !other.onFailure()
                            && leads(other, cycle.name()))) {
                joins().filter(join -> leads(edge, join) && shape.forkDepth(join) < shape.depth(cycle.pivot()))
                        .forEach(join -> problems.add("join '" + join + "' is reached in every round of '"
                                + cycle.pivot() + "'; edge '" + edge + "' needs a condition"));
            }
        }
    }

    private Stream<String> joins() {
        return sketch.nodes().stream().map(Node::name).distinct()
                .filter(node -> edges.stream().filter(edge -> edge.to().equals(node)).count() > 1);
    }

    private boolean leads(Edge edge, String to) {
        return edge.to().equals(to) || shape.leads(edge.to(), to);
    }
}
