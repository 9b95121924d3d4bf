package dev.pawl.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.EngineSettings;
import dev.pawl.engine.graph.Graph;
import dev.pawl.engine.shard.Engine;
import dev.pawl.engine.shard.ShardLoop;
import dev.pawl.engine.store.GivenUp;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.task.Task;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.collation.Collation;
import dev.pawl.kernel.id.Recipient;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.Waker;
import dev.pawl.testkit.sim.Fault;
import dev.pawl.testkit.sim.Faults;
import dev.pawl.testkit.sim.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** One bundle that the store will not take, among a hundred: it is found quickly, and its neighbours never notice. */
class BisectingTest {

    private static final int COUNT = 100;
    private static final int BAD = 57;
    private static final EngineSettings SETTINGS = EngineSettings.DEFAULT.withShards(1).withBatchMax(COUNT)
            .withLookEvery(Duration.ZERO);

    private final Graph good = Graph.named("good", "1").trigger("begin").pass("pass").edge("begin", "pass").build();
    private final Graph bad = Graph.named("bad", "1").trigger("begin")
            .signalOne("send", data -> new Recipient("nowhere", new WorkflowKey(Cluster.NAMESPACE, "nobody")), "news",
                    data -> Payload.EMPTY)
            .edge("begin", "send").build();
    private final Graph slow = Graph.named("slow", "1").trigger("begin")
            .worker("work", "queue", Duration.ofSeconds(1)).edge("begin", "work").build();
    private final List<Task> tasks = new ArrayList<>();
    private final Cluster cluster = new Cluster(SETTINGS, tasks::add, good, bad, slow);

    private void startAll(Engine engine, String definition) {
        cluster.store.createShards(Cluster.NAMESPACE, Cluster.GROUP, 1);
        for (int i = 0; i < COUNT; i++) {
            engine.start(i == BAD ? definition : "good", "1", "w-%03d".formatted(i), Payload.EMPTY);
        }
    }

    private long completed() {
        return cluster.store.all().stream().filter(workflow -> workflow.status() == WorkflowStatus.COMPLETED).count();
    }

    /** A store that chokes on some bundle, and does not say which. */
    private static Store choking(Store store, Predicate<Bundle> indigestible) {
        return Front.commits(store, (fence, bundles) -> {
            if (bundles.stream().anyMatch(indigestible)) {
                throw new IllegalArgumentException("value out of range");
            }
            return store.commit(fence, bundles);
        });
    }

    private static boolean isBad(Bundle bundle) {
        return bundle.workflow().workflowId().equals("w-0" + BAD);
    }

    @Test
    void rejectedBundleRunsAloneAndTheOthersInBatches() {
        Engine engine = cluster.join("a");
        startAll(engine, "bad");
        engine.turn();
        assertThat(cluster.calls(Operation.COMMIT)).as("all starts, and nothing wrong yet").isOne();
        while (completed() < COUNT - 1) {
            engine.turn();
        }

        // The batch, those before it, the one by itself, those after it.
        assertThat(cluster.calls(Operation.COMMIT)).isEqualTo(1 + 4);
    }

    @Test
    void messageToAGroupThatDoesNotExistIsGivenUpAndTheOthersAreDone() {
        startAll(cluster.join("a"), "bad");
        cluster.pass(Duration.ofHours(1));

        assertThat(completed()).isEqualTo(COUNT - 1);
        assertThat(cluster.store.givenUp(Cluster.NAMESPACE, null, 10).items()).singleElement()
                .extracting(given -> given.delivery().message().workflow().workflowId()).isEqualTo("w-0" + BAD);
    }

    @Test
    void bundleTheStoreChokesOnIsFoundByHalving() {
        Engine engine = cluster.join("a", store -> choking(store, BisectingTest::isBad), Faults.none());
        startAll(engine, "good");
        while (completed() < COUNT - 1) {
            engine.turn();
        }

        // Seven halvings until it stands alone, seven halves that go through, itself; and one for what the others do next.
        assertThat(cluster.calls(Operation.COMMIT)).isLessThanOrEqualTo(16);
        assertThat(cluster.store.load(new WorkflowKey(Cluster.NAMESPACE, "w-0" + BAD)).workflow()).isNotNull();
    }

    @Test
    void messageTheStoreChokesOnIsChargedAndInTheEndGivenUp() {
        startAll(cluster.join("a",
                store -> choking(store, bundle -> isBad(bundle) && !bundle.inboxOnly()), Faults.none()), "good");
        cluster.pass(Duration.ofHours(1));

        assertThat(cluster.store.givenUp(Cluster.NAMESPACE, null, 10).items()).singleElement()
                .extracting(GivenUp::delivery).satisfies(delivery -> assertThat(delivery.marks()).isEqualTo(99));
        assertThat(cluster.store.undelivered()).isZero();
    }

    /** Not even its charge is taken, so it is never given up; it comes again more and more rarely. */
    @Test
    void messageThatCannotEvenBeChargedCostsNextToNothing() {
        startAll(cluster.join("a", store -> choking(store, BisectingTest::isBad), Faults.none()), "good");
        cluster.pass(Duration.ofMinutes(2));
        long before = cluster.calls(Operation.COMMIT);
        cluster.pass(Duration.ofMinutes(10));

        assertThat(cluster.calls(Operation.COMMIT) - before).isLessThanOrEqualTo(21);
        assertThat(completed()).isEqualTo(COUNT - 1);
    }

    @Test
    void attemptTheStoreChokesOnKeepsNoOtherWaiting() {
        startAll(cluster.join("a", store -> choking(store, BisectingTest::isBadAttempt), Faults.none()), "slow");
        Message.Start other = new Message.Start(new WorkflowKey(Cluster.NAMESPACE, "zz"),
                new Message.Beginning(Cluster.GROUP, "slow", "1", "begin", 0, Payload.EMPTY, null));
        cluster.store.start(other, Collation.inception(other, cluster.clock.instant()));
        cluster.pass(Duration.ofSeconds(2));

        assertThat(tasks).extracting(task -> task.workflow().workflowId() + " " + task.attempt())
                .containsExactlyInAnyOrder("w-0" + BAD + " 1", "zz 1", "zz 2");
        long before = cluster.calls(Operation.COMMIT);
        cluster.pass(Duration.ofMinutes(4));
        assertThat(cluster.calls(Operation.COMMIT) - before).as("it comes again, but rarely").isBetween(5L, 10L);
    }

    private static boolean isBadAttempt(Bundle bundle) {
        return isBad(bundle) && bundle.writes().stream().anyMatch(write -> write instanceof Write.PutActivity put
                && put.activity().waker() instanceof Waker.Task task && task.attempt() == 2);
    }

    @Test
    void fullStoreIsLeftAloneForAWhileAndGoesOnWhenThereIsRoom() {
        AtomicBoolean full = new AtomicBoolean(true);
        Engine engine = cluster.join("a", store -> store,
                (operation, count) -> operation == Operation.COMMIT && full.get() ? Fault.FULL : null);
        startAll(engine, "good");
        cluster.pass(Duration.ofSeconds(1));
        assertThat(cluster.calls(Operation.COMMIT)).as("a few tries in the first second").isBetween(2L, 5L);
        cluster.pass(Duration.ofSeconds(60));
        assertThat(cluster.calls(Operation.COMMIT)).as("then one a second").isBetween(30L, 70L);
        assertThat(engine.shards()).singleElement().extracting(ShardLoop::trouble).asString().contains("full");
        assertThat(completed()).isZero();

        full.set(false);
        cluster.pass(Duration.ofSeconds(1).plusMillis(100));
        assertThat(completed()).isEqualTo(COUNT);
        assertThat(cluster.store.undelivered()).isZero();
    }
}
