package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.flow.Flow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Two engines on one server: whoever is asked answers, and whoever is left goes on. */
class ClusterTest {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int WORKFLOWS = 12;

    private final Flow<Integer, Integer> flow = Flow.named("sum", Integer.class, Integer.class, (context, start) -> {
        AtomicInteger sum = new AtomicInteger(start);
        context.onUpdate("add", Integer.class, Integer.class, sum::addAndGet);
        context.onQuery("sum", Object.class, Integer.class, none -> sum.get());
        context.signal("end", String.class);
        return context.step("result", Integer.class, sum::get);
    });

    private Pawl open(String url) {
        return Pawl.builder().url(url).shards(4).lease(Duration.ofSeconds(3), Duration.ofMillis(300))
                .definitions(flow).open();
    }

    @Test
    void updatesQueriesAndResultsReachWorkflowsOfAnotherEngine() {
        String url = Databases.all().filter(kind -> kind.name().equals("postgres")).findFirst().orElseThrow().fresh();
        try (Pawl here = open(url)) {
            List<WorkflowHandle<Integer>> handles = new ArrayList<>();
            try (Pawl there = open(url)) {
                for (int i = 0; i < WORKFLOWS; i++) {
                    handles.add(here.start(flow, "w" + i, i));
                }
                for (int i = 0; i < WORKFLOWS; i++) {
                    assertThat(handles.get(i).update("add", 100, Integer.class, "u", SOON)).isEqualTo(100 + i);
                    assertThat(there.workflow(flow, "w" + i).query("sum", null, Integer.class)).isEqualTo(100 + i);
                    there.workflow("w" + i).signal("early", "x", "s");
                }
                for (int i = 0; i < WORKFLOWS; i += 2) {
                    there.workflow("w" + i).signal("end", "now");
                    assertThat(handles.get(i).result(SOON)).isEqualTo(100 + i);
                }
            }
            for (int i = 1; i < WORKFLOWS; i += 2) {
                handles.get(i).signal("end", "now");
                assertThat(handles.get(i).result(SOON)).isEqualTo(100 + i);
            }
        }
    }
}
