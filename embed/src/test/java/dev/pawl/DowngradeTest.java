package dev.pawl;

import static dev.pawl.FlowTest.SOON;
import static dev.pawl.FlowTest.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.EngineSettings;
import dev.pawl.engine.flow.Flow;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.workflow.Snapshot;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An older version on a database whose shards a newer one has owned: this version is the older one. */
class DowngradeTest {

    private static final int NEWER = EngineSettings.FORMAT + 1;

    private final AtomicInteger runs = new AtomicInteger();
    private final Flow<String, String> flow = Flow.named("order", String.class, String.class, (context, input) -> {
        runs.incrementAndGet();
        return input + " " + context.signal("go", String.class);
    });

    private Pawl open(String url) {
        return Pawl.builder().url(url).shards(1).definitions(flow).open();
    }

    private static void format(String url, int format) {
        Lifetime.execute(url, "update " + Lifetime.table(url, "shard") + " set format = " + format);
    }

    /** It runs no code and writes nothing; a signal that is sent meanwhile waits. Forced by an operator, it goes on. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void olderEngineStandsStillAndSaysWhyUntilAnOperatorForcesIt(Databases.Kind kind) throws Exception {
        String url = kind.fresh();
        try (Pawl pawl = open(url)) {
            pawl.start(flow, "w", "order");
            await(() -> runs.get() == 1 && pawl.workflow("w").operations().stream()
                    .anyMatch(each -> each.key().activity().equals("go")));
        }
        format(url, NEWER);
        try (Pawl older = open(url)) {
            Snapshot before = snapshot(older);
            await(() -> older.health().state() != Health.State.UP);
            assertThat(older.health().reasons()).anySatisfy(reason -> assertThat(reason).contains("format " + NEWER)
                    .contains("formats up to " + EngineSettings.FORMAT).contains("newer version"));
            older.workflow("w").signal("go", "on", "s-1");
            assertThat(older.health().shards()).extracting(Health.Shard::standing)
                    .containsExactly(Health.Standing.FREE);
            assertThat(snapshot(older)).isEqualTo(before);
        }
        assertThat(runs).as("its code was not run").hasValue(1);
        format(url, EngineSettings.FORMAT);
        try (Pawl forced = open(url)) {
            assertThat(forced.workflow(flow, "w").result(SOON)).isEqualTo("order on");
        }
    }

    private static Snapshot snapshot(Pawl pawl) {
        return pawl.store().load(new WorkflowKey("default", "w"));
    }
}
