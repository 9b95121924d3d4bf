package dev.pawl.testkit.scenario;

import static dev.pawl.testkit.scenario.Parts.BEGIN;
import static dev.pawl.testkit.scenario.Parts.ENOUGH;
import static dev.pawl.testkit.scenario.Parts.TIMEOUT;
import static dev.pawl.testkit.scenario.Parts.called;
import static dev.pawl.testkit.scenario.Parts.graph;
import static dev.pawl.testkit.scenario.Parts.own;
import static dev.pawl.testkit.scenario.Parts.path;
import static dev.pawl.testkit.scenario.Parts.say;
import static dev.pawl.testkit.scenario.Parts.workers;

import dev.pawl.engine.graph.Child;
import dev.pawl.engine.graph.Data;
import dev.pawl.engine.graph.Graph;
import dev.pawl.engine.graph.GraphBuilder;
import dev.pawl.kernel.message.Payload;
import java.util.List;
import java.util.stream.IntStream;

/** Workflows that start workflows. */
final class ChildScenarios {

    private static final Graph CHILD = path(workers(graph("child"), "a", "b"), BEGIN, "a", "b").build();
    private static final Graph FAILING =
            graph("failing").worker("a", Workers.BROKEN, TIMEOUT).edge(BEGIN, "a").build();
    private static final Graph ENDING =
            path(workers(graph("ending"), "a").interruptSelf("stop", data -> ENOUGH), BEGIN, "a", "stop").build();

    private ChildScenarios() {
    }

    static List<Scenario> all() {
        return List.of(
                parent("child that is awaited", CHILD, true, false),
                parent("child that is not awaited", CHILD, false, false),
                parent("child that fails", FAILING, true, false),
                parent("child that fails, with an error edge", FAILING, true, true),
                parent("child that fails and is not awaited", FAILING, false, false),
                parent("child that ends itself", ENDING, true, false),
                parent("child that ends itself, with an error edge", ENDING, true, true),
                idTakenByItself(), idTakenByOneStarted(), idTakenByAnotherParent(), grandchildren(), manyChildren(),
                recursion(), childWithoutChildren());
    }

    private static GraphBuilder awaiting(Graph child, Child how, boolean awaitsResult) {
        return path(workers(graph("g"), "after").await(child.name(), how, Data::workflowInput, awaitsResult),
                BEGIN, child.name(), "after");
    }

    private static Scenario parent(String name, Graph child, boolean awaitsResult, boolean errorEdge) {
        GraphBuilder graph = awaiting(child, own(child), awaitsResult);
        if (errorEdge) {
            workers(graph, "mend").onFailure(child.name(), "mend");
        }
        return Scenario.named(name).knows(child).start("w", graph.build(), "in").build();
    }

    private static Scenario idTakenByItself() {
        GraphBuilder graph = workers(awaiting(CHILD, called(CHILD, "c"), true), "mend")
                .await("again", called(CHILD, "c"), say("again"), true)
                .edge("after", "again").onFailure("again", "mend");
        return Scenario.named("child id that the parent has taken itself").knows(CHILD)
                .start("w", graph.build(), "in").build();
    }

    private static Scenario idTakenByOneStarted() {
        return Scenario.named("child id that another workflow has taken").start("c", CHILD, "first")
                .start("w", awaiting(CHILD, called(CHILD, "c"), false).build(), "in").build();
    }

    private static Scenario idTakenByAnotherParent() {
        Graph graph = awaiting(CHILD, called(CHILD, "c"), true).build();
        return Scenario.named("child id that two parents want").knows(CHILD)
                .start("w1", graph, "in").start("w2", graph, "in").alike("w1", "w2").build();
    }

    private static Scenario grandchildren() {
        Graph middle = path(workers(graph("middle"), "m").await("c", own(CHILD), Data::workflowInput, true)
                .await("d", own(CHILD), data -> data.output("m"), false), BEGIN, "m", "c", "d").build();
        Graph top = path(workers(graph("g"), "t").await("one", own(middle), data -> data.output("t"), true),
                BEGIN, "t", "one").await("two", own(middle), Data::workflowInput, true).edge(BEGIN, "two").build();
        return Scenario.named("grandchildren").knows(CHILD, middle).start("w", top, "in").build();
    }

    private static Scenario manyChildren() {
        String[] nodes = IntStream.range(0, 10).mapToObj(i -> "c" + i).toArray(String[]::new);
        GraphBuilder graph = workers(graph("g"), "join").input("join", Parts.all(nodes));
        for (String node : nodes) {
            graph.await(node, own(CHILD), say(node), true).edge(BEGIN, node).edge(node, "join");
        }
        return Scenario.named("10 children and a join").knows(CHILD).start("w", graph.build(), "in").build();
    }

    private static Scenario recursion() {
        Child itself = new Child(Parts::ownId, "g", "1", BEGIN);
        Graph graph = workers(graph("g"), "leaf")
                .await("left", itself, ChildScenarios::shorter, true)
                .await("right", itself, ChildScenarios::shorter, true)
                .edge(BEGIN, "left", data -> data.workflowInput().size() > 0)
                .edge(BEGIN, "right", data -> data.workflowInput().size() > 0)
                .edge(BEGIN, "leaf", data -> data.workflowInput().size() == 0).build();
        return Scenario.named("definition that starts itself").start("w", graph, "xxx").build();
    }

    private static Payload shorter(Data data) {
        return Text.of(Text.in(data.workflowInput()).substring(1));
    }

    private static Scenario childWithoutChildren() {
        return parent("child that ends at once", graph("child").build(), true, false);
    }
}
