package dev.pawl.testkit.scenario;

import static dev.pawl.testkit.scenario.Parts.BEGIN;
import static dev.pawl.testkit.scenario.Parts.graph;
import static dev.pawl.testkit.scenario.Parts.own;
import static dev.pawl.testkit.scenario.Parts.path;
import static dev.pawl.testkit.scenario.Parts.round;
import static dev.pawl.testkit.scenario.Parts.rounds;
import static dev.pawl.testkit.scenario.Parts.workers;

import dev.pawl.engine.graph.Data;
import dev.pawl.engine.graph.Graph;
import dev.pawl.engine.graph.GraphBuilder;
import java.time.Duration;
import java.util.List;

/** The same activities again, in planes of their own. */
final class CycleScenarios {

    private CycleScenarios() {
    }

    static List<Scenario> all() {
        return List.of(work(), manyRounds(), nested(), nestedToTheOuterPivot(), join(), sleep(), hook(), child(),
                sideBranches(), twoInARow(), pivotBehindAJoin(), branchesThatCycle(), branchesThatCycleMeet(),
                nestedMeetsABranch());
    }

    private static Scenario one(String name, GraphBuilder graph) {
        return Scenario.named(name).start("w", graph.build(), "in").build();
    }

    private static GraphBuilder loop(int count) {
        GraphBuilder graph = workers(graph("g"), "work", "out");
        return rounds(path(graph, BEGIN, "p", "work"), "p", "work", "out", count);
    }

    private static Scenario work() {
        return one("cycle of 5 rounds", loop(5));
    }

    private static Scenario manyRounds() {
        return one("cycle of 60 rounds", loop(60));
    }

    private static Scenario nested() {
        GraphBuilder graph = path(workers(graph("g"), "work", "between", "out"), BEGIN, "p", "q", "work");
        return one("cycle in a cycle", rounds(rounds(graph, "q", "work", "between", 3), "p", "between", "out", 3));
    }

    /** The inner cycle ends by going back to the outer pivot at once, without anything in between. */
    private static Scenario nestedToTheOuterPivot() {
        GraphBuilder graph = path(workers(graph("g"), "work", "out"), BEGIN, "p", "q", "work")
                .pivot("p").input("p", data -> Text.of("0")).pivot("q").input("q", data -> Text.of("0"))
                .cycle("inner", "q", data -> Text.of(String.valueOf(round(data, "q") + 1)))
                .cycle("outer", "p", data -> Text.of(String.valueOf(round(data, "p") + 1)))
                .edge("work", "inner", data -> round(data, "q") < 2)
                .edge("work", "outer", data -> round(data, "q") == 2 && round(data, "p") < 2)
                .edge("work", "out", data -> round(data, "q") == 2 && round(data, "p") == 2);
        return one("cycle out of a cycle", graph);
    }

    private static Scenario join() {
        GraphBuilder graph = workers(graph("g"), "a", "b", "b2", "join", "out").input("join", Parts.all("a", "b2"));
        path(graph, BEGIN, "p", "a", "join");
        path(graph, "p", "b", "b2", "join");
        return one("cycle with a join inside", rounds(graph, "p", "join", "out", 4));
    }

    private static Scenario sleep() {
        GraphBuilder graph = workers(graph("g"), "work", "out")
                .sleep("nap", data -> Duration.ofMinutes(round(data, "p")));
        return one("cycle with a sleep", rounds(path(graph, BEGIN, "p", "work", "nap"), "p", "nap", "out", 4));
    }

    private static Scenario hook() {
        GraphBuilder graph = workers(graph("g"), "out").webHook("hook", "topic").signalOne("tell", Data::self, "topic",
                data -> Text.of("news of round " + round(data, "p")));
        return one("cycle with a signal and a hook",
                rounds(path(graph, BEGIN, "p", "tell", "hook"), "p", "hook", "out", 4));
    }

    private static Scenario child() {
        Graph child = path(workers(graph("child"), "a"), BEGIN, "a").build();
        GraphBuilder graph = workers(graph("g"), "out").await("child", own(child), data -> data.output("p"), true);
        return Scenario.named("cycle with a child in every round").knows(child)
                .start("w", rounds(path(graph, BEGIN, "p", "child"), "p", "child", "out", 3).build(), "in").build();
    }

    private static Scenario sideBranches() {
        return one("cycle that leaves a branch behind in every round",
                path(workers(loop(4), "side", "side2"), "work", "side", "side2"));
    }

    private static Scenario twoInARow() {
        GraphBuilder graph = path(workers(loop(3), "more", "end"), "out", "q", "more");
        return one("cycle after a cycle", rounds(graph, "q", "more", "end", 3));
    }

    private static Scenario pivotBehindAJoin() {
        GraphBuilder graph = workers(graph("g"), "a", "b", "work", "out");
        path(graph, BEGIN, "a", "p", "work");
        path(graph, BEGIN, "b", "p");
        return one("cycle to a join", rounds(graph, "p", "work", "out", 3));
    }

    private static Scenario branchesThatCycle() {
        GraphBuilder graph = path(workers(loop(3), "work2", "out2"), BEGIN, "q", "work2");
        return one("two branches that cycle", rounds(graph, "q", "work2", "out2", 4));
    }

    private static Scenario branchesThatCycleMeet() {
        GraphBuilder graph = path(workers(loop(3), "work2", "out2", "b"), BEGIN, "q", "work2");
        path(workers(graph, "join", "after").input("join", Parts.all("work", "out", "work2", "out2", "p", "b"))
                .input("after", Parts.all("work", "q")), BEGIN, "b", "join", "after");
        return one("branches that cycle meet one that does not",
                rounds(graph, "q", "work2", "out2", 4).edge("out", "join").edge("out2", "join"));
    }

    private static Scenario nestedMeetsABranch() {
        GraphBuilder graph = path(workers(graph("g"), "work", "between", "b", "join"), BEGIN, "p", "q", "work");
        path(graph.input("join", Parts.all("work", "between", "b")), "p", "b", "join");
        return one("cycle in a branch of a cycle", rounds(rounds(workers(graph, "out").edge("between", "join"),
                "q", "work", "between", 3), "p", "join", "out", 3));
    }
}
