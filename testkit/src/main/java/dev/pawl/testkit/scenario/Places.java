package dev.pawl.testkit.scenario;

import dev.pawl.engine.graph.Edge;
import dev.pawl.engine.graph.Graph;
import dev.pawl.engine.graph.Node;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.DimensionalAddress;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Addresses as collation.md 21 has them, worked out by hand: a list of numbers with a comma before each. */
final class Places {

    private final Graph graph;
    private final Map<String, Integer> levels = new HashMap<>();
    private final Map<String, Integer> forks = new HashMap<>();

    Places(Graph graph) {
        this.graph = graph;
    }

    /** The longest way to a node: branches wait there for the longest of them. */
    int level(String node) {
        Integer known = levels.get(node);
        if (known == null) {
            known = 1 + graph.into(node).stream().mapToInt(edge -> level(edge.from())).max().orElse(0);
            levels.put(node, known);
        }
        return known;
    }

    /** The deepest level that all branches of a join come from: the last node without which it could not be reached. */
    private int fork(String join) {
        return forks.computeIfAbsent(join, name -> graph.nodes().stream().map(Node::name)
                .filter(node -> !node.equals(name) && !reaches(graph.trigger(), name, node, new HashSet<>()))
                .mapToInt(this::level).max().orElseThrow());
    }

    private boolean reaches(String from, String to, String avoiding, Set<String> seen) {
        if (from.equals(avoiding) || !seen.add(from)) {
            return false;
        }
        return from.equals(to)
                || graph.from(from).stream().map(Edge::to).anyMatch(next -> reaches(next, to, avoiding, seen));
    }

    /** Where a child runs: below the one it comes from, or the fork if it is a join, in the first plane of each level. */
    ActivityKey below(ActivityKey here, String child) {
        List<String> numbers = numbers(here.address().drawing());
        int kept = graph.into(child).size() > 1 ? fork(child) : numbers.size();
        return at(child, drawing(numbers.subList(0, kept)) + ",0".repeat(level(child) - kept));
    }

    /** The first plane of a pivot before this one. */
    ActivityKey pivot(ActivityKey here, String pivot) {
        List<String> numbers = numbers(here.address().drawing());
        return at(pivot, drawing(numbers.subList(0, level(pivot) - 1)) + ",0");
    }

    /** The same activity in another plane of its own level. */
    static ActivityKey inPlane(ActivityKey here, int plane) {
        List<String> numbers = numbers(here.address().drawing());
        return at(here.activity(), drawing(numbers.subList(0, numbers.size() - 1)) + "," + plane);
    }

    private static ActivityKey at(String node, String address) {
        return new ActivityKey(node, new DimensionalAddress(address));
    }

    private static List<String> numbers(String address) {
        return Arrays.asList(address.substring(1).split(",", -1));
    }

    private static String drawing(List<String> numbers) {
        return numbers.isEmpty() ? "" : "," + String.join(",", numbers);
    }
}
