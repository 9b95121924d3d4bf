package dev.pawl;

import static dev.pawl.FlowTest.SOON;
import static dev.pawl.FlowTest.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.Store;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What an operator has to hear of is logged once, with what to do, and counted; also across a restart of the program. */
class LogOnceTest {

    private static final Duration TTL = Duration.ofMillis(1_500);

    private final Flow<String, String> patient = Flow.named("patient", String.class, String.class,
            (context, input) -> context.signal("go", String.class));

    private static PawlBuilder builder(Flow<?, ?>... flows) {
        return Pawl.builder().shards(1).lease(TTL, TTL.dividedBy(3)).shutdownHook(false).definitions(flows);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void leaseOfADeadProcessIsNamedWithItsEnd(Databases.Kind kind) {
        Store store = Lifetime.store(kind.fresh());
        store.createShards("default", "default", 1);
        store.claim(new ShardId("default", "default", 0), "dead-1", TTL, 1);
        Instant before = Instant.ofEpochMilli(System.currentTimeMillis());
        try (LogCapture log = new LogCapture(); Pawl pawl = builder(patient).store(store).open()) {
            pawl.start(patient, "w", "").signal("go", "on", "1");
            assertThat(pawl.workflow(patient, "w").result(SOON)).isEqualTo("on");

            List<String> waits = log.at(Level.INFO, "waits for shards of group default");
            assertThat(waits).hasSize(1);
            assertThat(waits.getFirst()).contains("1 of them are leased by [dead-1]");
            Matcher until = Pattern.compile("as things stand at (\\S+)").matcher(waits.getFirst());
            assertThat(until.find()).isTrue();
            assertThat(Instant.parse(until.group(1))).isBetween(before, before.plus(TTL).plusSeconds(30));
            assertThat(pawl.counters()).containsEntry("LeasesAwaitedTotal", 1L);
            assertThat(log.at(Level.INFO, "has taken over 1 shards of group default after an unclean end of [dead-1]"))
                    .hasSize(1);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void workflowOfAVersionThatNoEngineHasIsACase(Databases.Kind kind) throws Exception {
        String url = kind.fresh();
        Flow<String, String> second = patient.version("2");
        try (Pawl pawl = builder(second).url(url).open()) {
            pawl.start(second, "w", "");
        }
        try (LogCapture log = new LogCapture(); Pawl pawl = builder(patient).url(url).open()) {
            pawl.workflow("w").signal("go", "on", "1");
            await(() -> pawl.workflow("w").status() == WorkflowStatus.PARKED);
            assertThat(pawl.attention().list(null, 10).items()).singleElement().satisfies(found -> {
                assertThat(found).isInstanceOf(Case.MissingDefinition.class);
                assertThat(found.evidence().message()).contains("has patient in version 2; start one");
            });
            assertThat(log.at(Level.WARNING, "definition patient version 2 is not registered here")).hasSize(1);
            assertThat(pawl.counters()).containsEntry("DefinitionsMissingTotal", 1L);
        }
        try (Pawl pawl = builder(patient, second).url(url).open()) {
            assertThat(pawl.workflow(second, "w").result(SOON)).isEqualTo("on");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void failedCompensationIsLoggedOnceAndCounted(Databases.Kind kind) throws Exception {
        String url = kind.fresh();
        AtomicInteger runs = new AtomicInteger();
        Flow<String, String> saga = Flow.named("saga", String.class, String.class, (context, input) -> {
            context.onRollback("last", () -> runs.incrementAndGet());
            context.onRollback("refund", () -> {
                throw new IllegalStateException("bank closed");
            });
            throw new IllegalStateException("no seats");
        });
        try (LogCapture log = new LogCapture();
                Lifetime first = new Lifetime(url, saga).cutBefore(Lifetime.ends("~undo:last~u1"))) {
            first.pawl.start(saga, "w", "");
            first.awaitCut();
            assertThat(log.at(Level.SEVERE, "has failed for good")).hasSize(1).first().asString()
                    .contains("default/w", "bank closed", "by hand");
            assertThat(first.pawl.counters()).containsEntry("CompensationsFailedTotal", 1L);
        }
        try (LogCapture log = new LogCapture(); Lifetime second = new Lifetime(url, saga)) {
            assertThatThrownBy(() -> second.pawl.workflow(saga, "w").result(SOON)).hasMessageContaining("no seats");
            assertThat(runs.get()).isPositive();
            assertThat(log.at(Level.SEVERE, "has failed for good")).isEmpty();
            assertThat(second.pawl.counters()).containsEntry("CompensationsFailedTotal", 0L);
            assertThat(second.pawl.attention().list(null, 10).items()).singleElement()
                    .isInstanceOf(Case.FailedCompensation.class);
        }
    }
}
