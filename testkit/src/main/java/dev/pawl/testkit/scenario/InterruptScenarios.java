package dev.pawl.testkit.scenario;

import static dev.pawl.testkit.scenario.Parts.BEGIN;
import static dev.pawl.testkit.scenario.Parts.ENOUGH;
import static dev.pawl.testkit.scenario.Parts.ENOUGH_FOR_ALL;
import static dev.pawl.testkit.scenario.Parts.called;
import static dev.pawl.testkit.scenario.Parts.graph;
import static dev.pawl.testkit.scenario.Parts.own;
import static dev.pawl.testkit.scenario.Parts.path;
import static dev.pawl.testkit.scenario.Parts.say;
import static dev.pawl.testkit.scenario.Parts.workers;

import dev.pawl.engine.graph.Data;
import dev.pawl.engine.graph.Graph;
import dev.pawl.engine.graph.GraphBuilder;
import dev.pawl.kernel.lifecycle.WorkflowEvent;
import dev.pawl.kernel.message.Ending;
import dev.pawl.kernel.message.Payload;
import dev.pawl.testkit.scenario.Stimulus.Moment;
import java.time.Duration;
import java.util.List;

/** Ends before their time. */
final class InterruptScenarios {

    private static final Graph WAITING = graph("waiting").webHook("hook", "never").edge(BEGIN, "hook").build();

    private InterruptScenarios() {
    }

    static List<Scenario> all() {
        return List.of(siblingsOpen(), fromOutside(), cancelled(), anotherThatIsClosed(), itself(), childGoesOn(),
                childByItsParent(), twoGenerations(), inACycle());
    }

    private static Scenario siblingsOpen() {
        Graph graph = workers(graph("g"), "a", "b", "c").sleep("nap", Duration.ofDays(1)).webHook("hook", "never")
                .interruptSelf("stop", data -> ENOUGH)
                .edge(BEGIN, "a").edge("a", "stop").edge(BEGIN, "b").edge("b", "c").edge(BEGIN, "nap")
                .edge(BEGIN, "hook").build();
        return Scenario.named("interrupt self with siblings open").start("w", graph, "in").loose("w").build();
    }

    private static Scenario fromOutside() {
        return Scenario.named("interrupt from outside").start("w", WAITING, "in").start("v", WAITING, "in")
                .interrupt("w", ENOUGH, Moment.WHEN_IDLE).interrupt("v", ENOUGH, Moment.AT_ONCE).loose("w", "v")
                .build();
    }

    private static Scenario cancelled() {
        Ending ending = new Ending(WorkflowEvent.CANCEL, "changed my mind", Ending.GONE, false, Text.of("cancelled"));
        Graph graph = path(workers(graph("g"), "a").interruptSelf("stop", data -> ending), BEGIN, "a", "stop").build();
        return Scenario.named("cancel self, with an error to show").start("w", graph, "in").build();
    }

    private static Scenario anotherThatIsClosed() {
        Graph child = path(workers(graph("child"), "a"), BEGIN, "a").build();
        Graph graph = path(workers(graph("g"), "after").await("child", called(child, "c"), Data::workflowInput, true)
                .interruptAnother("stop", data -> data.other("c"), data -> ENOUGH), BEGIN, "child", "stop", "after")
                .build();
        return Scenario.named("interrupt another that is closed").knows(child).start("w", graph, "in").build();
    }

    private static Scenario itself() {
        Graph graph = path(workers(graph("g"), "a", "after")
                .interruptAnother("stop", Data::self, data -> ENOUGH), BEGIN, "a", "stop", "after").build();
        return Scenario.named("interrupt another that is itself").start("w", graph, "in").build();
    }

    private static Scenario childGoesOn() {
        Graph child = path(workers(graph("child"), "a").sleep("nap", Duration.ofHours(1)), BEGIN, "nap", "a").build();
        Graph graph = path(graph("g").await("child", own(child), Data::workflowInput, false)
                .interruptSelf("stop", data -> ENOUGH), BEGIN, "child", "stop").build();
        return Scenario.named("interrupt self while a child goes on").knows(child).start("w", graph, "in").build();
    }

    /** Tells its parent that it is up, and then waits for nothing. */
    private static GraphBuilder telling(String name, String parent) {
        return path(
                graph(name).signalOne("tell", data -> data.other(parent), "up", say("here")).webHook("hook", "never"),
                BEGIN, "tell", "hook");
    }

    private static Scenario childByItsParent() {
        Graph child = telling("child", "w").build();
        Graph graph = workers(graph("g"), "mend").await("child", called(child, "c"), Data::workflowInput, true)
                .webHook("hook", "up").interruptAnother("stop", data -> data.other("c"), data -> ENOUGH)
                .edge(BEGIN, "child").onFailure("child", "mend").edge(BEGIN, "hook").edge("hook", "stop").build();
        return Scenario.named("interrupt a child that is awaited").knows(child).start("w", graph, "in").loose("c")
                .build();
    }

    private static Scenario twoGenerations() {
        Graph grandchild = telling("grandchild", "w").build();
        Graph child = graph("child").await("child", called(grandchild, "g"), Data::workflowInput, true)
                .edge(BEGIN, "child").build();
        Graph graph = path(graph("root").await("child", called(child, "c"), Data::workflowInput, true)
                .webHook("hook", "up").interruptSelf("stop", data -> ENOUGH_FOR_ALL), BEGIN, "hook", "stop")
                .edge(BEGIN, "child").build();
        return Scenario.named("interrupt that descends two generations").knows(child, grandchild)
                .start("w", graph, "in").loose("g").build();
    }

    private static Scenario inACycle() {
        GraphBuilder graph = path(workers(graph("g"), "work").interruptSelf("stop",
                data -> Ending.failed("enough rounds", error(data))), BEGIN, "p", "work");
        return Scenario.named("interrupt self after some rounds")
                .start("w", Parts.rounds(graph, "p", "work", "stop", 4).build(), "in").build();
    }

    private static Payload error(Data data) {
        return Text.of("round " + Parts.round(data, "p"));
    }
}
