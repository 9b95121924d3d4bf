package dev.pawl.engine.world;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;

/** Gives a watchdog its turns, on a platform thread: what it looks for may have stopped every virtual one. */
public final class WatchdogThread implements AutoCloseable {

    private static final Logger LOG = System.getLogger(WatchdogThread.class.getName());

    private final Pulse pulse;

    /** Starts at once. */
    public WatchdogThread(String name, Runnable look, Duration every, InstantSource clock) {
        this.pulse = new Pulse("pawl-" + name + "-watchdog", () -> {
            look.run();
            return false;
        }, () -> clock.instant().plus(every), clock,
                error -> LOG.log(Level.ERROR, "long operations are not reported any more", error));
        pulse.start();
    }

    /** Stops after what is under way. */
    @Override
    public void close() {
        pulse.stop();
        pulse.join();
    }
}
