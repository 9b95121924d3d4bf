package dev.pawl.engine.graph;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

/** What comes before what, always or sometimes, and how deep: computed once, by spreading until nothing changes. */
final class Shape {

    private final Map<String, Integer> indexes = new LinkedHashMap<>();
    private final List<List<Integer>> into = new ArrayList<>();
    /** Of each node, those from which there is a path to it. */
    private final List<BitSet> before = new ArrayList<>();
    /** Of each node, itself and those that every path to it passes. */
    private final List<BitSet> always = new ArrayList<>();
    private final int[] depths;

    /** The edges may form loops, but lead from and to the given names only. */
    Shape(List<String> names, List<Edge> edges) {
        names.forEach(name -> indexes.putIfAbsent(name, indexes.size()));
        depths = new int[indexes.size()];
        for (int node = 0; node < indexes.size(); node++) {
            into.add(new ArrayList<>());
            before.add(new BitSet());
            BitSet all = new BitSet();
            all.set(0, indexes.size());
            always.add(all);
        }
        edges.forEach(edge -> into.get(index(edge.to())).add(index(edge.from())));
        spread(this::spreadBefore);
        spread(this::spreadAlways);
        spread(this::spreadDepth);
    }

    private void spread(IntPredicate step) {
        boolean changed = true;
        while (changed) {
            changed = false;
            for (int node = 0; node < depths.length; node++) {
                changed |= step.test(node);
            }
        }
    }

    private boolean spreadBefore(int node) {
        int known = before.get(node).cardinality();
        for (int from : into.get(node)) {
            before.get(node).or(before.get(from));
            before.get(node).set(from);
        }
        return before.get(node).cardinality() > known;
    }

    private boolean spreadAlways(int node) {
        BitSet common = (BitSet) always.get(node).clone();
        into.get(node).forEach(from -> common.and(always.get(from)));
        if (into.get(node).isEmpty()) {
            common.clear();
        }
        common.set(node);
        return !always.set(node, common).equals(common);
    }

    private boolean spreadDepth(int node) {
        int depth = 1;
        for (int from : into.get(node)) {
            // A loop would deepen for ever; a graph with one is refused anyway.
            depth = before.get(from).get(node) ? depth : Math.max(depth, depths[from] + 1);
        }
        boolean deeper = depth > depths[node];
        depths[node] = depth;
        return deeper;
    }

    /** True if there is a path from the one to the other; from a node to itself only along a loop. */
    boolean leads(String from, String to) {
        return before.get(index(to)).get(index(from));
    }

    /** True if every path to the one passes the other before it. */
    boolean passes(String to, String through) {
        return !to.equals(through) && always.get(index(to)).get(index(through));
    }

    /** The longest way from a node without incoming edges, which has depth 1. Branches of unequal length meet there. */
    int depth(String name) {
        return depths[index(name)];
    }

    /** The depth of the last node that every path to this one passes before it: where the branches of a join part. */
    int forkDepth(String name) {
        BitSet fork = (BitSet) always.get(index(name)).clone();
        fork.clear(index(name));
        return fork.stream().map(node -> depths[node]).max().orElse(1);
    }

    private int index(String name) {
        Integer index = indexes.get(name);
        if (index == null) {
            throw new IllegalArgumentException("there is no node '" + name + "'");
        }
        return index;
    }
}
