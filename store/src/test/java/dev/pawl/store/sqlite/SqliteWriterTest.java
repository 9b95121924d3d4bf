package dev.pawl.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.store.StoreException;
import dev.pawl.store.sql.Session;
import dev.pawl.store.sql.Statements;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The one thread that writes: who shares a commit, who fails alone, and how long the log gets. */
class SqliteWriterTest {

    private static final long LOG_BYTES_MAX = 4L << 20;

    @TempDir
    Path folder;

    private SqliteFile file;
    private SqliteWriter writer;

    @BeforeEach
    void open() throws SQLException {
        file = new SqliteFile(folder.resolve("writer.db"));
        writer = new SqliteWriter(file, LOG_BYTES_MAX, () -> session(file.writer()));
        writer.write(session -> {
            session.execute(
                    "create table note (id integer primary key, text blob not null check (length(text) < 20000))");
            return true;
        });
    }

    private static Session session(Connection connection) {
        return new Session(connection, Statements.of("/dev/pawl/store/sqlite.sql"), guid -> guid);
    }

    @AfterEach
    void close() {
        writer.close();
        file.close();
    }

    @Test
    void whatWasAskedForDuringOneCommitSharesTheNext() throws Exception {
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch asked = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            Future<Boolean> first = threads.submit(() -> writer.write(session -> {
                busy.countDown();
                await(asked);
                return true;
            }));
            busy.await();
            List<Future<Long>> others =
                    IntStream.range(0, 50).mapToObj(i -> threads.submit(() -> writer.write(session -> {
                        note(session, 10);
                        return changes(session);
                    }))).toList();
            while (writer.waiting() < 50) {
                Thread.onSpinWait();
            }
            long before = writer.commits();
            asked.countDown();
            assertThat(first.get()).isTrue();
            for (Future<Long> other : others) {
                other.get();
            }
            assertThat(writer.commits() - before).as("one for the first, one for all others").isLessThanOrEqualTo(2);
        }
        assertThat(notes()).isEqualTo(50);
    }

    @Test
    void requestThatFailsTakesNobodyWithIt() throws Exception {
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch asked = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            threads.execute(() -> writer.write(session -> {
                busy.countDown();
                await(asked);
                return true;
            }));
            busy.await();
            List<Future<Boolean>> answers = IntStream.range(0, 10)
                    .mapToObj(i -> threads.submit(() -> writer.write(session -> {
                        note(session, 10);
                        if (i == 4) {
                            throw new IllegalArgumentException("the fifth");
                        }
                        note(session, i == 7 ? 30_000 : 10);
                        return true;
                    }))).toList();
            while (writer.waiting() < 10) {
                Thread.onSpinWait();
            }
            asked.countDown();
            for (int i = 0; i < answers.size(); i++) {
                Future<Boolean> answer = answers.get(i);
                if (i == 4) {
                    assertThatThrownBy(answer::get).hasRootCauseMessage("the fifth");
                } else if (i == 7) {
                    assertThatThrownBy(answer::get).hasMessageContaining("StoreException");
                } else {
                    assertThat(answer.get()).isTrue();
                }
            }
        }
        assertThat(notes()).isEqualTo(16);
    }

    @Test
    void logStopsGrowingHoweverMuchIsWrittenAndRead() throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        long[] longest = new long[1];
        try (ExecutorService readers = Executors.newFixedThreadPool(3)) {
            List<Future<Boolean>> reading = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                reading.add(readers.submit(() -> {
                    try (Connection reader = file.reader(); Statement statement = reader.createStatement()) {
                        while (!done.get()) {
                            statement.executeQuery("select count(*) from (select * from note limit 500)").close();
                        }
                    }
                    return true;
                }));
            }
            try {
                for (int i = 0; i < 100; i++) {
                    writer.write(session -> {
                        for (int n = 0; n < 50; n++) {
                            note(session, 15_000);
                        }
                        return true;
                    });
                    longest[0] = Math.max(longest[0], file.logBytes());
                }
            } finally {
                done.set(true);
            }
            for (Future<Boolean> reader : reading) {
                assertThat(reader.get()).isTrue();
            }
        }
        long written = 100L * 50 * 15_000;
        assertThat(longest[0]).as("of " + written + " bytes written").isLessThan(8 * LOG_BYTES_MAX);
        assertThat(Files.size(file.path())).isGreaterThan(written / 2);
    }

    @Test
    void fullDiskIsSaidAndWhenThereIsRoomEverythingGoesOn() throws Exception {
        writer.write(session -> {
            note(session, 10_000);
            return true;
        });
        writer.close();
        // As if the disk had no page left: SQLite takes as many as there are for the least, and answers as on a full disk.
        AtomicInteger pages = new AtomicInteger(1);
        writer = new SqliteWriter(file, LOG_BYTES_MAX, () -> {
            Session session = session(file.writer());
            session.execute("pragma max_page_count = " + pages.get());
            return session;
        });

        for (int attempt = 0; attempt < 3; attempt++) {
            assertThatThrownBy(() -> writer.write(SqliteWriterTest::hundredNotes))
                    .isInstanceOfSatisfying(StoreException.Full.class,
                            e -> assertThat(e.code()).isEqualTo("StoreFull"))
                    .hasMessageContaining(file.path().toString()).hasMessageContaining("make some");
        }
        assertThat(notes()).as("all that was acknowledged, and no part of what was not").isEqualTo(1);

        pages.set(10_000);
        assertThat(writer.write(SqliteWriterTest::hundredNotes)).isTrue();
        assertThat(notes()).isEqualTo(101);
    }

    private static boolean hundredNotes(Session session) throws SQLException {
        for (int n = 0; n < 100; n++) {
            note(session, 10_000);
        }
        return true;
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void note(Session session, int bytes) throws SQLException {
        session.execute("insert into note (text) values (zeroblob(" + bytes + "))");
    }

    private static long changes(Session session) throws SQLException {
        try (Statement statement = session.connection().createStatement();
                var row = statement.executeQuery("select total_changes()")) {
            return row.getLong(1);
        }
    }

    private long notes() throws SQLException {
        try (Connection reader = file.reader(); Statement statement = reader.createStatement();
                var row = statement.executeQuery("select count(*) from note")) {
            return row.getLong(1);
        }
    }
}
