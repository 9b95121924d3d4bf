package dev.pawl.testkit.simulate;

import dev.pawl.engine.Definition;
import dev.pawl.engine.EngineSettings;
import dev.pawl.engine.flow.FlowRuntime;
import dev.pawl.engine.limit.Pools;
import dev.pawl.engine.shard.Definitions;
import dev.pawl.engine.shard.Engine;
import dev.pawl.engine.task.Dispatcher;
import dev.pawl.testkit.scenario.Scenario;
import dev.pawl.testkit.sim.SimLink;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/** One place where an engine runs, dies and is started again. Its clock is its own, and may be wrong. */
final class SimEngine {

    final String name;
    final SimLink link;
    final Engine engine;
    final SimThreads threads;
    private final FlowRuntime runtime;
    private final InstantSource clock;
    private Duration skew = Duration.ZERO;
    boolean paused;
    boolean alive = true;

    SimEngine(String name, SimLink link, Play play, Dispatcher dispatcher, InstantSource worldClock,
            EngineSettings settings) {
        this.name = name;
        this.link = link;
        this.clock = () -> worldClock.instant().plus(skew);
        this.threads = new SimThreads(worldClock);
        List<Definition> definitions = play.definitions(new Play.Site(name, threads));
        this.runtime = new FlowRuntime(new Definitions(definitions), SimCodec.INSTANCE, clock, threads,
                play.waitingMax());
        this.engine = new Engine(name, link.store(), Scenario.NAMESPACE, Scenario.GROUP, definitions, dispatcher,
                play.host(runtime), clock, settings);
        runtime.connect(play.submitting(engine::submit), engine::transact, engine::revive,
                link.store(),
                new Pools(name, link.store(), threads, settings.leaseTtl(), settings.renewEvery()));
    }

    /** The process ends, and its threads with it: nothing they still do is seen by anybody. */
    void end() {
        alive = false;
        runtime.close();
        threads.end();
    }

    void skew(Duration by) {
        skew = skew.plus(by);
    }

    Instant now() {
        return clock.instant();
    }

    /** How far ahead of the world its clock is. */
    Duration skew() {
        return skew;
    }
}
