package dev.pawl.testkit.scenario;

import static dev.pawl.testkit.scenario.Parts.BEGIN;
import static dev.pawl.testkit.scenario.Parts.ENOUGH;
import static dev.pawl.testkit.scenario.Parts.called;
import static dev.pawl.testkit.scenario.Parts.graph;
import static dev.pawl.testkit.scenario.Parts.own;
import static dev.pawl.testkit.scenario.Parts.path;
import static dev.pawl.testkit.scenario.Parts.say;
import static dev.pawl.testkit.scenario.Parts.workers;

import dev.pawl.engine.graph.Data;
import dev.pawl.engine.graph.Graph;
import dev.pawl.engine.graph.GraphBuilder;
import dev.pawl.kernel.message.Response;
import dev.pawl.testkit.scenario.Stimulus.Moment;
import java.time.Duration;
import java.util.List;

/** Signals to one hook: early, late, twice, from outside and from other workflows. */
final class SignalScenarios {

    private static final Graph HOOK = path(graph("hook").webHook("hook", "topic").pass("after"),
            BEGIN, "hook", "after").build();

    private SignalScenarios() {
    }

    static List<Scenario> all() {
        return List.of(beforeTheHook(), afterTheHook(), hooksByTopic(), hooksOfOneTopic(), hooksInARow(), twice(),
                failure(), toAChild(), toTheParent(), toAnother(), toAClosedChild(), toNobody(), thereAndBack());
    }

    private static Scenario beforeTheHook() {
        Graph graph = path(workers(graph("g"), "a").sleep("nap", Duration.ofHours(1)).webHook("hook", "topic"),
                BEGIN, "a", "nap", "hook").build();
        return Scenario.named("signal before the hook").start("w", graph, "in").signal("w", "topic", "1", "early")
                .build();
    }

    private static Scenario afterTheHook() {
        return Scenario.named("signal after the hook").start("w", HOOK, "in").lateSignal("w", "topic", "1", "late")
                .build();
    }

    private static Scenario hooksByTopic() {
        Graph graph = workers(graph("g"), "join").input("join", Parts.all("h1", "h2", "h3"))
                .webHook("h1", "t1").webHook("h2", "t2").webHook("h3", "t3")
                .edge(BEGIN, "h1").edge(BEGIN, "h2").edge(BEGIN, "h3")
                .edge("h1", "join").edge("h2", "join").edge("h3", "join").build();
        return Scenario.named("signals to hooks of several topics").start("w", graph, "in")
                .signal("w", "t3", "1", "three").lateSignal("w", "t1", "1", "one").signal("w", "t2", "1", "two")
                .build();
    }

    private static Scenario hooksOfOneTopic() {
        GraphBuilder graph = graph("g");
        ScenarioBuilder scenario = Scenario.named("signals to hooks of one topic");
        for (int i = 0; i < 5; i++) {
            graph.webHook("h" + i, "topic").edge(BEGIN, "h" + i);
            scenario.signal("w", "topic", "id" + i, new Response.Final(Text.of("same")),
                    i < 2 ? Moment.AT_ONCE : Moment.WHEN_IDLE);
        }
        return scenario.start("w", graph.build(), "in").build();
    }

    /** The ids differ in case alone: whoever takes them for the same leaves a hook waiting. */
    private static Scenario hooksInARow() {
        Graph graph = path(graph("g").webHook("h1", "topic").webHook("h2", "topic").webHook("h3", "topic"),
                BEGIN, "h1", "h2", "h3").build();
        return Scenario.named("signals to hooks in a row").start("w", graph, "in").signal("w", "topic", "id", "same")
                .signal("w", "topic", "ID", "same").lateSignal("w", "topic", "Id", "same").build();
    }

    /** The second hook would take the signal if it counted twice; so it is the interrupt that ends this one. */
    private static Scenario twice() {
        Graph graph = path(graph("g").webHook("h1", "topic").webHook("h2", "topic"), BEGIN, "h1", "h2").build();
        return Scenario.named("signal sent twice").start("w", graph, "in").signal("w", "topic", "1", "same")
                .signal("w", "topic", "1", "same").lateSignal("w", "topic", "1", "same")
                .interrupt("w", ENOUGH, Moment.WHEN_IDLE).loose("w").build();
    }

    private static Scenario failure() {
        Graph graph = path(workers(graph("g"), "fine", "mend").webHook("hook", "topic"), BEGIN, "hook", "fine")
                .onFailure("hook", "mend").build();
        return Scenario.named("signal that is a failure").start("w", graph, "in")
                .signal("w", "topic", "1", new Response.Failure(Text.of("refused")), Moment.AT_ONCE).build();
    }

    private static Scenario toAChild() {
        Graph graph = path(graph("g").await("child", called(HOOK, "c"), Data::workflowInput, false)
                .signalOne("tell", data -> data.other("c"), "topic", say("news")), BEGIN, "child", "tell").build();
        return Scenario.named("signal to a child").knows(HOOK).start("w", graph, "in").build();
    }

    private static Scenario toTheParent() {
        Graph child = graph("child").signalOne("tell", Data::parent, "topic", data -> data.workflowInput())
                .edge(BEGIN, "tell").build();
        Graph graph = graph("g").await("child", own(child), say("from below"), true).webHook("hook", "topic")
                .edge(BEGIN, "child").edge(BEGIN, "hook").build();
        return Scenario.named("signal to the parent").knows(child).start("w", graph, "in").build();
    }

    private static Scenario toAnother() {
        Graph graph = path(workers(graph("g"), "a").signalOne("tell", data -> data.other("h"), "topic",
                data -> data.output("a")), BEGIN, "a", "tell").build();
        return Scenario.named("signal to another workflow").start("h", HOOK, "").start("w", graph, "in").build();
    }

    private static Scenario toAClosedChild() {
        Graph child = path(workers(graph("child"), "a"), BEGIN, "a").build();
        Graph graph = path(workers(graph("g"), "after").await("child", called(child, "c"), Data::workflowInput, true)
                .signalOne("tell", data -> data.other("c"), "topic", say("late")), BEGIN, "child", "tell", "after")
                .build();
        return Scenario.named("signal to a closed child").knows(child).start("w", graph, "in").build();
    }

    private static Scenario toNobody() {
        Graph graph = path(workers(graph("g"), "after").signalOne("tell", data -> data.other("nobody"), "topic",
                say("hello?")), BEGIN, "tell", "after").build();
        return Scenario.named("signal to a workflow that never was").start("w", graph, "in").build();
    }

    private static Scenario thereAndBack() {
        Graph echo = path(graph("echo").webHook("hook", "there")
                .signalOne("tell", data -> data.other("w"), "back",
                        data -> Text.of(Text.in(data.output("hook")) + "!")),
                BEGIN, "hook", "tell").build();
        Graph graph = path(graph("g").signalOne("tell", data -> data.other("e"), "there", say("hello"))
                .webHook("hook", "back"), BEGIN, "tell", "hook").build();
        return Scenario.named("signal there and back").start("e", echo, "").start("w", graph, "in").build();
    }
}
