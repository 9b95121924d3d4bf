package dev.pawl.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.store.Commit;
import dev.pawl.engine.store.Fence;
import dev.pawl.engine.store.StoreException;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.store.postgres.PostgresStore.Options;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** What goes over the wire, and what it means when it breaks. */
class PostgresWireTest {

    private static final int SILENCE_MILLIS = 300;
    private static final int TRIES = 3;

    private final String schema = EmbeddedServer.freshSchema();

    private PostgresStore open(Wire wire) {
        return PostgresStore.open(wire.url(), EmbeddedServer.USER, "",
                Options.STANDARD.inSchema(schema).withConnections(2));
    }

    @Test
    void commitIsOneTripToTheServer() throws Exception {
        try (Wire wire = new Wire(EmbeddedServer.shared().getPort()); PostgresStore store = open(wire)) {
            Shop shop = new Shop(store);
            Fence fence = shop.claim(0);
            List<Integer> trips = new ArrayList<>();
            for (int n = 0; n < TRIES; n++) {
                WorkflowKey key = shop.running(fence, 2 * n);
                List<Bundle> start = List.of(shop.compute(Shop.start(Shop.key(0, 2 * n + 1))));
                List<Bundle> step = List.of(shop.compute(Shop.answer(key, Shop.FIRST)));
                awaitSilence(wire);
                int before = wire.trips();
                assertThat(store.commit(fence, start)).isInstanceOf(Commit.Committed.class);
                assertThat(store.commit(fence, step)).isInstanceOf(Commit.Committed.class);
                trips.add(wire.trips() - before);
            }

            // The pool may open its second connection at any time, which takes trips, but once.
            assertThat(trips).contains(2);
        }
    }

    /** The connection that listens may still be on its way. */
    private static void awaitSilence(Wire wire) throws InterruptedException {
        for (int trips = -1; trips != wire.trips();) {
            trips = wire.trips();
            Thread.sleep(SILENCE_MILLIS);
        }
    }

    @Test
    void commitWhoseAnswerIsLostIsUnknownAndMayBeWritten() throws Exception {
        try (PostgresStore survivor = EmbeddedServer.open(schema);
                Wire wire = new Wire(EmbeddedServer.shared().getPort());
                PostgresStore store = open(wire)) {
            Shop shop = new Shop(store);
            Fence fence = shop.claim(0);
            WorkflowKey key = shop.running(fence, 0);
            Bundle bundle = shop.compute(Shop.answer(key, Shop.FIRST));
            wire.cutAnswers();

            assertThatThrownBy(() -> store.commit(fence, List.of(bundle)))
                    .isInstanceOf(StoreException.CommitUnknown.class);
            survivor.raise(fence, java.time.Duration.ofMinutes(1));
            assertThat(survivor.load(key).workflow()).isNotNull()
                    .satisfies(workflow -> assertThat(workflow.version()).isEqualTo(bundle.expectedVersion() + 1));
        }
    }

    @Test
    void readWhoseAnswerIsLostHasWrittenNothing() throws Exception {
        try (Wire wire = new Wire(EmbeddedServer.shared().getPort()); PostgresStore store = open(wire)) {
            new Shop(store);
            wire.cutAnswers();

            assertThatThrownBy(() -> store.load(Shop.key(0, 0))).isInstanceOf(StoreException.Unavailable.class);
        }
    }

    @Test
    void commitThatTheServerEndsIsUnknown() throws Exception {
        try (PostgresStore store = EmbeddedServer.open(schema)) {
            Shop shop = new Shop(store);
            Fence fence = shop.claim(0);
            WorkflowKey key = shop.running(fence, 0);
            Bundle bundle = shop.compute(Shop.answer(key, Shop.FIRST));
            try (var other = EmbeddedServer.dataSource().getConnection()) {
                other.setAutoCommit(false);
                PgConnections.execute(other, "select from " + schema + ".workflow for share");
                CompletableFuture<Commit> held = CompletableFuture
                        .supplyAsync(() -> store.commit(fence, List.of(bundle)), Thread::startVirtualThread);
                while (!EmbeddedServer.isTrue("select count(pg_terminate_backend(pid)) > 0 from pg_stat_activity"
                        + " where wait_event_type = 'Lock'")) {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
                }
                assertThatThrownBy(() -> held.get(10, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class)
                        .hasCauseInstanceOf(StoreException.CommitUnknown.class);
                other.rollback();
            }
            assertThat(store.commit(fence, List.of(bundle))).isInstanceOf(Commit.Committed.class);
        }
    }
}
