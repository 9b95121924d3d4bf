package dev.pawl.lab.torture;

import dev.pawl.engine.graph.Child;
import dev.pawl.engine.graph.Data;
import dev.pawl.engine.graph.Graph;
import dev.pawl.engine.graph.GraphBuilder;
import dev.pawl.kernel.id.Recipient;
import dev.pawl.kernel.message.Ending;
import dev.pawl.kernel.message.Payload;
import dev.pawl.testkit.scenario.Text;
import dev.pawl.testkit.scenario.Workers;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What is run under torture: every kind of activity, quick enough that a second holds many of them, and with ids made from
 * the workflow's own, so that any number of them live side by side.
 */
final class Graphs {

    static final String BEGIN = "begin";
    static final String QUEUE = "queue";
    static final String APPROVAL = "approval";
    static final String PAIR = "pair";
    static final String NEVER = "never";
    static final String HERD_TOPIC = "herd";
    static final String NEWS = "news";
    static final Ending ENOUGH = Ending.interrupted("enough", false);

    /** Short, so that what a killed engine had handed out is handed out again soon. */
    private static final Duration TIMEOUT = Duration.ofMillis(700);

    static final Graph ORDER = path(workers(named("order"), "pay", "ship").sleep("nap", Graphs::nap),
            BEGIN, "pay", "nap", "ship").build();
    static final Graph FAN = fan();
    static final Graph LOOP = rounds(path(workers(named("loop"), "work", "out").sleep("nap", Graphs::nap),
            BEGIN, "p", "work", "nap"), "p", "nap", "out", 3).build();
    static final Graph NESTED = nested();
    static final Graph KID = path(workers(named("kid"), "a", "b"), BEGIN, "a", "b").build();
    static final Graph FAMILY = family();
    static final Graph TREE = tree();
    static final Graph APPROVED = path(workers(named("approved"), "ask", "book").webHook("hook", APPROVAL),
            BEGIN, "ask", "hook", "book").build();
    /** Two hooks, two signals: one that counted twice would show in the result, whichever came first. */
    static final Graph PAIRED = path(workers(named("paired"), "after").webHook("h1", PAIR).webHook("h2", PAIR),
            BEGIN, "h1", "h2", "after")
            .result(data -> Text.of(Stream.of("h1", "h2").map(hook -> Text.in(data.output(hook))).sorted()
                    .collect(Collectors.joining("+"))))
            .build();
    static final Graph ECHO = path(named("echo").webHook("hook", "there").signalOne("tell", partner("ping"), "back",
            data -> Text.of(Text.in(data.output("hook")) + "!")), BEGIN, "hook", "tell").build();
    static final Graph PING = path(named("ping").signalOne("tell", partner("echo"), "there", Data::workflowInput)
            .webHook("hook", "back"), BEGIN, "tell", "hook").build();
    static final Graph WAITING = path(named("waiting").webHook("hook", NEVER), BEGIN, "hook").build();
    static final Graph STOPPER = path(workers(named("stopper"), "a").interruptAnother("stop", partner("waiting"),
            data -> ENOUGH), BEGIN, "stop", "a").build();
    static final Graph ENDING = path(workers(named("ending"), "a")
            .await("child", own(WAITING), Data::workflowInput, false)
            .interruptSelf("end", data -> Ending.interrupted("enough for all", true)), BEGIN, "a", "child", "end")
            .build();
    static final Graph MENDED = path(workers(named("mended"), "fine", "mend").worker("try", Workers.BROKEN, TIMEOUT),
            BEGIN, "try", "fine").onFailure("try", "mend").build();
    static final Graph FAILING = named("failing").worker("try", Workers.BROKEN, TIMEOUT).edge(BEGIN, "try").build();
    static final Graph BULK = path(workers(named("bulk"), "work").pass("one").pass("two"), BEGIN, "one", "two", "work")
            .build();
    static final Graph HERD = path(named("herd").webHook("hook", HERD_TOPIC).pass("after"), BEGIN, "hook", "after")
            .build();
    static final Graph SHOUT = path(workers(named("shout"), "a").signalAll("tell", HERD_TOPIC, data -> Text.of(NEWS)),
            BEGIN, "a", "tell").build();
    static final Graph EVERYTHING = everything();

    static final List<Graph> ALL = List.of(ORDER, FAN, LOOP, NESTED, KID, FAMILY, TREE, APPROVED, PAIRED, ECHO, PING,
            WAITING, STOPPER, ENDING, MENDED, FAILING, BULK, HERD, SHOUT, EVERYTHING);

    private Graphs() {
    }

    /** The workflow of another definition in the same scenario. */
    static String partner(String workflowId, String other) {
        return workflowId.substring(0, workflowId.indexOf('-') + 1) + other;
    }

    private static Function<Data, Recipient> partner(String other) {
        return data -> data.other(partner(data.self().workflow().workflowId(), other));
    }

    private static GraphBuilder named(String name) {
        return Graph.named(name, "1").trigger(BEGIN);
    }

    private static GraphBuilder workers(GraphBuilder graph, String... nodes) {
        Stream.of(nodes).forEach(node -> graph.worker(node, QUEUE, TIMEOUT));
        return graph;
    }

    private static GraphBuilder path(GraphBuilder graph, String... nodes) {
        for (int i = 1; i < nodes.length; i++) {
            graph.edge(nodes[i - 1], nodes[i]);
        }
        return graph;
    }

    private static Duration nap(Data data) {
        return Duration.ofMillis(Math.floorMod(Text.in(data.workflowInput()).hashCode(), 120));
    }

    private static Child own(Graph definition) {
        return Child.of(definition, Graphs::ownId);
    }

    private static Recipient ownId(Data data) {
        String place = data.activity().activity() + data.activity().address().drawing().replace(',', '.');
        return data.other(data.self().workflow().workflowId() + "-" + place);
    }

    private static Function<Data, Payload> all(String... nodes) {
        return data -> Text.of(
                Stream.of(nodes).map(node -> Text.in(data.output(node))).collect(Collectors.joining("+")));
    }

    /** A pivot, and from the last node of its rounds either a cycle back or an edge out. */
    private static GraphBuilder rounds(GraphBuilder graph, String pivot, String last, String out, int count) {
        return graph.pivot(pivot).input(pivot, data -> Text.of("0"))
                .cycle(pivot + "-again", pivot, data -> Text.of(String.valueOf(round(data, pivot) + 1)))
                .edge(last, pivot + "-again", data -> round(data, pivot) < count - 1)
                .edge(last, out, data -> round(data, pivot) == count - 1);
    }

    private static int round(Data data, String pivot) {
        return Integer.parseInt(Text.in(data.output(pivot)));
    }

    private static Graph fan() {
        GraphBuilder graph = workers(named("fan"), "join", "after").input("join", all("a", "b", "c", "d"));
        for (String branch : List.of("a", "b", "c", "d")) {
            workers(graph, branch).edge(BEGIN, branch).edge(branch, "join");
        }
        return graph.edge("join", "after").build();
    }

    private static Graph nested() {
        GraphBuilder graph = workers(named("nested"), "work", "between", "side", "join", "out");
        path(graph.input("join", all("work", "between", "side")), BEGIN, "p", "q", "work");
        path(graph, "p", "side", "join");
        return rounds(rounds(graph.edge("between", "join"), "q", "work", "between", 2), "p", "join", "out", 2).build();
    }

    private static Graph family() {
        return workers(named("family"), "join").input("join", all("one", "two"))
                .await("one", own(KID), Data::workflowInput, true)
                .await("two", own(KID), Data::workflowInput, true)
                .await("loose", own(KID), Data::workflowInput, false)
                .edge(BEGIN, "one").edge(BEGIN, "two").edge(BEGIN, "loose").edge("one", "join").edge("two", "join")
                .build();
    }

    /** Starts itself, once less deep each time. */
    private static Graph tree() {
        Child itself = new Child(Graphs::ownId, "tree", "1", BEGIN);
        Function<Data, Payload> shorter = data -> Text.of(Text.in(data.workflowInput()).substring(1));
        return workers(named("tree"), "leaf")
                .await("left", itself, shorter, true).await("right", itself, shorter, true)
                .edge(BEGIN, "left", data -> data.workflowInput().size() > 0)
                .edge(BEGIN, "right", data -> data.workflowInput().size() > 0)
                .edge(BEGIN, "leaf", data -> data.workflowInput().size() == 0).build();
    }

    private static Graph everything() {
        GraphBuilder graph = workers(named("everything"), "work", "last")
                .await("child", own(KID), data -> data.output("work"), true)
                .sleep("nap", Graphs::nap)
                .signalOne("tell", Data::self, "self", data -> data.output("nap"))
                .webHook("hook", "self")
                .interruptAnother("stop", partner("waiting"), data -> ENOUGH)
                .pass("pass");
        path(graph, BEGIN, "p", "work", "child", "nap", "tell", "hook", "stop", "pass");
        return rounds(graph, "p", "pass", "last", 2).build();
    }
}
