package dev.pawl.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.store.Commit;
import dev.pawl.engine.store.Fence;
import dev.pawl.engine.store.StoreException;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.store.postgres.PostgresStore.Options;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What goes over the wire, and what it means when it breaks. */
class PostgresWireTest {

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
            WorkflowKey key = shop.running(fence, 0);
            List<Bundle> start = List.of(shop.compute(Shop.start(Shop.key(0, 1))));
            List<Bundle> step = List.of(shop.compute(Shop.answer(key, Shop.FIRST)));
            // The pool is full: nobody else talks to the server now.
            while (!EmbeddedServer.isTrue("select count(*) = 3 from pg_stat_activity where application_name = 'pawl'"
                    + " and query like '%" + schema + "%' or query = 'COMMIT'")) {
                Thread.onSpinWait();
            }
            int before = wire.trips();
            assertThat(store.commit(fence, start)).isInstanceOf(Commit.Committed.class);
            assertThat(store.commit(fence, step)).isInstanceOf(Commit.Committed.class);

            assertThat(wire.trips() - before).isEqualTo(2);
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
                    Thread.onSpinWait();
                }
                assertThatThrownBy(() -> held.get(10, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class)
                        .hasCauseInstanceOf(StoreException.CommitUnknown.class);
                other.rollback();
            }
            assertThat(store.commit(fence, List.of(bundle))).isInstanceOf(Commit.Committed.class);
        }
    }
}
