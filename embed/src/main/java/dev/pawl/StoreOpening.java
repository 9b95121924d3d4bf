package dev.pawl;

import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.StoreException;
import dev.pawl.engine.world.Ticker;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Opens a store, and waits for it if that is wanted. Not thread-safe. */
final class StoreOpening {

    private static final Logger LOG = System.getLogger(PawlBuilder.class.getName());

    private final Supplier<Store> opening;
    private final Duration longest;
    private boolean waited;

    StoreOpening(Supplier<Store> opening, Duration longest) {
        this.opening = opening;
        this.longest = longest;
    }

    Store open() {
        if (longest.isZero()) {
            return opening.get();
        }
        Store store =
                new StoreRetry(Ticker::nanos, millis -> LockSupport.parkNanos(Duration.ofMillis(millis).toNanos()))
                        .call("opening the store", longest, this::attempt);
        if (waited) {
            LOG.log(Level.INFO, "the store is there; workflows go on");
        }
        return store;
    }

    private Store attempt() {
        try {
            return opening.get();
        } catch (StoreException e) {
            if (!waited && e.passes()) {
                waited = true;
                LOG.log(Level.WARNING, "waits up to " + longest + " for the store: " + e.getMessage());
            }
            throw e;
        }
    }
}
