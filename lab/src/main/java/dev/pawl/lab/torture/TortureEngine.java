package dev.pawl.lab.torture;

import dev.pawl.engine.EngineSettings;
import dev.pawl.engine.shard.Engine;
import dev.pawl.engine.shard.ShardLoop;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.task.Task;
import dev.pawl.engine.world.EngineThread;
import dev.pawl.engine.world.VirtualWorkers;
import dev.pawl.kernel.message.Payload;
import dev.pawl.testkit.scenario.Scenario;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A real engine on real threads, with leases so short that what was killed is taken over within a second. */
final class TortureEngine implements AutoCloseable {

    static final int SHARDS = 4;
    static final Duration LEASE = Duration.ofMillis(900);

    private static final EngineSettings SETTINGS = EngineSettings.DEFAULT.withShards(SHARDS)
            .withLease(LEASE, LEASE.dividedBy(3)).withTaskTimeout(Duration.ofMillis(700)).withBatchMax(200);

    private final VirtualWorkers workers;
    private final Engine engine;
    private final EngineThread thread;

    TortureEngine(String owner, Store store, boolean stepsApart, List<String> queues, Function<Task, Payload> work) {
        InstantSource clock = InstantSource.system();
        workers = new VirtualWorkers(queues.stream().collect(Collectors.toMap(queue -> queue, queue -> work)));
        engine = new Engine(owner, store, Scenario.NAMESPACE, Scenario.GROUP, List.copyOf(Load.definitions()), workers,
                clock, SETTINGS.withStepsApart(stepsApart));
        workers.answerTo(engine::answer);
        thread = new EngineThread(owner, engine, clock);
    }

    /** Shards that were taken out of service because what is stored contradicts itself; there must never be one. */
    List<String> broken() {
        return engine.outOfService().entrySet().stream().map(each -> each.getKey() + " " + each.getValue()).toList();
    }

    /** How it stands, for people. */
    String state() {
        return Stream.of(ShardLoop.State.values()).flatMap(this::shards).collect(Collectors.joining("; "));
    }

    private Stream<String> shards(ShardLoop.State state) {
        return engine.shards().stream().filter(shard -> shard.state() == state)
                .map(shard -> shard.fence() + " " + state + " " + shard.trouble());
    }

    @Override
    public void close() {
        thread.close();
        workers.close();
    }
}
