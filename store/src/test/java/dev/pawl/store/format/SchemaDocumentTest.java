package dev.pawl.store.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.store.Store;
import dev.pawl.store.TestDatabase;
import dev.pawl.store.TestStores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** docs/SCHEMA.md explains every table and column there is, and each of its queries runs and finds what it says it finds. */
class SchemaDocumentTest {

    private static final Path DOCUMENT = Path.of("../docs/SCHEMA.md");
    private static final Pattern QUERY = Pattern.compile("```sql\n-- ([^\n;]+)(; [^\n]+)?\n(.+?)\n```", Pattern.DOTALL);

    private static String document() {
        try {
            return Files.readString(DOCUMENT);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** One query of the document, for the stores it names. */
    private record Query(String stores, String note, String sql) {

        static Query of(MatchResult found) {
            return new Query(found.group(1), found.group(2) == null ? "" : found.group(2), found.group(3));
        }

        boolean runsOn(TestDatabase database) {
            String name = database.dialect().equals("sqlite") ? "SQLite" : "PostgreSQL";
            return List.of(stores.split(", ")).contains(name);
        }

        void check(TestDatabase database) {
            // Ours has a join and later messages; the children are of another one.
            String id = sql.contains("parent_workflow_id = ") ? "parent" : "joined";
            List<String> rows = database.rows(sql.replace("'default'", "'" + Bench.NAMESPACE + "'")
                    .replace("'order-42'", "'" + id + "'"));
            if (note.equals("; finds nothing")) {
                assertThat(rows).as(sql).isEmpty();
            } else if (note.isEmpty()) {
                assertThat(rows).as(sql).isNotEmpty();
            }
        }
    }

    private static TestDatabase populated(TestStores.Kind kind) {
        TestDatabase database = kind.fresh();
        try (Store store = database.open()) {
            Population.settle(store);
        }
        return database;
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.store.TestStores#all")
    void everyQueryFindsWhatItSays(TestStores.Kind kind) {
        try (TestDatabase database = populated(kind)) {
            List<Query> queries = QUERY.matcher(document()).results().map(Query::of)
                    .filter(query -> query.runsOn(database)).toList();

            assertThat(queries).hasSizeGreaterThanOrEqualTo(12);
            queries.forEach(query -> query.check(database));
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.store.TestStores#all")
    void everyTableAndColumnIsExplained(TestStores.Kind kind) {
        String document = document();
        try (TestDatabase database = populated(kind)) {
            database.schema().forEach((table, columns) -> {
                int begin = document.indexOf("### `" + table + "`\n");
                assertThat(begin).as("a section of the table " + table).isPositive();
                String section = document.substring(begin, document.indexOf("\n#", begin + 1));
                columns.forEach(column -> assertThat(section).as(table).contains("`" + column + "`"));
            });
        }
    }
}
