package dev.pawl.store.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.store.Cutoffs;
import dev.pawl.engine.store.Lease;
import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.Swept;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.workflow.WorkflowRecord;
import dev.pawl.store.TestDatabase;
import dev.pawl.store.TestStores;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Effects, decisions and acceptances were added to what there was: who does not know them sees the same without them. */
@ParameterizedClass
@MethodSource("dev.pawl.store.TestStores#all")
class AdditiveRecordsTest {

    private static final Instant LATER = Instant.parse("2100-01-01T00:00:00Z");
    private static final List<String> ADDED = List.of("effect", "decision", "signal_acceptance");

    private final TestStores.Kind kind;
    private TestDatabase database;

    AdditiveRecordsTest(TestStores.Kind kind) {
        this.kind = kind;
    }

    @BeforeEach
    void populate() {
        database = kind.fresh();
        try (Store store = database.open()) {
            Population.settle(store);
        }
    }

    @AfterEach
    void close() {
        database.close();
    }

    /** Every list of workflows, signals, messages, operations and waits there is. */
    private static List<String> scans(Store store) {
        List<String> found = new ArrayList<>();
        Dump.of(store).lines().filter(line -> !line.startsWith("  effect ") && !line.startsWith("  decision "))
                .forEach(found::add);
        for (Lease lease : store.leases(Bench.NAMESPACE, Bench.GROUP)) {
            ShardId shard = lease.shard();
            found.add("tasks " + store.tasks(shard, null, 1_000));
            found.add("due " + store.due(shard, LATER, 1_000) + " next " + store.nextDue(shard));
            found.add("awake " + store.awake(shard, null, 1_000));
        }
        found.add("hooked " + store.hooked(Bench.NAMESPACE, Shop.TOPIC, null, 1_000));
        found.add("awaiting " + store.awaiting(Bench.NAMESPACE, Shop.TOPIC, null, 1_000));
        found.add("parked " + store.parked(Bench.NAMESPACE, null, 1_000));
        return found;
    }

    @Test
    void addedRecordsAreNoWorkflowsSignalsMessagesOrWaits() {
        List<String> with;
        try (Store store = database.open()) {
            with = scans(store);
        }
        ADDED.forEach(table -> {
            assertThat(database.count("select count(*) from " + table)).as(table).isPositive();
            database.execute("delete from " + table);
        });

        try (Store store = database.open()) {
            assertThat(scans(store)).isEqualTo(with).anyMatch(line -> line.startsWith("tasks [Waiting"));
        }
    }

    @Test
    void workflowsOfAWriterThatKnewNoneOfThemGoOnToTheirEnd() {
        ADDED.forEach(table -> database.execute("delete from " + table));

        try (Store store = database.open()) {
            assertThat(store.effects(Bench.key("charging"))).isEmpty();
            assertThat(store.decisions(Bench.key("charging"))).isEmpty();
            assertThat(store.unknownEffects(Bench.NAMESPACE, null, 10).items()).isEmpty();
            Bench.endLeases(store);
            Bench reader = new Bench("the reader", store);
            reader.clock.set(Instant.parse("2030-01-02T00:00:00Z"));
            reader.finish(Population.POISONED);
            assertThat(reader.open()).extracting(workflow -> workflow.key().workflowId())
                    .containsExactly(Population.POISONED);
            assertThat(Objects.requireNonNull(store.load(Bench.key("charging")).workflow()).status())
                    .isEqualTo(WorkflowStatus.COMPLETED);
        }
    }

    /** What belongs to something open stays, and so does what somebody may still ask for; everything else goes with its workflow. */
    @Test
    void sweepTakesOfThemWhatIsOverAndNothingElse() {
        try (Store store = database.open()) {
            List<String> open = new Bench("the reader", store).open().stream().map(WorkflowRecord::key)
                    .map(key -> key.workflowId()).toList();
            assertThat(open).contains("charging", "early");
            Swept swept = store.sweep(Bench.NAMESPACE, Cutoffs.all(LATER), LATER, 1_000);
            assertThat(swept.workflows()).isPositive();

            assertThat(store.effects(Bench.key("charging"))).hasSize(5);
            assertThat(store.decisions(Bench.key("charging"))).hasSize(1);
            assertThat(database.rows("select distinct workflow_id from signal_acceptance order by workflow_id"))
                    .isNotEmpty().isSubsetOf(open);
            assertThat(store.orphans(Bench.NAMESPACE)).isEmpty();

            Bench.endLeases(store);
            Bench reader = new Bench("the reader", store);
            reader.clock.set(Instant.parse("2030-01-02T00:00:00Z"));
            reader.finish(Population.POISONED);
            store.sweep(Bench.NAMESPACE, Cutoffs.all(LATER), LATER, 1_000);
        }
        ADDED.forEach(table -> assertThat(database.count("select count(*) from " + table)).as(table).isZero());
    }
}
