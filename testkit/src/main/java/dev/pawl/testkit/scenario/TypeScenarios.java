package dev.pawl.testkit.scenario;

import static dev.pawl.testkit.scenario.Parts.BEGIN;
import static dev.pawl.testkit.scenario.Parts.ENOUGH;
import static dev.pawl.testkit.scenario.Parts.graph;
import static dev.pawl.testkit.scenario.Parts.own;
import static dev.pawl.testkit.scenario.Parts.path;
import static dev.pawl.testkit.scenario.Parts.round;
import static dev.pawl.testkit.scenario.Parts.rounds;
import static dev.pawl.testkit.scenario.Parts.say;
import static dev.pawl.testkit.scenario.Parts.workers;

import dev.pawl.engine.graph.Data;
import dev.pawl.engine.graph.Graph;
import dev.pawl.engine.graph.GraphBuilder;
import java.time.Duration;
import java.util.List;

/** Every activity type alone, and all of them together. */
final class TypeScenarios {

    private static final Duration HOUR = Duration.ofHours(1);

    private TypeScenarios() {
    }

    static List<Scenario> all() {
        return List.of(trigger(), worker(), await(), sleep(), sleepOfComputedLength(), sleepOfNoLength(), pass(),
                hook(),
                signalOne(), signalAll(), cycle(), interruptSelf(), interruptAnother(), allTogether());
    }

    private static Scenario one(String name, Graph graph) {
        return Scenario.named(name).start("w", graph, "in").build();
    }

    private static Scenario trigger() {
        return one("trigger alone", graph("g").build());
    }

    private static Scenario worker() {
        return one("worker", path(workers(graph("g"), "a"), BEGIN, "a").build());
    }

    private static Scenario await() {
        Graph child = path(workers(graph("child"), "a"), BEGIN, "a").build();
        Graph graph = graph("g").await("child", own(child), Data::workflowInput, true).edge(BEGIN, "child").build();
        return Scenario.named("await").knows(child).start("w", graph, "in").build();
    }

    private static Scenario sleep() {
        return one("sleep", graph("g").sleep("nap", HOUR).edge(BEGIN, "nap").build());
    }

    private static Scenario sleepOfComputedLength() {
        return one("sleep of computed length", path(workers(graph("g"), "a")
                .sleep("nap", data -> Duration.ofMillis(data.input().size())), BEGIN, "a", "nap").build());
    }

    private static Scenario sleepOfNoLength() {
        return one("sleep of no length", path(workers(graph("g"), "a").sleep("nap", Duration.ZERO), BEGIN, "nap", "a")
                .build());
    }

    private static Scenario pass() {
        return one("pass", graph("g").pass("p").edge(BEGIN, "p").build());
    }

    private static Scenario hook() {
        Graph graph = graph("g").webHook("hook", "topic").edge(BEGIN, "hook").build();
        return Scenario.named("hook").start("w", graph, "in").signal("w", "topic", "1", "news").build();
    }

    private static Scenario signalOne() {
        Graph graph = path(graph("g").signalOne("tell", Data::self, "topic", say("news")).webHook("hook", "topic"),
                BEGIN, "tell", "hook").build();
        return one("signal to itself", graph);
    }

    private static Scenario signalAll() {
        return one("signal to all where nobody waits",
                graph("g").signalAll("tell", "topic", say("news")).edge(BEGIN, "tell").build());
    }

    private static Scenario cycle() {
        Graph graph = graph("g").pivot("p").input("p", say("0")).edge(BEGIN, "p")
                .cycle("again", "p", data -> Text.of(String.valueOf(round(data, "p") + 1)))
                .edge("p", "again", data -> round(data, "p") < 3)
                .result(data -> data.output("p")).build();
        return one("cycle", graph);
    }

    private static Scenario interruptSelf() {
        return one("interrupt self", path(workers(graph("g"), "a").interruptSelf("stop", data -> ENOUGH),
                BEGIN, "a", "stop").build());
    }

    private static Scenario interruptAnother() {
        Graph victim = graph("victim").webHook("hook", "never").edge(BEGIN, "hook").build();
        Graph graph = path(workers(graph("g"), "a").interruptAnother("stop", data -> data.other("v"), data -> ENOUGH),
                BEGIN, "stop", "a").build();
        return Scenario.named("interrupt another").start("v", victim, "").start("w", graph, "in").loose("v").build();
    }

    private static Scenario allTogether() {
        Graph victim = graph("victim").webHook("hook", "never").edge(BEGIN, "hook").build();
        Graph child = path(workers(graph("child"), "a"), BEGIN, "a").build();
        GraphBuilder graph = workers(graph("g"), "work", "last")
                .await("child", own(child), data -> data.output("work"), true)
                .sleep("nap", HOUR)
                .signalOne("tell", Data::self, "topic", data -> data.output("nap"))
                .webHook("hook", "topic")
                .signalAll("shout", "nobody", data -> data.output("hook"))
                .interruptAnother("stop", data -> data.other("v"), data -> ENOUGH)
                .pass("pass")
                .interruptSelf("end", data -> ENOUGH);
        path(graph, BEGIN, "pivot", "work", "child", "nap", "tell", "hook", "shout", "stop", "pass");
        Graph drawn = rounds(path(graph, "last", "end"), "pivot", "pass", "last", 2).build();
        return Scenario.named("all types together").knows(child).start("v", victim, "").start("w", drawn, "in")
                .loose("v").build();
    }
}
