package dev.pawl.store.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.store.Store;
import dev.pawl.store.TestDatabase;
import dev.pawl.store.TestStores;
import dev.pawl.store.sqlite.SqliteTestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The golden files of a format: for SQLite the file itself, for PostgreSQL the rows as SQL text, with the migrations they were
 * written after. Both hold the same, so there is one text that says what is in them.
 */
final class Golden {

    private static final Path FOLDER = Path.of("src/test/resources/golden");
    private static final Path FILE = FOLDER.resolve("format-1.db");
    private static final Path ROWS = FOLDER.resolve("format-1.postgres.sql");
    private static final Path TEXT = FOLDER.resolve("format-1.txt");
    private static final String MIGRATION = "-- migration ";

    private Golden() {
    }

    static String text() throws IOException {
        return Files.readString(TEXT);
    }

    /** What a store says of it, from now on. */
    static void describe(TestDatabase database) throws IOException {
        try (Store store = database.open()) {
            Files.writeString(TEXT, Dump.of(store));
        }
    }

    /** Writes the file of this kind of store anew, as the present version writes it. */
    static void write(TestStores.Kind kind) throws IOException {
        try (TestDatabase fresh = kind.fresh()) {
            try (Store store = fresh.open()) {
                Population.settle(store);
            }
            if (fresh instanceof SqliteTestDatabase sqlite) {
                // Its rows packed, its log emptied into it.
                sqlite.execute("vacuum");
                Files.copy(sqlite.file(), FILE, StandardCopyOption.REPLACE_EXISTING);
            } else {
                Files.writeString(ROWS, rows(fresh));
            }
        }
    }

    private static String rows(TestDatabase database) {
        List<String> lines = new ArrayList<>(
                List.of("-- A database of format 1: its rows, and the migrations they were written after."));
        migrations(database).forEach(each -> lines.add(MIGRATION + each));
        database.schema().forEach((table, columns) -> {
            String names = String.join(", ", columns);
            String values = String.join(" || ', ' || ",
                    columns.stream().map(column -> "quote_nullable(" + column + "::text)").toList());
            lines.add("delete from " + table + ";");
            database.rows("select " + values + " from " + table + " order by 1").forEach(row -> lines
                    .add("insert into " + table + " (" + names + ") overriding system value values (" + row + ");"));
        });
        database.rows("select sequencename, last_value from pg_sequences where schemaname = current_schema()"
                + " and last_value is not null order by 1").forEach(
                        each -> lines.add(
                                "select setval('" + each.replace("|", "', ") + ");"));
        return String.join("\n", lines) + "\n";
    }

    private static List<String> migrations(TestDatabase database) {
        return database.rows("select version, script, checksum from pawl_history where script like '%.sql'"
                + " order by installed_rank");
    }

    /** A database in which there is what the golden file holds, with the tables of that time. */
    static TestDatabase load(TestStores.Kind kind) throws IOException {
        TestDatabase database = kind.fresh();
        if (database instanceof SqliteTestDatabase sqlite) {
            Files.copy(FILE, sqlite.file());
            return database;
        }
        String rows = Files.readString(ROWS);
        List<String> written = rows.lines().filter(line -> line.startsWith(MIGRATION))
                .map(line -> line.substring(MIGRATION.length())).toList();
        database.flyway().locations("classpath:dev/pawl/store/migration/" + database.dialect()).table("pawl_history")
                .baselineOnMigrate(true).baselineVersion("0").loggers("slf4j")
                .target(written.getLast().substring(0, written.getLast().indexOf('|'))).load().migrate();
        assertThat(migrations(database)).as("migrations are not changed once a golden file was written after them")
                .isEqualTo(written);
        database.execute(rows);
        return database;
    }
}
