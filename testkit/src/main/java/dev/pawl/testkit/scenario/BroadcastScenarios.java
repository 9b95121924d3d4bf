package dev.pawl.testkit.scenario;

import static dev.pawl.testkit.scenario.Parts.BEGIN;
import static dev.pawl.testkit.scenario.Parts.graph;
import static dev.pawl.testkit.scenario.Parts.path;
import static dev.pawl.testkit.scenario.Parts.say;
import static dev.pawl.testkit.scenario.Parts.workers;

import dev.pawl.engine.graph.Graph;
import java.util.List;

/**
 * Signals to everybody who waits. Who that is depends on timing, so every one of them is also signalled from outside, with
 * the same payload: it ends the same way whichever comes first.
 */
final class BroadcastScenarios {

    private static final String NEWS = "news";

    private BroadcastScenarios() {
    }

    static List<Scenario> all() {
        // More than fit one commit: the fan-out goes in chunks.
        return List.of(toWaiters(1), toWaiters(5), toWaiters(1_200), inACycle());
    }

    private static Scenario toWaiters(int count) {
        Graph shout = path(workers(graph("shout"), "a", "after").signalAll("tell", "topic", say(NEWS)),
                BEGIN, "a", "tell", "after").build();
        return waiters("signal to all of " + count, count).start("s", shout, "in").build();
    }

    private static Scenario inACycle() {
        Graph shout = Parts.rounds(path(workers(graph("shout"), "out").signalAll("tell", "topic", say(NEWS)),
                BEGIN, "p", "tell"), "p", "tell", "out", 3).build();
        return waiters("signal to all in every round", 3).start("s", shout, "in").build();
    }

    private static ScenarioBuilder waiters(String name, int count) {
        Graph waiter = path(graph("waiter").webHook("hook", "topic").pass("after"), BEGIN, "hook", "after").build();
        ScenarioBuilder scenario = Scenario.named(name);
        for (int i = 0; i < count; i++) {
            scenario.start("waiter-" + i, waiter, "").lateSignal("waiter-" + i, "topic", "1", NEWS);
        }
        return scenario;
    }
}
