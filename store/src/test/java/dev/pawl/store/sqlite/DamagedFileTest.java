package dev.pawl.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** No file is used in silence in which SQLite's own check finds damage. */
class DamagedFileTest {

    private static final Logger LOG = Logger.getLogger(IntegrityCheck.class.getName());
    private static final int SEEDS = 12;

    @TempDir
    Path folder;
    private final List<LogRecord> logged = new ArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord record) {
            logged.add(record);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        LOG.addHandler(handler);
        LOG.setUseParentHandlers(false);
    }

    @AfterEach
    void stopListening() {
        LOG.removeHandler(handler);
        LOG.setUseParentHandlers(true);
    }

    @ParameterizedTest
    @CsvSource({"8, true", "8, false", "64, true", "64, false"})
    void fileWithFlippedBitsIsRefusedWheneverTheCheckFails(int bits, boolean orderly) throws Exception {
        int refused = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            Path file = left(folder.resolve("left-" + seed), orderly);
            flip(file, bits, seed);
            byte[] before = Files.readAllBytes(file);
            boolean sound = sound(copy(file, folder.resolve("oracle-" + seed)));

            try {
                SqliteStore.open(file).close();
                assertThat(sound).as("seed %d: opened without a word", seed).isTrue();
            } catch (StoreException.Damaged | StoreException.Foreign e) {
                refused++;
                assertThat(e).hasMessageContaining(file.toString());
                assertThat(Files.readAllBytes(file)).as("seed %d", seed).isEqualTo(before);
            }
        }
        assertThat(refused).as("of %d files", SEEDS).isGreaterThan(SEEDS / 4);
    }

    @Test
    void soundFileIsCheckedAfterAnUncleanEndAndThatIsSaid() throws Exception {
        SqliteStore.open(left(folder.resolve("unclean"), false)).close();
        assertThat(messages()).singleElement().asString().contains("was not closed in order")
                .contains("the whole file was checked and has no damage");

        logged.clear();
        SqliteStore.open(left(folder.resolve("clean"), true)).close();
        assertThat(logged).isEmpty();
    }

    @Test
    void largeFileIsCheckedTableByTableAsFarAsTheTimeAllows() throws Exception {
        Path file = left(folder.resolve("large"), true);
        execute(file, "create table hoard as select zeroblob(70000000) as bytes");

        SqliteStore.open(file, SqliteOptions.DEFAULT.withCheckTime(Duration.ofNanos(1))).close();
        assertThat(messages()).singleElement().asString().contains("time was up before these were checked")
                .contains("event").contains("PawlBuilder.fileCheck");

        // Whenever the time is up, the file is opened.
        for (int millis = 1; millis <= 20; millis++) {
            SqliteStore.open(file, SqliteOptions.DEFAULT.withCheckTime(Duration.ofMillis(millis))).close();
        }

        logged.clear();
        corrupt(file, "workflow_newest");
        assertThatThrownBy(() -> SqliteStore.open(file, SqliteOptions.DEFAULT.withCheckTime(Duration.ofMinutes(1))))
                .isInstanceOf(StoreException.Damaged.class);
    }

    @Test
    void checkCanBeSwitchedOffAndDamageCanBeAccepted() throws Exception {
        Path file = left(folder.resolve("damaged"), true);
        corrupt(file, "workflow_newest");
        assertThatThrownBy(() -> SqliteStore.open(file))
                .isInstanceOfSatisfying(StoreException.Damaged.class,
                        e -> assertThat(e.code()).isEqualTo("StoreDamaged"))
                .hasMessageContaining("is damaged").hasMessageContaining("nothing was written to it");
        assertThat(folder.resolve("damaged").resolve("shop.db-wal")).doesNotExist();

        SqliteStore.open(file, SqliteOptions.DEFAULT.withOpenDamaged(true)).close();
        assertThat(logged).anySatisfy(record -> {
            assertThat(record.getLevel()).isEqualTo(Level.SEVERE);
            assertThat(record.getMessage()).contains("is damaged and is opened all the same");
        });
        SqliteStore.open(file, SqliteOptions.DEFAULT.withCheckTime(Duration.ZERO)).close();
    }

    private List<String> messages() {
        return logged.stream().map(LogRecord::getMessage).toList();
    }

    /** A file with some thousand rows, as an orderly close or a crash leaves it. */
    private static Path left(Path where, boolean orderly) throws IOException, SQLException {
        Files.createDirectories(where);
        Path made = Files.createDirectories(where.resolve("made")).resolve("shop.db");
        SqliteStore.open(made).close();
        String rows = "with recursive n(i) as (select 1 union all select i + 1 from n where i < 800) ";
        execute(made, rows + "insert into event (workflow_no, number, hash, body) select i / 10, i, randomblob(32), "
                + "'{\"at\":' || i || ',\"text\":\"' || hex(randomblob(60)) || '\"}' from n");
        execute(made, rows
                + "insert into workflow (namespace, workflow_no, workflow_id, shard_no, group_name, definition,"
                + " definition_version, trigger_activity, threshold, status, semaphore, messages, input, output,"
                + " created_at) select 'test', i, 'w' || i, 1, 'shop', 'order', '1', 'start', 0, 'RUNNING', 1, 0,"
                + " x'', x'', i from n");
        try (SqliteStore open = SqliteStore.open(made)) {
            open.createShards("test", "shop", 4);
            return orderly ? closed(open, made, where) : copy(made, where);
        }
    }

    private static Path closed(SqliteStore open, Path made, Path where) throws IOException {
        open.close();
        return copy(made, where);
    }

    private static Path copy(Path file, Path where) throws IOException {
        Files.createDirectories(where);
        for (String end : List.of("", "-wal")) {
            Path from = file.resolveSibling(file.getFileName() + end);
            if (Files.exists(from)) {
                Files.copy(from, where.resolve(from.getFileName()));
            }
        }
        return where.resolve(file.getFileName());
    }

    private static void flip(Path file, int bits, int seed) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        Random random = new Random(seed);
        for (int i = 0; i < bits; i++) {
            bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        }
        Files.write(file, bytes);
    }

    /** Overwrites the first page of a table or index. */
    private static void corrupt(Path file, String name) throws IOException, SQLException {
        int page;
        int size;
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            try (ResultSet row = statement
                    .executeQuery("select rootpage from sqlite_schema where name = '" + name + "'")) {
                page = row.getInt(1);
            }
            try (ResultSet row = statement.executeQuery("pragma page_size")) {
                size = row.getInt(1);
            }
        }
        byte[] bytes = Files.readAllBytes(file);
        for (int i = 0; i < 64; i++) {
            bytes[(page - 1) * size + i] = 0x55;
        }
        Files.write(file, bytes);
    }

    private static boolean sound(Path file) {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("pragma integrity_check")) {
            return rows.getString(1).equals("ok");
        } catch (SQLException e) {
            return false;
        }
    }

    private static void execute(Path file, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
