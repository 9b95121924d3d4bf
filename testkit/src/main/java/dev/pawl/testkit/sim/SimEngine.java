package dev.pawl.testkit.sim;

import dev.pawl.engine.EngineSettings;
import dev.pawl.engine.shard.Engine;
import dev.pawl.engine.task.Dispatcher;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** One place where an engine runs, dies and is started again. Its clock is its own, and may be wrong. */
final class SimEngine {

    final String name;
    final SimLink link;
    final Engine engine;
    private final InstantSource clock;
    private Duration skew = Duration.ZERO;
    boolean paused;
    boolean alive = true;

    SimEngine(String name, SimLink link, SimScript script, Dispatcher dispatcher, InstantSource worldClock,
            EngineSettings settings) {
        this.name = name;
        this.link = link;
        this.clock = () -> worldClock.instant().plus(skew);
        this.engine = new Engine(name, link.store(), SimScript.NAMESPACE, SimScript.GROUP, script.definitions(),
                dispatcher, clock, settings);
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
