package dev.pawl.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.ValidationFailed;
import dev.pawl.engine.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that Pawl has not made, and names that are not those of files: refused before anything is written. */
class ForeignFileTest {

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"create table customer (name text)",
        "create table customer (name text); pragma journal_mode = wal; insert into customer values ('Ann')",
        "create table customer (name text); create table pawl_history (version text)",
        "pragma application_id = 77", "create table pawl_history (version text); create table customer (name text)"})
    void databaseOfAnotherApplicationIsRefusedAndNotTouched(String script) throws Exception {
        Path file = folder.resolve("customers.db");
        for (String statement : script.split("; ", -1)) {
            execute(file, statement);
        }
        assertRefused(file, "is a database of another application");
    }

    @Test
    void databaseThatAnotherApplicationHasOpenIsRefusedAndNotTouched() throws Exception {
        Path file = folder.resolve("customers.db");
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            statement.execute("pragma journal_mode = wal");
            statement.execute("create table customer (name text)");
            assertThat(folder.resolve("customers.db-wal")).isNotEmptyFile();

            assertRefused(file, "customer");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 20, 600, 10_000})
    void fileThatIsNoDatabaseIsRefusedAndNotTouched(int length) throws Exception {
        Path file = folder.resolve("letter.txt");
        Files.writeString(file, "Dear database, ".repeat(700).substring(0, length));

        assertRefused(file, "is not a SQLite database");
    }

    private void assertRefused(Path file, String why) throws IOException {
        Map<String, String> before = contents();
        assertThatThrownBy(() -> SqliteStore.open(file)).isInstanceOfSatisfying(StoreException.Foreign.class,
                e -> assertThat(e.code()).isEqualTo("StoreForeign")).hasMessageContaining(file.toString())
                .hasMessageContaining(why).hasMessageContaining("Name another file");
        assertThat(contents()).isEqualTo(before);
    }

    private Map<String, String> contents() throws IOException {
        Map<String, String> contents = new TreeMap<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path each : files.filter(file -> !file.toString().endsWith("-shm")).toList()) {
                contents.put(each.getFileName().toString(),
                        java.util.HexFormat.of().formatHex(Files.readAllBytes(each)));
            }
        }
        return contents;
    }

    @Test
    void filesOfPawlSayWhoHasMadeThem() throws Exception {
        Path file = folder.resolve("shop.db");
        SqliteStore.open(file).close();

        assertThat(single(file, "pragma application_id")).isEqualTo(Integer.toString(0x5041574C));
        // Files of the first versions do not.
        execute(file, "pragma application_id = 0");
        SqliteStore.open(file).close();
    }

    @Test
    void fileOfPawlWithTablesOfTheApplicationIsOpened() throws Exception {
        Path file = folder.resolve("shop.db");
        SqliteStore.open(file).close();
        execute(file, "create table account (name text)");
        SqliteStore.open(file).close();
    }

    @Test
    void emptyFileIsTakenForANewOne() throws Exception {
        Path file = Files.createFile(folder.resolve("shop.db"));
        SqliteStore.open(file).close();
        assertThat(single(file, "select count(*) from store_format")).isEqualTo("1");
    }

    @ParameterizedTest
    @ValueSource(strings = {":memory:", "", " ", "file::memory:", "file::memory:?cache=shared", "file:shop.db",
        "shop.db?journal_mode=off", ":resource:shop.db", "/", "data/:memory:"})
    void nameThatIsNotThatOfAFileIsRefusedAndNothingIsCreated(String name) throws IOException {
        Path here = Path.of("").toAbsolutePath();
        long before = entries(here);

        assertThatThrownBy(() -> SqliteStore.open(Path.of(name))).isInstanceOf(ValidationFailed.class)
                .hasMessageMatching("(?s).*(Name a file|name a file|give a plain path).*");
        assertThat(entries(here)).isEqualTo(before);
    }

    private static long entries(Path where) throws IOException {
        try (Stream<Path> files = Files.list(where)) {
            return files.count();
        }
    }

    private static String single(Path file, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement(); var row = statement.executeQuery(sql)) {
            return row.getString(1);
        }
    }

    private static void execute(Path file, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
