package dev.pawl.store.format;

import dev.pawl.engine.Definition;
import dev.pawl.engine.graph.Child;
import dev.pawl.engine.graph.Data;
import dev.pawl.engine.graph.Graph;
import dev.pawl.testkit.scenario.Text;
import java.time.Duration;
import java.util.List;

/** The definitions of the format tests. Golden files hold workflows of them: they may be added to, but not changed. */
final class Shop {

    static final String TOPIC = "approved";
    static final String BROKEN = "broken";

    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    private static final Graph CHECKOUT = Graph.named("checkout", "1").trigger("begin")
            .worker("charge", "cards", TIMEOUT).webHook("approval", TOPIC).sleep("nap", Duration.ofHours(1))
            .pass("done")
            .edge("begin", "charge").edge("charge", "approval").edge("approval", "nap").edge("nap", "done").build();

    private static final Graph FAN = Graph.named("fan", "1").trigger("begin")
            .worker("left", "left", TIMEOUT).worker("right", "right", TIMEOUT).pass("meet")
            .edge("begin", "left").edge("begin", "right").edge("left", "meet").edge("right", "meet").build();

    private static final Graph PARENT = Graph.named("parent", "1").trigger("begin")
            .await("kid", Child.of(CHECKOUT, data -> data.other(data.self().workflow().workflowId() + "-kid")),
                    data -> Text.of("pocket money"), true)
            .edge("begin", "kid").build();

    private static final Graph LOOP = Graph.named("loop", "1").trigger("begin").pivot("pivot")
            .input("pivot", data -> Text.of("0")).worker("work", "round", TIMEOUT).pass("out")
            .cycle("again", "pivot", data -> Text.of(String.valueOf(round(data) + 1)))
            .edge("begin", "pivot").edge("pivot", "work")
            .edge("work", "again", data -> round(data) < 2).edge("work", "out", data -> round(data) == 2).build();

    private static final Graph FAILING = Graph.named("failing", "1").trigger("begin").worker("try", BROKEN, TIMEOUT)
            .edge("begin", "try").build();

    private Shop() {
    }

    private static int round(Data data) {
        return Integer.parseInt(Text.in(data.output("pivot")));
    }

    static List<Definition> definitions() {
        return List.of(CHECKOUT, FAN, PARENT, LOOP, FAILING);
    }
}
