package dev.pawl.engine.world;

import dev.pawl.engine.shard.Engine;
import dev.pawl.engine.store.ShardId;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs an engine on threads of its own: one tends the leases, so that nothing that is slow can cost one; the others are lanes, each of
 * which drives its shards one after the other. So several commits are under way at once, and no shard is ever driven by two threads.
 */
public final class EngineThread implements AutoCloseable {

    private static final Logger LOG = System.getLogger(EngineThread.class.getName());

    private final Engine engine;
    private final Pulse tending;
    private final List<Pulse> lanes;
    private final Consumer<Throwable> dying;
    private final AtomicReference<@Nullable Throwable> fatal = new AtomicReference<>();

    /** Starts at once. */
    public EngineThread(String name, Engine engine, InstantSource clock) {
        this(name, engine, clock, error -> {});
    }

    /**
     * Starts at once.
     *
     * @param dying hears of an error that has stopped the engine, when its shards are free
     */
    public EngineThread(String name, Engine engine, InstantSource clock, Consumer<Throwable> dying) {
        this.dying = dying;
        int count = engine.settings().lanes();
        this.engine = engine;
        this.tending = new Pulse("pawl-" + name + "-leases", () -> {
            engine.tend();
            return false;
        }, engine::tendAt, clock, this::die);
        this.lanes = IntStream.range(0, count)
                .mapToObj(lane -> new Pulse("pawl-" + name + "-" + lane, () -> engine.turn(lane, count),
                        () -> engine.wakeAt(lane, count), clock, this::die))
                .toList();
        engine.wakeBy(this::wake);
        engine.lookBy(tending::wake);
        tending.start();
        lanes.forEach(Pulse::start);
    }

    private void wake(ShardId shard) {
        lanes.get(shard.number() % lanes.size()).wake();
    }

    /**
     * An error leaves behind what nothing here can rely on. A lane without a thread would hold its shards for ever, so everything stops as
     * if the process had died, but for the leases: they are abandoned, so that other engines have the shards at once and take every
     * message for a suspect. Memory may be short: what frees the shards comes before what speaks of it.
     */
    private void die(Throwable error) {
        if (!fatal.compareAndSet(null, error)) {
            return;
        }
        tending.stop();
        for (Pulse lane : lanes) {
            lane.stop();
        }
        engine.fail();
        try {
            LOG.log(Level.ERROR, "the engine " + engine.process()
                    + " has stopped because of an error; its shards are free"
                    + " for other engines, and this process drives no workflow any more. End the process and start it anew"
                    + " (PawlBuilder.onFatalError can do that)", error);
        } finally {
            dying.accept(error);
        }
    }

    /** The error that has stopped the engine; null if none has. */
    public @Nullable Throwable fatal() {
        return fatal.get();
    }

    /** How its threads are: the one that renews the leases first, then each lane. */
    public List<Beat> beats() {
        return Stream.concat(Stream.of(tending), lanes.stream()).map(Pulse::last).toList();
    }

    /** False once it has been closed, or has died of an error. */
    public boolean running() {
        return tending.running();
    }

    /** Stops after what is under way, and gives the shards back. */
    @Override
    public void close() {
        tending.stop();
        tending.join();
        lanes.forEach(Pulse::stop);
        lanes.forEach(Pulse::join);
        if (fatal.get() == null) {
            engine.drain();
        }
    }
}
