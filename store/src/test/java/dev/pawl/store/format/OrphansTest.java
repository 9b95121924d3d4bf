package dev.pawl.store.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.store.Store;
import dev.pawl.store.TestDatabase;
import dev.pawl.store.TestStores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** No table is forgotten: whatever belongs to a workflow goes with it, and is missed if it does not. */
class OrphansTest {

    /** What may be there without a workflow. */
    private static final List<String> FREE = List.of("workflow", "inbox", "given_up");

    @ParameterizedTest
    @MethodSource("dev.pawl.store.TestStores#all")
    void everyTableWithRowsOfWorkflowsIsSweptAndLookedThrough(TestStores.Kind kind) throws IOException {
        try (TestDatabase database = kind.fresh(); Store store = database.open()) {
            assertThat(store.orphans("n")).isEmpty();
            String statements = Files.readString(
                    Path.of("src/main/resources/dev/pawl/store/" + database.dialect() + ".sql"));
            String orphans = statements.substring(statements.indexOf("-- name: orphans"));
            for (Map.Entry<String, List<String>> table : database.schema().entrySet()) {
                boolean belongs = table.getValue().contains("workflow_no") || table.getValue().contains("workflow_id");
                if (belongs && !FREE.contains(table.getKey())) {
                    assertThat(orphans).contains("select '" + table.getKey() + "', count(*)");
                    assertThat(statements).as("a workflow with messages is not swept").satisfiesAnyOf(
                            all -> assertThat(all).containsPattern(
                                    "(?s)name: sweep_\\w+\\s+delete from " + table.getKey() + "\\s"),
                            all -> assertThat(table.getKey()).isEqualTo("message"));
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.store.TestStores#all")
    void rowWithoutItsWorkflowIsCounted(TestStores.Kind kind) {
        try (TestDatabase database = kind.fresh(); Store store = database.open()) {
            String hash = "0".repeat(64);
            database.execute("insert into event (workflow_no, number, hash, body) values (7, 1, "
                    + (database.dialect().equals("sqlite") ? "x'" + hash + "'" : "'\\x" + hash + "'") + ", '{}')");
            database.execute("insert into signal_acceptance (namespace, workflow_id, signal_name, signal_id, guid,"
                    + " accepted_at, expires_at) values ('n', 'w', 's', 'i', "
                    + (database.dialect().equals("sqlite") ? "x'00'" : "gen_random_uuid()") + ", 1, 2)");

            assertThat(store.orphans("n")).isEqualTo(Map.of("event", 1L, "signal_acceptance", 1L));
            // An event is its workflow's alone: without that it belongs to no namespace, and is counted in each.
            assertThat(store.orphans("other")).isEqualTo(Map.of("event", 1L));
        }
    }
}
