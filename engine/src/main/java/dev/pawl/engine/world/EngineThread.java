package dev.pawl.engine.world;

import dev.pawl.engine.shard.Engine;
import dev.pawl.engine.store.ShardId;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Runs an engine on threads of its own: one tends the leases, so that nothing that is slow can cost one; the others are lanes, each of
 * which drives its shards one after the other. So several commits are under way at once, and no shard is ever driven by two threads.
 */
public final class EngineThread implements AutoCloseable {

    private static final Logger LOG = System.getLogger(EngineThread.class.getName());

    private final Engine engine;
    private final Pulse tending;
    private final List<Pulse> lanes;
    private volatile boolean died;

    /** Starts at once. */
    public EngineThread(String name, Engine engine, InstantSource clock) {
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
        tending.start();
        lanes.forEach(Pulse::start);
    }

    private void wake(ShardId shard) {
        lanes.get(shard.number() % lanes.size()).wake();
    }

    /**
     * Nobody knows what an error leaves behind. A lane without a thread would hold its shards for ever, so everything stops as if the
     * process had died: the leases run out, and the next owner takes every message for a suspect.
     */
    private void die(Throwable error) {
        died = true;
        LOG.log(Level.ERROR, "the engine has stopped; start it anew", error);
        tending.stop();
        lanes.forEach(Pulse::stop);
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
        if (!died) {
            engine.drain();
        }
    }
}
