package dev.pawl.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.store.Claim;
import dev.pawl.engine.store.Commit;
import dev.pawl.engine.store.Fence;
import dev.pawl.engine.store.Lease;
import dev.pawl.engine.store.Presence;
import dev.pawl.engine.store.Rejection;
import dev.pawl.engine.store.StaleOwner;
import dev.pawl.engine.store.StoreException;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Overlay;
import dev.pawl.kernel.collation.Collation;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Delivery;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who waits for whom. A commit is held up at a row that somebody else has locked, after it has taken its fence. */
class PostgresConcurrencyTest {

    private static final Duration LONG = Duration.ofMinutes(10);

    private final String schema = EmbeddedServer.freshSchema();
    private PostgresStore store;
    private Shop shop;

    @BeforeEach
    void open() {
        store = EmbeddedServer.open(schema);
        shop = new Shop(store);
    }

    @AfterEach
    void close() {
        store.close();
    }

    /** Somebody else's transaction. */
    private final class Other implements AutoCloseable {

        private final Connection connection;

        Other(String sql) throws SQLException {
            connection = EmbeddedServer.dataSource().getConnection();
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.execute("set search_path = " + schema);
                statement.execute(sql);
            }
        }

        /** Waits until so many transactions wait for a lock. */
        void awaitWaiting(int count) throws SQLException {
            String waiting = "select count(*) >= " + count + " from pg_stat_activity"
                    + " where wait_event_type = 'Lock' and pid <> pg_backend_pid()";
            while (!EmbeddedServer.isTrue(waiting)) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            }
        }

        @Override
        public void close() throws SQLException {
            connection.commit();
            connection.close();
        }
    }

    private Other lockOf(WorkflowKey key) throws SQLException {
        return new Other("select from workflow where workflow_id = '" + key.workflowId() + "' for share");
    }

    private CompletableFuture<Commit> committing(Fence fence, Bundle bundle) {
        return CompletableFuture.supplyAsync(() -> store.commit(fence, List.of(bundle)), Thread::startVirtualThread);
    }

    @Test
    void commitsToDifferentShardsDoNotWaitForEachOther() throws Exception {
        Fence slow = shop.claim(0);
        Fence quick = shop.claim(1);
        WorkflowKey locked = shop.running(slow, 0);
        WorkflowKey free = shop.running(quick, 0);
        CompletableFuture<Commit> held;
        try (Other other = lockOf(locked)) {
            held = committing(slow, shop.compute(Shop.answer(locked, Shop.FIRST)));
            other.awaitWaiting(1);

            assertThat(store.commit(quick, List.of(shop.compute(Shop.answer(free, Shop.FIRST)))))
                    .isInstanceOf(Commit.Committed.class);
            assertThat(held).isNotDone();
        }
        assertThat(held.get(10, TimeUnit.SECONDS)).isInstanceOf(Commit.Committed.class);
    }

    @Test
    void newEpochWaitsForTheCommitUnderWayAndThenTheOldFenceIsStale() throws Exception {
        Fence fence = shop.claim(0);
        WorkflowKey key = shop.running(fence, 0);
        Bundle first = shop.compute(Shop.answer(key, Shop.FIRST));
        CompletableFuture<Commit> held;
        CompletableFuture<Claim> raising;
        try (Other other = lockOf(key)) {
            held = committing(fence, first);
            other.awaitWaiting(1);
            raising = CompletableFuture.supplyAsync(() -> store.raise(fence, LONG), Thread::startVirtualThread);
            other.awaitWaiting(2);
            assertThat(raising).isNotDone();
        }
        assertThat(held.get(10, TimeUnit.SECONDS)).isInstanceOf(Commit.Committed.class);
        assertThat(raising.get(10, TimeUnit.SECONDS)).isInstanceOf(Claim.Claimed.class);
        assertThat(store.commit(fence, List.of(shop.compute(Shop.answer(key, Shop.SECOND)))))
                .isEqualTo(new StaleOwner(fence.epoch() + 1));
    }

    @Test
    void releaseWaitsForTheCommitUnderWay() throws Exception {
        Fence fence = shop.claim(0);
        WorkflowKey key = shop.running(fence, 0);
        Bundle bundle = shop.compute(Shop.answer(key, Shop.FIRST));
        CompletableFuture<Void> releasing;
        CompletableFuture<Commit> committed;
        try (Other other = lockOf(key)) {
            committed = committing(fence, bundle);
            other.awaitWaiting(1);
            releasing = CompletableFuture.runAsync(() -> store.release(fence), Thread::startVirtualThread);
            other.awaitWaiting(2);
            assertThat(releasing).isNotDone();
        }
        releasing.get(10, TimeUnit.SECONDS);
        assertThat(committed.get(10, TimeUnit.SECONDS)).isInstanceOf(Commit.Committed.class);
        assertThat(store.load(key).workflow()).isNotNull()
                .satisfies(workflow -> assertThat(workflow.version()).isEqualTo(bundle.expectedVersion() + 1));
    }

    @Test
    void renewalDoesNotWaitForTheCommitUnderWay() throws Exception {
        Fence fence = shop.claim(0);
        WorkflowKey key = shop.running(fence, 0);
        CompletableFuture<Commit> held;
        try (Other other = lockOf(key)) {
            held = committing(fence, shop.compute(Shop.answer(key, Shop.FIRST)));
            other.awaitWaiting(1);

            assertThat(store.renewAll(Shop.NAMESPACE, Shop.GROUP, "test", LONG, true)).hasSize(1);
            Lease seen = store.leases(Shop.NAMESPACE, Shop.GROUP).getFirst();
            assertThat(store.takeOver(seen, "other", LONG, 1)).as("nor does who wants to take over")
                    .isInstanceOf(Claim.Held.class);
            assertThat(held).isNotDone();
        }
        assertThat(held.get(10, TimeUnit.SECONDS)).isInstanceOf(Commit.Committed.class);
    }

    @Test
    void commitWaitsForAClaimUnderWayAndIsStaleThen() throws Exception {
        Fence fence = shop.claim(0);
        WorkflowKey key = shop.running(fence, 0);
        Bundle bundle = shop.compute(Shop.answer(key, Shop.FIRST));
        CompletableFuture<Commit> held;
        try (Other other = new Other("select from shard where shard_number = 0 for update;"
                + " update shard set epoch = epoch + 1 where shard_number = 0")) {
            held = committing(fence, bundle);
            other.awaitWaiting(1);
        }
        assertThat(held.get(10, TimeUnit.SECONDS)).isEqualTo(new StaleOwner(fence.epoch() + 1));
        assertThat(store.load(key).workflow()).isNotNull()
                .satisfies(workflow -> assertThat(workflow.version()).isEqualTo(bundle.expectedVersion()));
    }

    @Test
    void commitComputedFromOneStillUnderWayIsRefusedUntilThatOneIsDurable() throws Exception {
        Fence fence = shop.claim(0);
        WorkflowKey key = shop.running(fence, 0);
        Bundle first = shop.compute(Shop.answer(key, Shop.FIRST));
        Bundle second = Collation.transition(new Overlay(store.load(key)).apply(first),
                Delivery.ofRow(Shop.answer(key, Shop.SECOND)), shop, Shop.NOW).bundle();
        CompletableFuture<Commit> held;
        try (Other other = lockOf(key)) {
            held = committing(fence, first);
            other.awaitWaiting(1);

            assertThat(store.commit(fence, List.of(second))).isEqualTo(new Commit.Rejected(0,
                    new Rejection.VersionConflict(second.expectedVersion(), first.expectedVersion())));
        }
        assertThat(held.get(10, TimeUnit.SECONDS)).isInstanceOf(Commit.Committed.class);
        assertThat(store.commit(fence, List.of(second))).isInstanceOf(Commit.Committed.class);
    }

    @Test
    void twoEnginesThatCreateAGroupAtOnceAgreeOnItsShards() {
        List<Integer> counts = Stream.of(3, 5, 7, 9).parallel()
                .map(count -> store.createShards(Shop.NAMESPACE, "new", count)).toList();

        assertThat(counts).containsOnly(store.leases(Shop.NAMESPACE, "new").size());
    }

    @Test
    void epochNeverFalls() throws SQLException {
        shop.claim(0);

        assertThat(EmbeddedServer.stateOf("update " + schema + ".shard set epoch = 0 where shard_number = 0"))
                .isEqualTo("23514");
    }

    /** Connections that stand still, when told so, just before they commit. */
    private static final class Stopping {

        private final DataSource real = EmbeddedServer.dataSource();
        private final CountDownLatch stopped = new CountDownLatch(1);
        private final CountDownLatch goOn = new CountDownLatch(1);
        private volatile boolean stop;

        private DataSource source() {
            return (DataSource) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {DataSource.class},
                    (proxy, method, arguments) -> method.getName().equals("getConnection")
                            ? connection()
                            : method.invoke(real, arguments));
        }

        private Connection connection() throws SQLException {
            Connection connection = real.getConnection();
            return (Connection) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {Connection.class},
                    (proxy, method, arguments) -> {
                        if (stop && method.getName().equals("commit")) {
                            stopped.countDown();
                            goOn.await();
                        }
                        try {
                            return method.invoke(connection, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }
    }

    /** A process that stands still keeps its connection, and the server keeps the locks of its transaction. */
    @Test
    void ownerThatStandsStillInTheMiddleOfATransactionIsTakenOver() throws Exception {
        Stopping still = new Stopping();
        try (PostgresStore other =
                PostgresStore.open(still.source(), PostgresStore.Options.STANDARD.inSchema(schema))) {
            other.claim(Shop.shard(0), "other", Duration.ofMillis(1), 1);
            still.stop = true;
            CompletableFuture<List<Presence>> renewal = CompletableFuture.supplyAsync(
                    () -> other.renewAll(Shop.NAMESPACE, Shop.GROUP, "other", LONG, true), Thread::startVirtualThread);
            still.stopped.await();

            Claim claim = CompletableFuture
                    .supplyAsync(() -> store.claim(Shop.shard(0), "test", LONG, 1), Thread::startVirtualThread)
                    .get(60, TimeUnit.SECONDS);

            assertThat(claim).isInstanceOf(Claim.Claimed.class);
            still.goOn.countDown();
            assertThatThrownBy(renewal::join).hasCauseInstanceOf(StoreException.class);
            assertThat(store.leases(Shop.NAMESPACE, Shop.GROUP).getFirst().owner()).isEqualTo("test");
        }
    }
}
