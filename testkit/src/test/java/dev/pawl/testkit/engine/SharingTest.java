package dev.pawl.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.EngineSettings;
import dev.pawl.engine.graph.Graph;
import dev.pawl.engine.shard.Engine;
import dev.pawl.engine.store.Claim;
import dev.pawl.engine.store.Fence;
import dev.pawl.engine.store.Lease;
import dev.pawl.engine.store.Presence;
import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.task.Task;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import dev.pawl.testkit.sim.Faults;
import dev.pawl.testkit.sim.Operation;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Engines come and go; every shard has one owner, and every engine its share. */
class SharingTest {

    private static final EngineSettings SETTINGS = EngineSettings.DEFAULT;
    private static final Duration TTL = SETTINGS.leaseTtl();
    private static final Duration TEND = SETTINGS.renewEvery();

    private final List<Task> tasks = new ArrayList<>();
    private final Graph graph = Graph.named("order", "1")
            .trigger("begin").worker("pay", "till", Duration.ofMinutes(5)).edge("begin", "pay").build();
    private final Cluster cluster = new Cluster(SETTINGS, tasks::add, graph);

    @Test
    void engineThatIsAloneHasEverything() {
        cluster.join("a");
        cluster.work();

        assertThat(cluster.shares()).isEqualTo(Map.of("a", 8));
    }

    @Test
    void joiningEngineGetsItsShare() {
        cluster.join("b");
        cluster.work();
        cluster.join("a");
        cluster.pass(TEND.multipliedBy(2));

        assertThat(cluster.shares()).isEqualTo(Map.of("a", 4, "b", 4));
        assertThat(cluster.calls(Operation.RELEASE)).isEqualTo(4);
    }

    @Test
    void answerForAShardThatIsHandedBackReachesItsNextOwner() {
        Engine first = cluster.join("a");
        cluster.work();
        for (int i = 0; i < 40; i++) {
            first.start("order", "1", "order-" + i, Payload.EMPTY);
        }
        cluster.pass(Duration.ofSeconds(2));
        assertThat(tasks).hasSize(40);
        cluster.join("b").turn();
        cluster.clock.advance(TEND);
        first.tend();
        tasks.forEach(task -> first.answer(task, new Response.Final(Payload.EMPTY)));
        cluster.pass(TEND.multipliedBy(2));

        assertThat(cluster.shares()).isEqualTo(Map.of("a", 4, "b", 4));
        assertThat(cluster.store.all()).hasSize(40)
                .allMatch(workflow -> workflow.status() == WorkflowStatus.COMPLETED);
        assertThat(tasks).as("nothing was handed out again").hasSize(40);
    }

    @Test
    void leavingEnginesShardsAreTakenAtTheNextTendAndCleanly() {
        Engine first = cluster.join("a");
        cluster.join("b");
        cluster.pass(TEND.multipliedBy(2));
        assertThat(cluster.shares()).isEqualTo(Map.of("a", 4, "b", 4));

        first.drain();
        cluster.kill("a");
        assertThat(cluster.leases()).filteredOn(lease -> lease.owner() == null).hasSize(4);
        cluster.pass(TEND);

        assertThat(cluster.shares()).isEqualTo(Map.of("b", 8));
    }

    /** The message that shards are free comes between the look at the leases and its end: the next look must not wait for its time. */
    @Test
    void shardsThatAreFreedDuringALookAreTakenAtTheNextOne() {
        Engine leaving = cluster.join("a");
        cluster.join("b", store -> onceRead(store, leaving::drain), Faults.none());
        cluster.pass(TEND.multipliedBy(2));
        assertThat(cluster.shares()).isEqualTo(Map.of("a", 4, "b", 4));

        leavesAfterRead = true;
        while (leavesAfterRead) {
            cluster.pass(Duration.ofMillis(100));
        }
        cluster.kill("a");
        cluster.pass(Duration.ofMillis(100));

        assertThat(cluster.shares()).isEqualTo(Map.of("b", 8));
    }

    private boolean leavesAfterRead;

    /** Something else happens when the leases were read, and the engine hears that a shard is free before it gets the answer. */
    private Store onceRead(Store store, Runnable then) {
        AtomicReference<Store.Listener> listener = new AtomicReference<>();
        return (Store) Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[] {Store.class},
                (proxy, method, args) -> {
                    if (method.getName().equals("listen")) {
                        listener.set((Store.Listener) args[0]);
                    }
                    Object answer = method.invoke(store, args);
                    if (method.getName().equals("leases") && leavesAfterRead) {
                        leavesAfterRead = false;
                        then.run();
                        listener.get().freed(new ShardId(Cluster.NAMESPACE, Cluster.GROUP, 0));
                    }
                    return answer;
                });
    }

    @Test
    void drainedEngineClaimsNothingMore() {
        Engine engine = cluster.join("a");
        cluster.work();
        engine.drain();
        cluster.pass(TTL);

        assertThat(cluster.shares()).isEmpty();
        assertThat(engine.shards()).isEmpty();
    }

    /** Given back, they would be taken for messages that never did anybody harm. */
    @Test
    void shardWhoseSuspectsHaveNotHadTheirTurnIsNotGivenBack() {
        Engine first = cluster.join("a");
        cluster.work();
        first.start("order", "1", "o", Payload.EMPTY);
        cluster.kill("a");
        cluster.clock.advance(TTL);
        Engine second = cluster.join("b");
        second.tend();
        cluster.clock.advance(TEND.multipliedBy(2));
        second.tend();
        second.drain();

        assertThat(cluster.leases()).extracting(Lease::owner).as("as it found them").containsOnly("b");
        cluster.kill("b");
        cluster.join("c");
        cluster.pass(TTL.plus(TEND));
        assertThat(tasks).hasSize(1);
    }

    /** The worst case: it dies just after it has renewed. */
    @Test
    void deadEnginesShardsAreTakenAtOnceWhenItsLeaseIsOver() {
        cluster.join("a");
        cluster.pass(TEND.minusMillis(100));
        cluster.join("b");
        cluster.pass(TEND.multipliedBy(2).plusMillis(100));
        assertThat(cluster.shares()).isEqualTo(Map.of("a", 4, "b", 4));

        Instant died = cluster.clock.instant();
        cluster.kill("a");
        while (!cluster.shares().equals(Map.of("b", 8))) {
            cluster.pass(Duration.ofMillis(100));
        }

        assertThat(Duration.between(died, cluster.clock.instant()))
                .isBetween(TTL.minus(TEND), TTL.plusMillis(600));
    }

    @Test
    void shardsOfADeadEngineAreSharedByThoseWhoAreLeft() {
        cluster.join("a");
        cluster.join("b");
        cluster.join("c");
        cluster.pass(TEND.multipliedBy(3));
        cluster.kill("b");
        cluster.pass(TTL.plus(TEND));

        assertThat(cluster.shares()).isEqualTo(Map.of("a", 4, "c", 4));
    }

    @Test
    void remainderIsSettledOnceAndForAll() {
        cluster.join("a");
        cluster.join("b");
        cluster.join("c");
        cluster.pass(TEND.multipliedBy(3));
        assertThat(cluster.shares()).isEqualTo(Map.of("a", 3, "b", 3, "c", 2));
        long claims = cluster.calls(Operation.CLAIM);
        long releases = cluster.calls(Operation.RELEASE);
        List<String> owners = cluster.leases().stream().map(Lease::owner).toList();
        cluster.pass(TEND.multipliedBy(100));

        assertThat(cluster.leases()).extracting(Lease::owner).isEqualTo(owners);
        assertThat(cluster.calls(Operation.CLAIM)).isEqualTo(claims);
        assertThat(cluster.calls(Operation.RELEASE)).isEqualTo(releases);
    }

    @Test
    void nobodyIsLeftWithNothingWhileAnotherHasTwo() {
        for (String name : List.of("a", "b", "c", "d", "e")) {
            cluster.join(name);
        }
        cluster.pass(TEND.multipliedBy(4));

        assertThat(cluster.shares()).isEqualTo(Map.of("a", 2, "b", 2, "c", 2, "d", 1, "e", 1));
    }

    @Test
    void ownerThatWasReplacedWhileItSleptLetsGo() {
        Engine sleeper = cluster.join("a");
        cluster.work();
        cluster.kill("a");
        cluster.join("b");
        cluster.pass(TTL.plus(TEND));
        assertThat(cluster.shares()).isEqualTo(Map.of("b", 8));

        sleeper.tend();
        assertThat(sleeper.turn()).isFalse();
        assertThat(sleeper.shards()).isEmpty();
    }

    @Test
    void olderEngineIsRefusedWithAMessageAndStandsInNobodysWay() {
        cluster.store.createShards(Cluster.NAMESPACE, Cluster.GROUP, 8);
        writtenInFormat(7);
        Engine older = cluster.join("older");
        cluster.pass(TEND.multipliedBy(2));

        assertThat(cluster.shares()).isEmpty();
        assertThat(older.trouble()).contains("test/shop/3").contains("format 7").contains("formats up to 1")
                .contains("newer version");
        assertThat(cluster.store.presences(Cluster.NAMESPACE, Cluster.GROUP)).noneMatch(Presence::shares);
    }

    @Test
    void olderEngineKeepsWhatItHoldsAndTakesNothingMore() {
        Engine older = cluster.join("older");
        cluster.work();
        cluster.store.renewAll(Cluster.NAMESPACE, Cluster.GROUP, "newer", TTL, true);
        cluster.pass(TEND);
        assertThat(cluster.shares()).isEqualTo(Map.of("older", 4));
        assertThat(older.trouble()).isNull();

        ShardId free = cluster.leases().stream().filter(lease -> lease.owner() == null).findFirst().orElseThrow()
                .shard();
        cluster.store.release(claimed(free, 7));
        cluster.pass(TTL.multipliedBy(2));

        assertThat(cluster.shares()).isEqualTo(Map.of("older", 4));
        assertThat(Objects.requireNonNull(older.trouble())).contains("format 7");
    }

    private void writtenInFormat(int format) {
        cluster.store.release(claimed(new ShardId(Cluster.NAMESPACE, Cluster.GROUP, 3), format));
    }

    private Fence claimed(ShardId shard, int format) {
        Claim claim = cluster.store.claim(shard, "newer", TTL, format);
        return ((Claim.Claimed) claim).fence();
    }

    /** The clock of the store is set ahead, and every lease in it looks expired. */
    @Test
    void engineThatRenewsIsNotReplacedWhateverTheClockOfTheStoreSays() {
        cluster.join("a");
        cluster.join("b");
        cluster.pass(TEND.multipliedBy(2));
        List<Long> epochs = cluster.leases().stream().map(Lease::epoch).toList();
        cluster.storeClock.skew(Duration.ofHours(1));
        cluster.pass(TTL.multipliedBy(2));
        cluster.storeClock.skew(Duration.ofHours(-2));
        cluster.pass(TTL.multipliedBy(2));

        assertThat(cluster.leases()).extracting(Lease::epoch).as("no shard has changed its owner").isEqualTo(epochs);
    }

    /** A lease that was written while the clock of the store was an hour ahead. */
    @Test
    void deadEnginesShardsAreTakenWithinItsLeaseAfterTheClockOfTheStoreWasSetBack() {
        cluster.join("a");
        cluster.storeClock.skew(Duration.ofHours(1));
        cluster.pass(TEND.multipliedBy(2));
        cluster.kill("a");
        cluster.storeClock.skew(Duration.ofHours(-1));
        cluster.join("b");
        cluster.pass(TTL.plus(TEND));

        assertThat(cluster.leases()).extracting(Lease::owner).containsOnly("b");
    }
}
