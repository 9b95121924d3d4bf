package dev.pawl.testkit.scenario;

import static dev.pawl.testkit.scenario.Parts.BEGIN;
import static dev.pawl.testkit.scenario.Parts.TIMEOUT;
import static dev.pawl.testkit.scenario.Parts.graph;
import static dev.pawl.testkit.scenario.Parts.path;
import static dev.pawl.testkit.scenario.Parts.round;
import static dev.pawl.testkit.scenario.Parts.workers;

import dev.pawl.engine.graph.Data;
import dev.pawl.engine.graph.Graph;
import dev.pawl.engine.graph.GraphBuilder;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import java.util.List;

/** Workers that fail, and functions that do. */
final class FailureScenarios {

    private FailureScenarios() {
    }

    static List<Scenario> all() {
        return List.of(failFast(), siblingsOpen(), errorEdge(), errorEdgeToAFailure(), manyErrorEdges(), retries(),
                condition(), input(), target(), result());
    }

    private static Scenario one(String name, GraphBuilder graph) {
        return Scenario.named(name).start("w", graph.build(), "in").build();
    }

    private static GraphBuilder broken(String name) {
        return graph("g").worker(name, Workers.BROKEN, TIMEOUT);
    }

    private static Scenario failFast() {
        return one("worker that fails", path(workers(broken("bad"), "a", "b"), BEGIN, "a", "bad", "b"));
    }

    private static Scenario siblingsOpen() {
        Graph graph = workers(broken("bad"), "a", "b").webHook("hook", "never").edge(BEGIN, "bad").edge(BEGIN, "a")
                .edge("a", "b").edge(BEGIN, "hook").build();
        return Scenario.named("worker that fails with siblings open").start("w", graph, "in").loose("w").build();
    }

    private static Scenario errorEdge() {
        return one("worker that fails, with an error edge",
                path(workers(broken("bad"), "a", "mend"), BEGIN, "bad", "a").onFailure("bad", "mend"));
    }

    private static Scenario errorEdgeToAFailure() {
        return one("worker that fails, and its error edge too",
                broken("bad").worker("worse", Workers.BROKEN, TIMEOUT).edge(BEGIN, "bad").onFailure("bad", "worse"));
    }

    private static Scenario manyErrorEdges() {
        return one("error edges that fan out and meet", workers(broken("bad"), "mend", "tell", "join")
                .input("join", Parts.all("mend", "tell")).edge(BEGIN, "bad").onFailure("bad", "mend")
                .onFailure("bad", "tell").edge("mend", "join").edge("tell", "join"));
    }

    /** The worker succeeds in the third round; the error edge cycles back until then. */
    private static Scenario retries() {
        GraphBuilder graph = path(workers(graph("g"), "work", "after").pivot("p"), BEGIN, "p", "work", "after")
                .input("p", data -> Text.of("0"))
                .cycle("again", "p", data -> Text.of(String.valueOf(round(data, "p") + 1))).onFailure("work", "again");
        return Scenario.named("error edge that cycles back").start("w", graph.build(), "in")
                .workers(FailureScenarios::thirdTimeLucky).build();
    }

    private static Response thirdTimeLucky(String queue, ActivityKey activity, Payload input) {
        boolean early = activity.activity().equals("work") && !Text.in(input).equals("2");
        return Workers.echo(early ? Workers.BROKEN : queue, activity, input);
    }

    private static Scenario condition() {
        return one("condition that fails", workers(graph("g"), "a", "b").edge(BEGIN, "a")
                .edge("a", "b", data -> Text.in(data.output()).charAt(1_000) == 'x'));
    }

    private static Scenario input() {
        return one("input that fails", path(workers(graph("g"), "a", "b"), BEGIN, "a", "b")
                .input("b", data -> Text.of(Text.in(data.output("a")).substring(1_000))));
    }

    private static Scenario target() {
        return one("target that fails", path(workers(graph("g"), "a")
                .signalOne("tell", Data::parent, "topic", Data::workflowInput), BEGIN, "a", "tell"));
    }

    private static Scenario result() {
        return one("result that fails", path(workers(graph("g"), "a", "b"), BEGIN, "a").edge(BEGIN, "b")
                .result(data -> Text.of(Text.in(data.output("a")).substring(1_000))));
    }
}
