package dev.pawl.engine.world;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A thread that does a job again and again, and rests when there was nothing to do. A platform thread: the job may block, and must
 * not pin a carrier thread.
 */
final class Pulse {

    private static final Logger LOG = System.getLogger(Pulse.class.getName());

    /** It never rests longer: a clock may be set back, and a look costs nothing. */
    private static final Duration REST_MAX = Duration.ofSeconds(1);

    private final BooleanSupplier job;
    private final Supplier<@Nullable Instant> wakeAt;
    private final InstantSource clock;
    private final Thread thread;
    /** Whoever waits inside the job may use up the permit that {@code unpark} gives, so there is a flag as well. */
    private volatile boolean called;
    private volatile boolean stopped;
    private volatile @Nullable Instant lastBeat;

    /**
     * Starts with {@link #start}.
     *
     * @param job returns whether there was anything to do
     * @param wakeAt when there will be something to do, or null if that is not known
     * @param dying is told of an error that the thread dies of
     */
    Pulse(String name, BooleanSupplier job, Supplier<@Nullable Instant> wakeAt, InstantSource clock,
            Consumer<Throwable> dying) {
        this.job = job;
        this.wakeAt = wakeAt;
        this.clock = clock;
        this.thread = Thread.ofPlatform().name(name)
                .uncaughtExceptionHandler((dead, error) -> dying.accept(error))
                .unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** There is something to do now. From any thread. */
    void wake() {
        // If it has been called before, it looks again before it rests: so it need not be disturbed while it waits inside the job.
        if (!called) {
            called = true;
            LockSupport.unpark(thread);
        }
    }

    /** Stops after what is under way. From any thread. */
    void stop() {
        stopped = true;
        wake();
    }

    boolean running() {
        return !stopped;
    }

    Beat last() {
        return new Beat(thread.getName(), thread.isAlive(), lastBeat);
    }

    /** Waits for its end, whoever would like the caller to stop waiting: what comes after it must not overlap with it. */
    void join() {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        while (!stopped) {
            called = false;
            lastBeat = clock.instant();
            if (!beat() && !called) {
                // Waking too early costs a look and nothing else.
                LockSupport.parkNanos(this, restMillis() * 1_000_000);
            }
        }
    }

    private boolean beat() {
        try {
            return job.getAsBoolean();
        } catch (RuntimeException e) {
            // Whatever it came from leaves itself a pause; everything else on this thread must go on.
            LOG.log(Level.ERROR, "unexpected, on " + thread.getName(), e);
            return false;
        }
    }

    private long restMillis() {
        Instant until = wakeAt.get();
        return until == null
                ? REST_MAX.toMillis()
                : Math.clamp(Duration.between(clock.instant(), until).toMillis(), 1, REST_MAX.toMillis());
    }
}
