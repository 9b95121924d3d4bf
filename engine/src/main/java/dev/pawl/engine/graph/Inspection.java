package dev.pawl.engine.graph;

import dev.pawl.kernel.id.Names;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Everything that is wrong with a sketch, node by node and edge by edge; what is wrong with its paths is elsewhere. */
final class Inspection {

    /** Longer than anybody waits, and short enough that a time plus it is still a time. */
    static final Duration DURATION_MAX = Duration.ofDays(100 * 365);

    private final Sketch sketch;
    private final List<String> problems = new ArrayList<>();

    Inspection(Sketch sketch) {
        this.sketch = sketch;
    }

    List<String> problems() {
        name("the graph", "name", sketch.name());
        name("the graph", "version", sketch.version());
        sketch.nodes().forEach(this::node);
        onlyOnce(sketch.nodes().stream().map(node -> "node '" + node.name() + "'"));
        onlyOnce(sketch.edges().stream().map(edge -> (edge.onFailure() ? "error edge '" : "edge '") + edge.from()
                + "' to '" + edge.to() + "'"));
        triggers();
        sketch.edges().forEach(this::edge);
        sketch.inputs().keySet().forEach(node -> known("an input mapping", node));
        // Paths along edges to nowhere would only repeat what is said already.
        List<Edge> sound = sketch.edges().stream().filter(this::sound).toList();
        problems.addAll(new PathInspection(sketch, sound).problems());
        return problems;
    }

    private void node(Node node) {
        name("node '" + node.name() + "'", "name", node.name());
        switch (node) {
            case Node.Worker worker -> {
                name(worker, "queue", worker.queue());
                timeout(worker);
            }
            case Node.Await await -> {
                name(await, "child's definition", await.child().definition());
                name(await, "child's version", await.child().version());
                name(await, "child's trigger", await.child().trigger());
            }
            case Node.WebHook hook -> name(hook, "topic", hook.topic());
            case Node.SignalOne one -> name(one, "topic", one.topic());
            case Node.SignalAll all -> name(all, "topic", all.topic());
            case Node.Cycle cycle -> known("cycle '" + cycle.name() + "'", cycle.pivot());
            case Node.Trigger trigger -> {
                if (sketch.inputs().containsKey(trigger.name())) {
                    problems.add("trigger '" + trigger.name()
                            + "' is given the workflow's input; a mapping cannot change that");
                }
            }
            case Node.Sleep sleep -> {}
            case Node.Pass pass -> {}
            case Node.InterruptSelf self -> {}
            case Node.InterruptAnother another -> {}
        }
    }

    private void timeout(Node.Worker worker) {
        Duration timeout = worker.timeout();
        if (!timeout.isPositive() || timeout.compareTo(DURATION_MAX) > 0) {
            problems.add(
                    "worker '" + worker.name() + "' needs a timeout from 1 ns to " + DURATION_MAX + ", not " + timeout);
        }
    }

    private void name(Node node, String what, String name) {
        name("node '" + node.name() + "'", what, name);
    }

    private void name(String whose, String what, String name) {
        try {
            Names.require("the " + what + " of " + whose, name);
        } catch (IllegalArgumentException e) {
            problems.add(String.valueOf(e.getMessage()));
        }
    }

    private void onlyOnce(Stream<String> drawn) {
        Set<String> seen = new LinkedHashSet<>();
        drawn.filter(one -> !seen.add(one)).distinct().toList()
                .forEach(one -> problems.add(one + " is drawn more than once"));
    }

    private void triggers() {
        List<String> triggers =
                sketch.nodes().stream().filter(Node.Trigger.class::isInstance).map(Node::name).distinct().toList();
        if (triggers.size() != 1) {
            problems.add("a graph has one trigger, not " + (triggers.isEmpty() ? "none" : "all of " + triggers));
        }
    }

    private void edge(Edge edge) {
        known("edge '" + edge + "'", edge.from());
        known("edge '" + edge + "'", edge.to());
        for (Node node : sketch.nodes()) {
            if (node.name().equals(edge.to()) && node instanceof Node.Trigger) {
                problems.add("edge '" + edge + "' leads back into the trigger '" + node.name() + "'");
            }
            if (node.name().equals(edge.from()) && node.last()) {
                problems.add("edge '" + edge + "' leaves '" + node.name() + "', after which nothing can come");
            }
            if (node.name().equals(edge.from()) && edge.onFailure() && !node.canFail()) {
                problems.add("edge '" + edge + "' waits for a failure, but '" + node.name() + "' cannot fail");
            }
        }
    }

    private void known(String who, String node) {
        if (!sketch.has(node)) {
            problems.add(who + " names '" + node + "', which is not drawn");
        }
    }

    private boolean sound(Edge edge) {
        return sketch.has(edge.from()) && sketch.has(edge.to());
    }
}
