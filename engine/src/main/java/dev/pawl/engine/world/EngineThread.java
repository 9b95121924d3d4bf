package dev.pawl.engine.world;

import dev.pawl.engine.shard.Engine;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.locks.LockSupport;

/**
 * Gives an engine its turns, on a platform thread of its own: what it calls may block and must not pin a carrier thread.
 */
public final class EngineThread implements AutoCloseable {

    private final Engine engine;
    private final InstantSource clock;
    private final Duration poll;
    private final Thread thread;
    private volatile boolean stopped;

    /**
     * Starts at once.
     *
     * @param poll how long it rests at most when there is nothing to do: how late it hears of what others left in an inbox
     */
    public EngineThread(String name, Engine engine, InstantSource clock, Duration poll) {
        this.engine = engine;
        this.clock = clock;
        this.poll = poll;
        this.thread = Thread.ofPlatform().name("pawl-" + name).start(this::run);
    }

    /** There is something to do now. From any thread. */
    public void wake() {
        LockSupport.unpark(thread);
    }

    private void run() {
        while (!stopped) {
            if (!engine.turn()) {
                // Waking too early costs a turn and nothing else.
                LockSupport.parkNanos(this, restNanos());
            }
        }
        engine.drain();
    }

    private long restNanos() {
        long untilWake = Duration.between(clock.instant(), engine.wakeAt()).toMillis();
        return Math.clamp(untilWake, 1, poll.toMillis()) * 1_000_000;
    }

    /** Stops after the turn under way, and gives the shards back. */
    @Override
    public void close() {
        stopped = true;
        wake();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
