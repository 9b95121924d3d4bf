package dev.pawl.store.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.store.SignalResult;
import dev.pawl.engine.store.Store;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.workflow.WorkflowRecord;
import dev.pawl.store.sqlite.SqliteTestDatabase;
import dev.pawl.testkit.simulate.Invariants;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A file that format 1 has written, and what is in it: {@code golden/format-1.db} and {@code .txt}. Whatever version this is must
 * read it to the letter and bring its workflows to their end. After a release the file is never made again; until then
 * {@code mvn -pl store -am test -Dtest=GoldenFileTest -Dsurefire.failIfNoSpecifiedTests=false -Dpawl.golden=write} makes it
 * anew, and {@code -Dpawl.golden=describe} only the text.
 */
class GoldenFileTest {

    private static final Path FOLDER = Path.of("src/test/resources/golden");
    private static final Path FILE = FOLDER.resolve("format-1.db");
    private static final Path TEXT = FOLDER.resolve("format-1.txt");
    private static final String ORDER = System.getProperty("pawl.golden", "");

    private final SqliteTestDatabase database = new SqliteTestDatabase();

    @BeforeEach
    void copy() throws IOException {
        if (ORDER.equals("write")) {
            write();
        }
        Files.copy(FILE, database.file());
        if (!ORDER.isEmpty()) {
            try (Store store = database.open()) {
                Files.writeString(TEXT, Dump.of(store));
            }
        }
    }

    /** Its rows packed, its log emptied into it. */
    private static void write() throws IOException {
        SqliteTestDatabase fresh = new SqliteTestDatabase();
        try (fresh) {
            try (Store store = fresh.open()) {
                Population.settle(store);
            }
            fresh.execute("vacuum");
            Files.copy(fresh.file(), FILE, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void fileOfFormatOneIsReadToTheLetter() throws IOException {
        try (Store store = database.open()) {
            assertThat(Dump.of(store)).isEqualTo(Files.readString(TEXT));
        }
    }

    @Test
    void fileOfFormatOneHoldsEveryKindOfRecord() {
        database.schema().keySet().stream().filter(FORMAT_ONE::contains)
                .forEach(table -> assertThat(database.count("select count(*) from " + table)).as(table).isPositive());
        assertThat(database.rows("select distinct kind from inbox union select distinct kind from message"))
                .contains("START", "SIGNAL", "ENTER");
        assertThat(database.rows("select distinct waker from activity where waker is not null"))
                .contains("TASK", "TIMER", "HOOK", "CHILD");
    }

    private static final List<String> FORMAT_ONE = List.of("store_format", "shard", "engine", "workflow", "activity",
            "guid_ledger", "join_gate", "message", "inbox", "given_up", "event", "signal", "signal_acceptance");

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
