package dev.pawl.testkit.engine;

import dev.pawl.engine.Definition;
import dev.pawl.engine.EngineSettings;
import dev.pawl.engine.shard.Engine;
import dev.pawl.engine.store.Lease;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.task.Dispatcher;
import dev.pawl.testkit.sim.Faults;
import dev.pawl.testkit.sim.Operation;
import dev.pawl.testkit.sim.SimClock;
import dev.pawl.testkit.sim.SimLink;
import dev.pawl.testkit.sim.SimStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** Real engines on one simulated store and clock, each with a connection of its own whose calls are counted. */
final class Cluster {

    static final String NAMESPACE = "test";
    static final String GROUP = "shop";
    private static final Duration TICK = Duration.ofMillis(100);

    final SimClock clock = new SimClock();
    /** The clock of the store may be wrong, and be set. */
    final SkewedClock storeClock = new SkewedClock(clock);
    final SimStore store = new SimStore(storeClock);
    private final EngineSettings settings;
    private final List<Definition> definitions;
    private final Dispatcher dispatcher;
    private final Map<String, Engine> engines = new LinkedHashMap<>();
    private final Map<String, SimLink> links = new LinkedHashMap<>();

    /** A clock that is ahead of another one, or behind it. */
    static final class SkewedClock implements InstantSource {

        private final InstantSource clock;
        private Duration skew = Duration.ZERO;

        SkewedClock(InstantSource clock) {
            this.clock = clock;
        }

        @Override
        public Instant instant() {
            return clock.instant().plus(skew);
        }

        void skew(Duration by) {
            skew = skew.plus(by);
        }
    }

    Cluster(EngineSettings settings, Dispatcher dispatcher, Definition... definitions) {
        this.settings = settings;
        this.dispatcher = dispatcher;
        this.definitions = List.of(definitions);
    }

    Engine join(String name) {
        return join(name, UnaryOperator.identity(), Faults.none());
    }

    /** An engine that reaches the store through something else, and whose calls fail as the faults say. */
    Engine join(String name, UnaryOperator<Store> front, Faults faults) {
        SimLink link = new SimLink(front.apply(store), store::rob, faults);
        Engine engine = new Engine(name, link.store(), NAMESPACE, GROUP, definitions, dispatcher, clock, settings);
        links.put(name, link);
        engines.put(name, engine);
        return engine;
    }

    /** It is never heard of again. */
    void kill(String name) {
        engines.remove(name);
    }

    /** Time passes, and everybody does what there is to do in it. */
    void pass(Duration duration) {
        Instant end = clock.instant().plus(duration);
        work();
        while (clock.instant().isBefore(end)) {
            clock.advance(TICK);
            work();
        }
    }

    /** Everybody does what there is to do now. */
    void work() {
        boolean busy = true;
        while (busy) {
            busy = false;
            for (Engine engine : engines.values()) {
                busy |= engine.turn();
            }
        }
    }

    /** How many live leases each engine has. */
    Map<String, Integer> shares() {
        Map<String, Integer> shares = new TreeMap<>();
        leases().stream().filter(Lease::live).forEach(lease -> shares.merge(lease.owner(), 1, Integer::sum));
        return shares;
    }

    List<Lease> leases() {
        return store.leases(NAMESPACE, GROUP);
    }

    /** How often an operation was called, by all engines there ever were. */
    long calls(Operation operation) {
        return links.values().stream().mapToLong(link -> link.calls().of(operation)).sum();
    }
}
