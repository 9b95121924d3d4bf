package dev.pawl.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.store.ShardId;
import dev.pawl.store.postgres.PostgresStore.Options;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** Hints of new messages, from process to process. */
class PostgresWakeUpTest {

    private final String schema = EmbeddedServer.freshSchema();
    private final BlockingQueue<ShardId> heard = new LinkedBlockingQueue<>();

    private static void post(PostgresStore store, int shard, int n) {
        store.post(Shop.GROUP, Shop.answer(Shop.key(shard, n), Shop.FIRST));
    }

    /** Posts until the other one has begun to listen. */
    private void awaitListening(PostgresStore from) throws InterruptedException {
        do {
            post(from, 3, 0);
        } while (heard.poll(100, TimeUnit.MILLISECONDS) == null);
        while (heard.poll(100, TimeUnit.MILLISECONDS) != null) {
            Thread.onSpinWait();
        }
    }

    @Test
    void postInOneStoreWakesTheOther() throws Exception {
        try (PostgresStore here = EmbeddedServer.open(schema); PostgresStore there = EmbeddedServer.open(schema)) {
            new Shop(here);
            there.listen(heard::add);
            awaitListening(here);
            Duration best = Duration.ofDays(1);
            for (int shard = 0; shard < 3; shard++) {
                post(here, shard, 0);
                long posted = System.nanoTime();
                assertThat(heard.poll(10, TimeUnit.SECONDS)).isEqualTo(Shop.shard(shard));
                Duration took = Duration.ofNanos(System.nanoTime() - posted);
                best = took.compareTo(best) < 0 ? took : best;
            }
            // The best of three: the machine may be busy with something else.
            assertThat(best).isLessThan(Duration.ofMillis(100));
        }
    }

    @Test
    void ownPostIsHeardAtOnceAndOnce() throws Exception {
        try (PostgresStore store = EmbeddedServer.open(schema)) {
            new Shop(store);
            store.listen(heard::add);
            post(store, 2, 0);

            assertThat(heard.poll()).isEqualTo(Shop.shard(2));
            assertThat(heard.poll(300, TimeUnit.MILLISECONDS)).isNull();
        }
    }

    @Test
    void otherSchemaHearsNothing() throws Exception {
        try (PostgresStore here = EmbeddedServer.open(schema);
                PostgresStore elsewhere = EmbeddedServer.open(EmbeddedServer.freshSchema());
                PostgresStore there = EmbeddedServer.open(schema)) {
            new Shop(here);
            BlockingQueue<ShardId> stray = new LinkedBlockingQueue<>();
            elsewhere.listen(stray::add);
            there.listen(heard::add);
            awaitListening(here);

            assertThat(stray).isEmpty();
        }
    }

    @Test
    void thousandHintsAreAFewNotifications() throws Exception {
        EmbeddedServer.open(schema).close();
        try (PgConnections connections = PgConnections.to(EmbeddedServer.url(), EmbeddedServer.USER, "",
                Options.STANDARD.inSchema(schema));
                Connection listening = EmbeddedServer.dataSource().getConnection();
                PgBell bell = new PgBell(connections)) {
            PgConnections.execute(listening, "listen pawl_" + schema);
            for (int i = 0; i < 1_000; i++) {
                bell.ring(List.of(Shop.shard(0)));
            }
            bell.ring(List.of(Shop.shard(1)));

            assertThat(until(listening, Shop.shard(1))).isNotEmpty().hasSizeLessThan(100);
        }
    }

    private static List<String> until(Connection listening, ShardId last) throws SQLException {
        List<String> all = new ArrayList<>();
        while (all.isEmpty() || !all.getLast().endsWith(last.toString())) {
            for (PGNotification notification : listening.unwrap(PGConnection.class).getNotifications(10_000)) {
                all.add(notification.getParameter());
            }
        }
        return all;
    }

    @Test
    void listeningGoesOnAfterTheConnectionWasLost() throws Exception {
        try (PostgresStore here = EmbeddedServer.open(schema); PostgresStore there = EmbeddedServer.open(schema)) {
            new Shop(here);
            there.listen(heard::add);
            awaitListening(here);
            EmbeddedServer.run("select pg_terminate_backend(pid) from pg_stat_activity where query = 'listen pawl_"
                    + schema + "'");

            awaitListening(here);
        }
    }

    @Test
    void threadsEndWithTheStore() {
        PostgresStore store = EmbeddedServer.open(schema);
        new Shop(store);
        store.listen(heard::add);
        post(store, 0, 0);
        store.close();

        assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
                .doesNotContain("pawl-postgres-ear", "pawl-postgres-ringer");
    }
}
