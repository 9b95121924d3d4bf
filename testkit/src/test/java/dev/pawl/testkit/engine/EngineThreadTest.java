package dev.pawl.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.EngineSettings;
import dev.pawl.engine.graph.Graph;
import dev.pawl.engine.shard.Engine;
import dev.pawl.engine.store.Commit;
import dev.pawl.engine.store.Fence;
import dev.pawl.engine.store.Lease;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.task.Dispatcher;
import dev.pawl.engine.task.Task;
import dev.pawl.engine.world.EngineThread;
import dev.pawl.engine.world.VirtualWorkers;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.message.Payload;
import dev.pawl.testkit.sim.SimStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The engine on real threads and a real clock: the user's code on virtual ones, everything else on platform ones. */
class EngineThreadTest {

    private static final InstantSource CLOCK = InstantSource.system();
    private static final Payload INPUT = Payload.of("in".getBytes(StandardCharsets.UTF_8));
    private static final Map<String, Function<Task, Payload>> WORKERS =
            Map.of("till", Task::input, "depot", Task::input);
    /** Whatever comes in time comes because somebody was woken. */
    private static final EngineSettings SETTINGS = EngineSettings.DEFAULT.withLanes(2)
            .withLookEvery(Duration.ofMinutes(10));

    private final Graph graph = Graph.named("order", "1")
            .trigger("begin").worker("pay", "till", Duration.ofMinutes(5)).sleep("pause", Duration.ofMillis(20))
            .worker("ship", "depot", Duration.ofMinutes(5))
            .edge("begin", "pay").edge("pay", "pause").edge("pause", "ship").build();
    private final SimStore store = new SimStore(CLOCK);

    private Engine engine(String name, Store through, Dispatcher dispatcher, EngineSettings settings) {
        return new Engine(name, through, "test", "shop", List.of(graph), dispatcher, CLOCK, settings);
    }

    private void start(Engine engine, int count) {
        store.createShards("test", "shop", EngineSettings.DEFAULT.shards());
        for (int i = 0; i < count; i++) {
            engine.start("order", "1", "order-" + i, INPUT);
        }
    }

    private boolean done() {
        return store.all().stream().allMatch(each -> each.status() == WorkflowStatus.COMPLETED);
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        for (int i = 0; i < 6_000 && !condition.getAsBoolean(); i++) {
            Thread.sleep(5);
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }

    /** While the engine runs, something becomes true. */
    private static void await(EngineThread thread, BooleanSupplier condition) throws InterruptedException {
        await(condition);
        assertThat(thread.running()).isTrue();
    }

    @Test
    void workflowsRunToTheirEndAndTheShardsAreGivenBack() throws InterruptedException {
        List<Boolean> virtual = Collections.synchronizedList(new ArrayList<>());
        VirtualWorkers workers = new VirtualWorkers(Map.of("depot", Task::input, "till", task -> {
            virtual.add(Thread.currentThread().isVirtual());
            return task.input();
        }));
        Engine engine = engine("one", store, workers, SETTINGS);
        workers.answerTo(engine::answer);
        start(engine, 50);

        try (workers; EngineThread thread = new EngineThread("one", engine, CLOCK)) {
            await(thread, this::done);
        }

        assertThat(store.all()).hasSize(50);
        assertThat(virtual).hasSize(50).containsOnly(true);
        assertThat(store.leases("test", "shop")).extracting(Lease::owner).containsOnlyNulls();
    }

    @Test
    void twoLanesCommitAtTheSameTimeAndNoShardChangesItsLane() throws InterruptedException {
        CountDownLatch together = new CountDownLatch(1);
        AtomicInteger underWay = new AtomicInteger();
        Map<Integer, Set<String>> threads = new ConcurrentHashMap<>();
        Store meeting = Front.commits(store, (fence, bundles) -> {
            threads.computeIfAbsent(fence.shard().number(), shard -> ConcurrentHashMap.newKeySet())
                    .add(Thread.currentThread().getName());
            if (underWay.incrementAndGet() == 2) {
                together.countDown();
            }
            try {
                awaitAll(together);
            } finally {
                underWay.decrementAndGet();
            }
            return store.commit(fence, bundles);
        });
        VirtualWorkers workers = new VirtualWorkers(WORKERS);
        Engine engine = engine("one", meeting, workers, SETTINGS);
        workers.answerTo(engine::answer);
        start(engine, 200);

        try (workers; EngineThread thread = new EngineThread("one", engine, CLOCK)) {
            await(thread, this::done);
        }

        assertThat(together.getCount()).as("two commits were under way at once").isZero();
        assertThat(threads).hasSize(EngineSettings.DEFAULT.shards());
        threads.forEach((shard, names) -> assertThat(names).containsExactly("pawl-one-" + shard % 2));
    }

    private static void awaitAll(CountDownLatch latch) {
        try {
            if (!latch.await(10, TimeUnit.SECONDS)) {
                throw new IllegalStateException("nobody came");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void commitThatHangsCostsNoLease() throws InterruptedException {
        EngineSettings brief = SETTINGS.withLease(Duration.ofSeconds(3), Duration.ofMillis(100));
        CountDownLatch hanging = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Store slow = Front.commits(store, (fence, bundles) -> {
            hanging.countDown();
            awaitAll(release);
            return store.commit(fence, bundles);
        });
        VirtualWorkers workers = new VirtualWorkers(WORKERS);
        Engine engine = engine("one", slow, workers, brief);
        workers.answerTo(engine::answer);
        start(engine, 20);

        try (workers; EngineThread thread = new EngineThread("one", engine, CLOCK)) {
            assertThat(hanging.await(10, TimeUnit.SECONDS)).isTrue();
            List<Long> epochs = epochs();
            for (int i = 0; i < 80; i++) {
                store.leases("test", "shop").stream().map(Lease::shard)
                        .forEach(shard -> store.claim(shard, "two", Duration.ofMinutes(1), EngineSettings.FORMAT));
                Thread.sleep(50);
            }
            assertThat(epochs()).isEqualTo(epochs);
            release.countDown();
            await(thread, this::done);
        }
    }

    private List<Long> epochs() {
        return store.leases("test", "shop").stream().map(Lease::epoch).toList();
    }

    @Test
    void twoEnginesShareTheWorkWhileItIsUnderWay() throws InterruptedException {
        EngineSettings brief = SETTINGS.withLease(Duration.ofSeconds(3), Duration.ofMillis(20))
                .withLookEvery(Duration.ofMillis(20));
        VirtualWorkers workers = new VirtualWorkers(WORKERS);
        Engine one = engine("one", store, workers, brief);
        workers.answerTo(one::answer);
        start(one, 300);

        try (workers; EngineThread first = new EngineThread("one", one, CLOCK)) {
            for (int i = 0; i < 5; i++) {
                await(first, () -> one.shards().size() == 8);
                String name = "two-" + i;
                try (EngineThread second = new EngineThread(name, engine(name, store, workers, brief), CLOCK)) {
                    await(second, () -> one.shards().size() == 4);
                }
            }
            await(first, this::done);
        }

        assertThat(store.all()).hasSize(300);
        assertThat(store.undelivered()).isZero();
    }

    @Test
    void errorStopsTheEngineAsIfItHadDied() throws InterruptedException {
        Engine engine = engine("one", Front.commits(store, EngineThreadTest::broken), task -> {}, SETTINGS);
        start(engine, 1);

        try (EngineThread thread = new EngineThread("one", engine, CLOCK)) {
            await(() -> !thread.running());
        }

        assertThat(store.leases("test", "shop")).extracting(Lease::owner).as("nothing is given back")
                .containsOnly("one");
        assertThat(store.leases("test", "shop")).as("but other engines need not wait").allMatch(Lease::over);
    }

    private static Commit broken(Fence fence, List<Bundle> bundles) {
        throw new StackOverflowError("on purpose");
    }
}
