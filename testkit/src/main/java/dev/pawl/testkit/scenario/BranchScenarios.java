package dev.pawl.testkit.scenario;

import static dev.pawl.testkit.scenario.Parts.BEGIN;
import static dev.pawl.testkit.scenario.Parts.graph;
import static dev.pawl.testkit.scenario.Parts.own;
import static dev.pawl.testkit.scenario.Parts.path;
import static dev.pawl.testkit.scenario.Parts.workers;

import dev.pawl.engine.graph.Data;
import dev.pawl.engine.graph.Graph;
import dev.pawl.engine.graph.GraphBuilder;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Sequences, branches, joins and conditions, small and large. */
final class BranchScenarios {

    private BranchScenarios() {
    }

    static List<Scenario> all() {
        return List.of(sequence(), fanOut(), fanIn(), unequalBranches(), joinOfJoins(), branchNotTaken(),
                edgesOfEveryKind(), conditions(), kindsOfBranches(), joinThatFansOut(), longChain(), wideFanOut(),
                manyWorkflows());
    }

    private static Scenario one(String name, GraphBuilder graph) {
        return Scenario.named(name).start("w", graph.build(), "in").build();
    }

    private static Scenario sequence() {
        return one("sequence", path(workers(graph("g"), "a", "b", "c"), BEGIN, "a", "b", "c"));
    }

    private static GraphBuilder branches(String... nodes) {
        GraphBuilder graph = workers(graph("g"), nodes);
        Stream.of(nodes).forEach(node -> graph.edge(BEGIN, node));
        return graph;
    }

    private static GraphBuilder joined(String name, GraphBuilder graph, String... nodes) {
        Stream.of(nodes).forEach(node -> graph.edge(node, name));
        return workers(graph, name).input(name, Parts.all(nodes));
    }

    private static Scenario fanOut() {
        return one("fan-out", branches("a", "b", "c"));
    }

    private static Scenario fanIn() {
        return one("fan-out and fan-in", joined("join", branches("a", "b", "c"), "a", "b", "c"));
    }

    private static Scenario unequalBranches() {
        GraphBuilder graph = workers(branches("a", "b", "c"), "b2", "c2", "c3").pass("after").edge("join", "after");
        path(graph, "b", "b2");
        path(graph, "c", "c2", "c3");
        return one("branches of unequal length", joined("join", graph, "a", "b2", "c3", BEGIN));
    }

    private static Scenario joinOfJoins() {
        GraphBuilder graph = joined("left", branches("a", "b", "c", "d"), "a", "b");
        workers(graph, "long").edge("c", "long");
        return one("join of joins", joined("top", joined("right", graph, "long", "d"), "left", "right", "a"));
    }

    private static Scenario branchNotTaken() {
        return one("join with a branch that is not taken", workers(branches("a", "b"), "join", "other")
                .edge("a", "join").edge("b", "join", data -> false).edge("b", "other"));
    }

    private static Scenario edgesOfEveryKind() {
        return one("taken, not taken and error edges of one node", workers(branches("a"), "yes", "no", "mend", "always")
                .edge("a", "yes", data -> true).edge("a", "no", data -> false).onFailure("a", "mend")
                .edge("a", "always"));
    }

    private static Scenario conditions() {
        Graph graph = workers(branches("a"), "many", "few")
                .edge("a", "many", data -> data.workflowInput().size() > 3)
                .edge("a", "few", data -> data.workflowInput().size() <= 3).build();
        return Scenario.named("condition, both ways").start("w1", graph, "no").start("w2", graph, "yes, many").build();
    }

    private static Scenario kindsOfBranches() {
        Graph child = path(workers(graph("child"), "a"), BEGIN, "a").build();
        GraphBuilder graph = branches("work").sleep("nap", Duration.ofMinutes(3)).webHook("hook", "topic").pass("pass")
                .await("child", own(child), Data::workflowInput, true);
        Stream.of("nap", "hook", "pass", "child").forEach(node -> graph.edge(BEGIN, node));
        return Scenario.named("branches of every kind meet").knows(child)
                .start("w", joined("join", graph, "work", "nap", "hook", "pass", "child").build(), "in")
                .lateSignal("w", "topic", "1", "news").build();
    }

    private static Scenario joinThatFansOut() {
        GraphBuilder graph = joined("middle", branches("a", "b"), "a", "b");
        workers(graph, "c", "d").edge("middle", "c").edge("middle", "d");
        return one("join that fans out into a join", joined("end", graph, "c", "d"));
    }

    private static Scenario longChain() {
        String[] nodes = IntStream.range(0, 50).mapToObj(i -> "n" + i).toArray(String[]::new);
        return one("chain of 50", path(workers(graph("g"), nodes).edge(BEGIN, "n0"), nodes));
    }

    private static Scenario wideFanOut() {
        String[] nodes = IntStream.range(0, 100).mapToObj(i -> "n" + i).toArray(String[]::new);
        return one("fan-out of 100", joined("join", branches(nodes), nodes));
    }

    private static Scenario manyWorkflows() {
        GraphBuilder graph = branches("a", "b").sleep("nap", data -> Duration.ofMillis(data.input().size()))
                .edge("b", "nap");
        Graph drawn = joined("join", graph, "a", "nap").build();
        ScenarioBuilder scenario = Scenario.named("60 workflows at once");
        IntStream.range(0, 60).forEach(i -> scenario.start("w" + i, drawn, "x".repeat(i)));
        return scenario.build();
    }
}
