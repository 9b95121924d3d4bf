package dev.pawl.testkit.simulate;

import dev.pawl.engine.Definition;
import dev.pawl.engine.EngineSettings;
import dev.pawl.engine.Incidents;
import dev.pawl.engine.flow.FlowRuntime;
import dev.pawl.engine.limit.Pools;
import dev.pawl.engine.shard.Definitions;
import dev.pawl.engine.shard.Engine;
import dev.pawl.engine.task.Dispatcher;
import dev.pawl.kernel.id.Guid;
import dev.pawl.testkit.scenario.Scenario;
import dev.pawl.testkit.sim.SimLink;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** One place where an engine runs, dies and is started again. Its clock is its own, and may be wrong. */
final class SimEngine {

    /** So few that operations wait for each other's places. */
    private static final int WORKERS_MAX = 4;

    /** A store that fails is not asked for ever: then the lease of the shard has to run out. */
    private static final int DECLARING_TURNS_MAX = 10;

    final String name;
    final SimLink link;
    final Engine engine;
    final SimThreads threads;
    private final FlowRuntime runtime;
    private final InstantSource clock;
    /** How many were issued. In place of chance: a run must be the same each time. */
    private long secrets;
    private Duration skew = Duration.ZERO;
    boolean paused;
    boolean alive = true;

    SimEngine(String name, SimLink link, Play play, Dispatcher dispatcher, InstantSource worldClock,
            EngineSettings settings, BooleanSupplier switches) {
        this.name = name;
        this.link = link;
        this.clock = () -> skew.isZero() ? worldClock.instant() : worldClock.instant().plus(skew);
        this.threads = new SimThreads(worldClock, switches);
        Play.Site site = new Play.Site(name, threads);
        List<Definition> definitions = play.definitions(site);
        this.runtime = new FlowRuntime(new Definitions(definitions), play.codec(site), clock, threads,
                play.waitingMax(), WORKERS_MAX, () -> Guid.derive("secret", name, Long.toString(++secrets)).toString(),
                new Incidents());
        this.engine = new Engine(name, link.store(), Scenario.NAMESPACE, Scenario.GROUP,
                definitions.stream().map(play::asked).toList(),
                dispatcher,
                play.host(runtime), clock, () -> nanos(worldClock.instant()), settings);
        runtime.connect(play.submitting(engine::submit), engine::transact, engine::revive, play.lease(engine),
                link.store(),
                new Pools(name, link.store(), threads, settings.leaseTtl(), settings.renewEvery()));
    }

    /** Monotonic: whatever happens to the clock of an engine, this one is never set. */
    private static long nanos(Instant instant) {
        return TimeUnit.SECONDS.toNanos(instant.getEpochSecond()) + instant.getNano();
    }

    /** The process ends, and its threads with it: nothing they still do is seen by anybody. */
    void end() {
        alive = false;
        link.cut();
        runtime.close();
        threads.end();
    }

    /** Stops in order: gives its shards back, and says how its attempts have ended. What still runs is declared and left behind, and its lease stays. */
    void leave(Runnable turn) {
        for (int i = 0; i < DECLARING_TURNS_MAX && !runtime.declareRunning(); i++) {
            turn.run();
        }
        engine.drain();
        runtime.handOver(Duration.ZERO);
        while (!runtime.handedOver() && threads.ready() > 0) {
            threads.run(0);
        }
        if (runtime.handedOver() && runtime.running().isEmpty()) {
            engine.depart();
        }
    }

    void skew(Duration by) {
        skew = skew.plus(by);
    }

    Instant now() {
        return clock.instant();
    }

    /** When it has something to do at the latest, by the clock of the world. */
    Instant wakeAt() {
        Instant wakeAt = engine.wakeAt();
        return skew.isZero() ? wakeAt : wakeAt.minus(skew);
    }
}
