package dev.pawl.store.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.store.HeldSlot;
import dev.pawl.engine.store.SignalResult;
import dev.pawl.engine.store.SlotHolder;
import dev.pawl.engine.store.SlotPool;
import dev.pawl.engine.store.Store;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.workflow.WorkflowRecord;
import dev.pawl.store.TestDatabase;
import dev.pawl.store.TestStores;
import dev.pawl.testkit.simulate.Invariants;
import java.io.IOException;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Databases that format 1 has written, and what is in them: {@code golden/format-1.db} for SQLite, {@code .postgres.sql} for
 * PostgreSQL, {@code .txt} for both. Whatever version this is must read them to the letter and bring their workflows to their end. After
 * a release the files are never made again; until then
 * {@code mvn -pl store -am test -Dtest=GoldenFileTest -Dsurefire.failIfNoSpecifiedTests=false -Dpawl.golden=write} makes them
 * anew, and {@code -Dpawl.golden=describe} only the text.
 */
@ParameterizedClass
@MethodSource("dev.pawl.store.TestStores#all")
class GoldenFileTest {

    private static final String ORDER = System.getProperty("pawl.golden", "");
    private static final Set<String> MADE = new HashSet<>();
    private static final List<String> FORMAT_ONE = List.of("store_format", "shard", "engine", "workflow", "event",
            "waiting", "join_gate", "message", "inbox", "given_up", "signal_acceptance", "effect", "decision",
            "attribute", "slot_pool", "slot");

    private final TestStores.Kind kind;
    private TestDatabase database;

    GoldenFileTest(TestStores.Kind kind) {
        this.kind = kind;
    }

    @BeforeEach
    void load() throws IOException {
        boolean first = MADE.add(kind.name());
        if (first && ORDER.equals("write")) {
            Golden.write(kind);
        }
        database = Golden.load(kind);
        if (first && !ORDER.isEmpty() && kind.name().equals("sqlite")) {
            try (TestDatabase copy = Golden.load(kind)) {
                Golden.describe(copy);
            }
        }
    }

    @AfterEach
    void close() {
        database.close();
    }

    /** The same text for both: what a store says of its rows does not depend on where they are. */
    @Test
    void fileOfFormatOneIsReadToTheLetter() throws IOException {
        try (Store store = database.open()) {
            assertThat(Dump.of(store)).isEqualTo(Golden.text());
        }
    }

    /** A table that is added later has rows in the file of the format that adds it. */
    @Test
    void fileOfFormatOneHoldsEveryKindOfRecord() {
        assertThat(database.schema().keySet()).containsExactlyInAnyOrderElementsOf(FORMAT_ONE);
        FORMAT_ONE.forEach(table -> assertThat(database.count("select count(*) from " + table)).as(table)
                .isPositive());
        assertThat(database.rows("select distinct kind from inbox union select distinct kind from message"))
                .contains("START", "SIGNAL", "ENTER");
        assertThat(database.rows("select distinct waker from waiting"))
                .contains("TASK", "TIMER", "HOOK", "CHILD");
        assertThat(database.rows("select distinct status from effect")).containsExactlyInAnyOrder("completed", "failed",
                "cancelled", "timed-out", "indeterminate");
        assertThat(database.rows("select distinct type from attribute")).containsExactlyInAnyOrder("TEXT", "LONG",
                "BOOLEAN", "TIME", "MEMO");
        assertThat(database.rows("select distinct kind from slot")).containsExactlyInAnyOrder("CONCURRENT", "RATE");
    }

    /** Where one process has the file, what the one before it held is free when it is opened; a rate counts on. */
    @Test
    void slotsOfFormatOneAreHeldAsTheyWere() {
        try (Store store = database.open()) {
            List<HeldSlot> slots = store.slots(Bench.NAMESPACE, "gateway", 10);

            assertThat(slots).extracting(HeldSlot::kind).containsExactlyInAnyOrderElementsOf(
                    kind.name().equals("sqlite") ? List.of(SlotPool.Kind.RATE) : List.of(SlotPool.Kind.values()));
            assertThat(slots).allSatisfy(slot -> {
                assertThat(slot.process()).isEqualTo("the writer");
                assertThat(slot.holder()).isEqualTo(new SlotHolder("charging/pay/1@the writer#1", "a customer"));
            });
        }
    }

    @Test
    void signalsOfFormatOneAreAnsweredAsTheyWereThen() {
        try (Store store = database.open()) {
            Bench bench = new Bench("the reader", store);
            for (String id : List.of("completed", "early", "sleeping", "approving")) {
                assertThat(store.signal(bench.request(id, "s-1"))).as(id).isInstanceOf(SignalResult.Duplicate.class);
            }
        }
    }

    @Test
    void workflowsOfFormatOneGoOnToTheirEnd() {
        try (Store store = database.open()) {
            Bench.endLeases(store);
            Bench reader = new Bench("the reader", store);
            reader.clock.set(Instant.parse("2030-02-01T00:00:00Z"));
            reader.finish(Population.POISONED);

            Map<String, WorkflowStatus> ends = new TreeMap<>();
            for (WorkflowRecord workflow : reader.all()) {
                ends.put(workflow.key().workflowId(), workflow.status());
            }
            assertThat(ends).hasSize(16).containsEntry("failed", WorkflowStatus.FAILED)
                    .containsEntry("interrupted", WorkflowStatus.INTERRUPTED)
                    .containsEntry(Population.POISONED, WorkflowStatus.RUNNING);
            assertThat(ends.values()).filteredOn(WorkflowStatus.COMPLETED::equals).hasSize(13);
            assertThat(Invariants.violations(store, reader.all())).isEmpty();
        }
    }
}
