package dev.pawl.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.store.StoreException;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a file may be like, and what is said about one that cannot be used. */
class SqliteFileTest {

    @TempDir
    Path folder;

    @Test
    void everybodyMayReadTheFileBesideTheStore() throws SQLException {
        Path file = folder.resolve("shop.db");
        try (SqliteStore store = SqliteStore.open(file)) {
            store.createShards("test", "shop", 3);

            assertThat(single(file, "select count(*) from shard")).isEqualTo("3");
        }
    }

    @Test
    void commitsAreSyncedAndLogged() throws SQLException {
        Path file = folder.resolve("shop.db");
        SqliteStore.open(file).close();
        assertThat(single(file, "pragma journal_mode")).isEqualTo("wal");
        try (SqliteFile raw = new SqliteFile(file); Connection writer = raw.writer();
                Statement statement = writer.createStatement();
                var row = statement.executeQuery("pragma synchronous")) {
            assertThat(row.getInt(1)).as("2 is FULL").isEqualTo(2);
        }
    }

    @Test
    void folderThatDoesNotExistIsSaid() {
        assertThatThrownBy(() -> SqliteStore.open(folder.resolve("missing").resolve("shop.db")))
                .isInstanceOf(StoreException.Unavailable.class).hasMessageContaining("there is no folder");
    }

    @Test
    void folderInPlaceOfAFileIsSaid() {
        assertThatThrownBy(() -> SqliteStore.open(folder)).isInstanceOf(StoreException.Unavailable.class)
                .hasMessageContaining("is a folder");
    }

    @Test
    void fileOfANewerVersionIsRefusedAndNotTouched() throws SQLException {
        Path file = folder.resolve("shop.db");
        SqliteStore.open(file).close();
        execute(file, "update store_format set engine_format_min = 7");

        assertThatThrownBy(() -> SqliteStore.open(file)).isInstanceOf(StoreException.Unavailable.class)
                .hasMessageContaining("written by a newer version").hasMessageContaining("format 7");
        execute(file, "update store_format set engine_format_min = 1");
        SqliteStore.open(file).close();
    }

    @Test
    void readOnlyFileIsRefusedBeforeAnythingIsWritten() throws SQLException, IOException, InterruptedException {
        Path file = folder.resolve("shop.db");
        SqliteStore.open(file).close();
        execute(file, "pragma journal_mode = delete");
        // Not even root may write to it: permissions alone would not stop a test that runs as root.
        boolean frozen = run("chattr", "+i", file.toString()) || file.toFile().setReadOnly();
        try {
            if (frozen && !canWrite(file)) {
                assertThatThrownBy(() -> SqliteStore.open(file))
                        .isInstanceOfSatisfying(StoreException.Unavailable.class,
                                e -> assertThat(e.code()).isEqualTo("StoreUnavailable"))
                        .hasMessageContaining(file.toString());
            }
        } finally {
            run("chattr", "-i", file.toString());
        }
    }

    private static boolean canWrite(Path file) {
        try (var channel = java.nio.channels.FileChannel.open(file, java.nio.file.StandardOpenOption.WRITE)) {
            return channel.isOpen();
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean run(String... command) throws IOException, InterruptedException {
        try {
            return new ProcessBuilder(List.of(command)).redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor() == 0;
        } catch (IOException e) {
            return false;
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
