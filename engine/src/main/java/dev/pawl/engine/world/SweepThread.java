package dev.pawl.engine.world;

import dev.pawl.engine.retention.Sweeper;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.InstantSource;
import java.util.concurrent.locks.LockSupport;

/** Gives a sweeper its turns, on a thread of its own that rests between two of them: whatever else there is to do comes first. */
public final class SweepThread implements AutoCloseable {

    private static final Logger LOG = System.getLogger(SweepThread.class.getName());

    /** Between two transactions of a sweep, so that one that has much to do is not all that a database does. */
    private static final long PAUSE_NANOS = 20_000_000;

    private final Pulse pulse;

    /** Starts at once. */
    public SweepThread(String name, Sweeper sweeper, InstantSource clock) {
        this.pulse = new Pulse("pawl-" + name + "-sweep", () -> {
            boolean more = sweeper.turn();
            if (more) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
            return more;
        }, sweeper::nextAt, clock, error -> LOG.log(Level.ERROR, "nothing is swept any more", error));
        pulse.start();
    }

    public Beat beat() {
        return pulse.last();
    }

    /** Stops after what is under way. */
    @Override
    public void close() {
        pulse.stop();
        pulse.join();
    }
}
