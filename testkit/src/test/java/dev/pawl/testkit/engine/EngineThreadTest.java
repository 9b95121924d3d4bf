package dev.pawl.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.EngineSettings;
import dev.pawl.engine.graph.Graph;
import dev.pawl.engine.shard.Engine;
import dev.pawl.engine.store.Lease;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.world.EngineThread;
import dev.pawl.engine.world.VirtualWorkers;
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
import org.junit.jupiter.api.Test;

/** The engine on real threads and a real clock: the user's code on virtual ones, everything else on platform ones. */
class EngineThreadTest {

    private static final InstantSource CLOCK = InstantSource.system();
    private static final Payload INPUT = Payload.of("in".getBytes(StandardCharsets.UTF_8));

    private final Graph graph = Graph.named("order", "1")
            .trigger("begin").worker("pay", "till", Duration.ofMinutes(5)).sleep("pause", Duration.ofMillis(20))
            .worker("ship", "depot", Duration.ofMinutes(5))
            .edge("begin", "pay").edge("pay", "pause").edge("pause", "ship").build();

    @Test
    void workflowsRunToTheirEndAndTheShardsAreGivenBack() throws InterruptedException {
        SimStore store = new SimStore(CLOCK);
        List<Boolean> virtual = Collections.synchronizedList(new ArrayList<>());
        VirtualWorkers workers = new VirtualWorkers(Map.of(
                "till", task -> {
                    virtual.add(Thread.currentThread().isVirtual());
                    return task.input();
                },
                "depot", task -> task.input()));
        Engine engine = new Engine("one", store, "test", "shop", List.of(graph), workers, CLOCK,
                EngineSettings.DEFAULT);
        workers.answerTo(engine::answer);
        store.createShards("test", "shop", EngineSettings.DEFAULT.shards());
        for (int i = 0; i < 50; i++) {
            engine.start("order", "1", "order-" + i, INPUT);
        }

        try (workers; EngineThread thread = new EngineThread("one", engine, CLOCK, Duration.ofMillis(5))) {
            await(store, 50);
            thread.wake();
        }

        assertThat(store.all()).hasSize(50).allMatch(workflow -> workflow.status() == WorkflowStatus.COMPLETED);
        assertThat(virtual).hasSize(50).containsOnly(true);
        assertThat(store.leases("test", "shop")).extracting(Lease::owner).containsOnlyNulls();
    }

    private static void await(Store store, int count) throws InterruptedException {
        SimStore database = (SimStore) store;
        for (int i = 0; i < 2_000 && !database.all().stream().allMatch(each -> each.status().terminal()); i++) {
            Thread.sleep(10);
        }
        assertThat(database.all()).hasSize(count);
    }
}
