package dev.pawl;

import dev.pawl.engine.store.StoreException;
import java.time.Duration;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Repeats a call while the store is busy or away, with growing pauses, until the call's time limit. Only for calls that may run more than
 * once: reads, and requests that carry an id. Safe for use by many threads.
 */
final class StoreRetry {

    private static final long PAUSE_MILLIS_MIN = 10;
    private static final long PAUSE_MILLIS_MAX = 500;

    private final LongSupplier ticker;
    private final LongConsumer pausing;

    /**
     * Repeats calls by these clocks.
     *
     * @param ticker nanoseconds that only grow
     * @param pausing waits for so many milliseconds, or until the thread is interrupted
     */
    StoreRetry(LongSupplier ticker, LongConsumer pausing) {
        this.ticker = ticker;
        this.pausing = pausing;
    }

    /**
     * Returns what the call returns. Throws what it throws, unless that {@link StoreException#passes passes}: then only after the limit. Throws
     * {@link WorkflowError#interrupted} if it passes and the thread is interrupted.
     *
     * @param what names the call in the error, with its workflow
     */
    <T> T call(String what, Duration limit, Supplier<T> call) {
        long began = ticker.getAsLong();
        long pause = PAUSE_MILLIS_MIN;
        for (int attempt = 1;; attempt++) {
            try {
                return call.get();
            } catch (StoreException e) {
                long millis = (ticker.getAsLong() - began) / 1_000_000;
                if (!e.passes()) {
                    throw e;
                }
                if (Thread.currentThread().isInterrupted()) {
                    throw WorkflowError.interrupted(what, e);
                }
                if (millis >= limit.toMillis()) {
                    throw gaveUp(what + ": gave up after " + millis + " ms and " + attempt
                            + (attempt == 1 ? " attempt" : " attempts") + "; the store says: " + e.getMessage(), e);
                }
                pausing.accept(Math.max(1, Math.min(pause, limit.toMillis() - millis)));
                pause = Math.min(2 * pause, PAUSE_MILLIS_MAX);
            }
        }
    }

    /** The same error with the same code, and what was tried. */
    private static StoreException gaveUp(String message, StoreException last) {
        return switch (last) {
            case StoreException.Busy busy -> new StoreException.Busy(message, busy);
            case StoreException.Unavailable away -> StoreException.Unavailable.passing(message, away);
            case StoreException.CommitUnknown unknown -> new StoreException.CommitUnknown(message, unknown);
            case StoreException.Full full -> full;
            case StoreException.CapabilityMissing missing -> missing;
            case StoreException.DependencyMissing missing -> missing;
            case StoreException.Damaged damaged -> damaged;
            case StoreException.Foreign foreign -> foreign;
        };
    }
}
