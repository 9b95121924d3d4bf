package dev.pawl.store.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.EngineSettings;
import dev.pawl.engine.store.Claim;
import dev.pawl.engine.store.Commit;
import dev.pawl.engine.store.Cutoffs;
import dev.pawl.engine.store.Fence;
import dev.pawl.engine.store.Lease;
import dev.pawl.engine.store.Presence;
import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.SignalResult;
import dev.pawl.engine.store.StaleOwner;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.StoreException;
import dev.pawl.engine.store.Waiting;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Overlay;
import dev.pawl.kernel.collation.Collation;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.store.TestDatabase;
import dev.pawl.store.TestStores;
import dev.pawl.testkit.simulate.Invariants;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Which version may open, read and write what: the rolling-upgrade matrix, row by row. */
@Execution(ExecutionMode.CONCURRENT)
@ParameterizedClass
@MethodSource("dev.pawl.store.TestStores#all")
class RollingUpgradeTest {

    private static final int NEWER = EngineSettings.FORMAT + 1;
    private static final Instant LATER = Instant.parse("2100-01-01T00:00:00Z");

    private final TestStores.Kind kind;
    private TestDatabase database;

    RollingUpgradeTest(TestStores.Kind kind) {
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

    /** Whoever reads takes over and brings everything to its end. */
    private static void finish(Store store) {
        Bench.endLeases(store);
        Bench reader = new Bench("the reader", store);
        reader.clock.set(Instant.parse("2030-01-02T00:00:00Z"));
        reader.finish(Population.POISONED);

        assertThat(reader.open()).extracting(workflow -> workflow.key().workflowId())
                .containsExactly(Population.POISONED);
        assertThat(Invariants.violations(store, reader.all())).isEmpty();
        assertThat(status(store, "failed")).isEqualTo(WorkflowStatus.FAILED);
        assertThat(status(store, "interrupted")).isEqualTo(WorkflowStatus.INTERRUPTED);
        for (String id : List.of("completed", "looping", "half-joined", "early", "cut", "unread", "parent")) {
            assertThat(status(store, id)).as(id).isEqualTo(WorkflowStatus.COMPLETED);
        }
    }

    private static WorkflowStatus status(Store store, String id) {
        return Objects.requireNonNull(store.load(Bench.key(id)).workflow()).status();
    }

    // New writer, new reader.

    @Test
    void whatThisVersionWritesItReadsAndBringsToAnEnd() {
        String written;
        try (Store store = database.open()) {
            written = Dump.of(store);
        }
        try (Store store = database.open()) {
            assertThat(Dump.of(store)).isEqualTo(written);
            finish(store);
        }
    }

    @Test
    void everyTableSaysTheFormatOfItsRowsAndThisVersionWritesItsOwn() {
        database.schema().forEach((table, columns) -> {
            if (table.equals("store_format")) {
                assertThat(columns).contains("engine_format_min");
            } else {
                assertThat(columns).as(table).contains("format");
                assertThat(database.rows("select distinct format from " + table)).as(table)
                        .containsExactly(String.valueOf(EngineSettings.FORMAT));
            }
        });
    }

    // Old writer, new reader.

    @Test
    void recordsThatAreMissingMeanWhatTheyMeantBeforeThereWereAny() {
        database.execute("delete from signal_acceptance");
        database.execute("delete from engine");
        database.execute("delete from effect");
        database.execute("delete from decision");
        try (Store store = database.open()) {
            Bench bench = new Bench("the reader", store);

            assertThat(store.signal(bench.request("early", "s-1"))).as("kept").isEqualTo(
                    new SignalResult.Indeterminate());
            assertThat(store.signal(bench.request("sleeping", "s-1"))).as("applied").isEqualTo(
                    new SignalResult.Indeterminate());
            assertThat(store.signal(bench.request("completed", "s-1"))).isEqualTo(new SignalResult.WorkflowClosed());
            assertThat(store.signal(bench.request("charging", "s-1"))).isInstanceOf(SignalResult.Accepted.class);
            assertThat(store.renewAll(Bench.NAMESPACE, Bench.GROUP, "the reader", Duration.ofDays(1), true))
                    .extracting(Presence::owner).containsExactly("the reader");
            finish(store);
        }
    }

    // New writer, old reader: this version is the old one.

    private void newerVersionAdds() {
        database.flyway().locations("classpath:dev/pawl/store/migration/" + database.dialect(),
                "classpath:dev/pawl/store/future").table("pawl_history").baselineOnMigrate(true).baselineVersion("0")
                .loggers("slf4j").load().migrate();
        for (String table : database.schema().keySet()) {
            if (table.equals("shard") || table.equals("store_format")) {
                database.execute("update " + table + " set future = 'kept'");
            } else if (!table.equals("future_record")) {
                database.execute("update " + table + " set future = 'kept', format = " + NEWER);
            }
        }
        database.execute("insert into future_record (namespace, workflow_id, note)"
                + " select namespace, workflow_id, 'kept' from workflow");
    }

    @Test
    void whatANewerVersionAddsIsNotSeenAndNotTouched() {
        String written;
        try (Store store = database.open()) {
            written = Dump.of(store);
        }
        newerVersionAdds();
        long records = database.count("select count(*) from future_record where note = 'kept' and format = " + NEWER);
        List<String> lasting = List.of("workflow", "join_gate", "event", "given_up", "signal_acceptance", "effect");
        List<Long> before = lasting.stream().map(this::newer).toList();

        try (Store store = database.open()) {
            assertThat(Dump.of(store)).isEqualTo(written);
            finish(store);
        }

        assertThat(lasting.stream().map(this::newer).toList()).isEqualTo(before).doesNotContain(0L);
        assertThat(database.count("select count(*) from future_record where note = 'kept' and format = " + NEWER))
                .isEqualTo(records).isPositive();
        assertThat(database.rows("select distinct future from shard")).containsExactly("kept");
        assertThat(database.rows("select future from store_format")).containsExactly("kept");
    }

    private long newer(String table) {
        return database.count("select count(*) from " + table + " where future = 'kept' and format = " + NEWER);
    }

    @Test
    void messageOfAKindThatOnlyANewerVersionKnowsWaitsForItAndStopsNobody() {
        database.execute("insert into inbox (namespace, shard_no, workflow_id, kind, guid, payload, details, format)"
                + " select namespace, shard_no, workflow_id, 'UPDATE', parent_answer, output, '{}', " + NEWER
                + " from workflow where workflow_id = 'parent-kid'");
        database.execute("update inbox set format = " + NEWER
                + ", details = replace(details, '{', '{\"future\":{\"a\":[1]},') where kind = 'START'");
        assertThat(database.count("select count(*) from inbox where details like '%future%'")).isPositive();

        try (Store store = database.open()) {
            finish(store);
            assertThat(store.sweep(Bench.NAMESPACE, Cutoffs.all(LATER), LATER, 1_000).workflows()).isPositive();
            assertThat(store.load(Bench.key("parent-kid"))).as("a message is on its way to it")
                    .isNotEqualTo(Snapshot.ABSENT);
        }
        assertThat(database.rows("select kind, workflow_id from inbox")).containsExactly("UPDATE|parent-kid");
    }

    @Test
    void sweepLeavesWhatANewerVersionHasWrittenToThatOne() {
        database.execute("update workflow set format = " + NEWER + " where workflow_id = 'failed'");
        database.execute("update signal_acceptance set format = " + NEWER + " where workflow_id = 'completed'");
        try (Store store = database.open()) {
            finish(store);
            long closed = store.sweepable(Bench.NAMESPACE, Cutoffs.all(LATER), LATER).workflows();

            assertThat(store.sweep(Bench.NAMESPACE, Cutoffs.all(LATER), LATER, 1_000).workflows()).isEqualTo(closed)
                    .isPositive();
            assertThat(store.sweep(Bench.NAMESPACE, Cutoffs.all(LATER), LATER, 1_000).isNothing()).isTrue();
        }
        assertThat(database.rows("select workflow_id from workflow order by workflow_id"))
                .containsExactly("completed", "failed", Population.POISONED);
        assertThat(database.rows("select workflow_id from signal_acceptance")).containsExactly("completed");
        assertNoOrphans();
    }

    /** Every row that belongs to a workflow has one; what was given up and who owns what does not depend on any. */
    private void assertNoOrphans() {
        for (String table : List.of("waiting", "join_gate", "message", "event", "effect")) {
            assertThat(database.count("select count(*) from " + table + " r where not exists (select 1 from workflow w"
                    + " where w.workflow_no = r.workflow_no)")).as(table).isZero();
        }
        assertThat(database.count("select count(*) from given_up")).isEqualTo(1);
    }

    // Downgrade.

    @Test
    void databaseOfTheTimeBeforeTheJournalIsRefusedAndNotTouched() {
        database.execute("update pawl_history set version = '9' where version is not null and version <> '0'");
        List<String> history = database.rows("select version, script from pawl_history order by installed_rank");

        assertThatThrownBy(() -> database.open().close()).isInstanceOf(StoreException.Unavailable.class)
                .hasMessageContaining("was written by a preliminary version of Pawl")
                .hasMessageContaining("Use a new database");
        assertThat(database.rows("select version, script from pawl_history order by installed_rank"))
                .isEqualTo(history);
    }

    @Test
    void databaseThatAsksForANewerEngineIsNotOpened() {
        List<String> shards = database.rows("select * from shard");
        database.execute("update store_format set engine_format_min = " + NEWER);

        assertThatThrownBy(() -> database.open().close()).isInstanceOf(StoreException.Unavailable.class)
                .hasMessageContaining("was written by a newer version, for engines of format " + NEWER)
                .hasMessageContaining("this one has format " + EngineSettings.FORMAT)
                .hasMessageContaining("Use that version or a later one");

        assertThat(database.rows("select * from shard")).isEqualTo(shards);
        database.execute("update store_format set engine_format_min = " + EngineSettings.FORMAT);
        try (Store store = database.open()) {
            finish(store);
        }
    }

    @Test
    void shardThatANewerEngineHasOwnedIsNotClaimedAndNothingIsChanged() {
        try (Store store = database.open()) {
            Bench.endLeases(store);
            database.execute("update shard set format = " + NEWER);
            String before = Dump.of(store);
            ShardId shard = new ShardId(Bench.NAMESPACE, Bench.GROUP, 0);

            assertThat(store.claim(shard, "the old one", Duration.ofDays(1), EngineSettings.FORMAT))
                    .isEqualTo(new Claim.FormatTooNew(NEWER));
            Bench old = new Bench("the old one", store);
            old.run();
            assertThat(old.engine.shards()).isEmpty();
            assertThat(Dump.of(store)).isEqualTo(before);
            assertThat(store.leases(Bench.NAMESPACE, Bench.GROUP)).noneMatch(Lease::live)
                    .noneMatch(lease -> "the old one".equals(lease.owner()));
        }
    }

    // Mixed old and new owners on one workflow.

    @Test
    void ownerThatANewerOneHasReplacedWritesNothingAndIsTold() {
        try (Store store = database.open()) {
            Bench.endLeases(store);
            Waiting task = store.leases(Bench.NAMESPACE, Bench.GROUP).stream()
                    .flatMap(lease -> store.tasks(lease.shard(), null, 1).stream()).findFirst().orElseThrow();
            int shards = store.leases(Bench.NAMESPACE, Bench.GROUP).size();
            ShardId shard = ShardId.of(task.workflow(), Bench.GROUP, shards);
            Fence old = claimed(store.claim(shard, "old", Duration.ofDays(1), EngineSettings.FORMAT));
            Bundle bundle = Collation.lodge(new Overlay(store.load(task.workflow())),
                    Message.Respond.wake(task.workflow(), task.activity(), LATER), LATER);
            store.abandon(old);
            Fence newer = claimed(store.claim(shard, "new", Duration.ofDays(1), NEWER));
            Snapshot before = store.load(task.workflow());

            assertThat(store.commit(old, List.of(bundle))).isEqualTo(new StaleOwner(newer.epoch()));
            assertThat(store.load(task.workflow())).isEqualTo(before);
            assertThat(store.claim(shard, "old", Duration.ofDays(1), EngineSettings.FORMAT))
                    .isEqualTo(new Claim.FormatTooNew(NEWER));
            assertThat(store.commit(newer, List.of(bundle))).isInstanceOf(Commit.Committed.class);
        }
    }

    private static Fence claimed(Claim claim) {
        assertThat(claim).isInstanceOf(Claim.Claimed.class);
        return ((Claim.Claimed) claim).fence();
    }
}
