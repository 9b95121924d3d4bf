package dev.pawl.engine.shard;

import dev.pawl.engine.Incidents;
import dev.pawl.engine.Incidents.Kind;
import dev.pawl.engine.store.StoreException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Notices when the store cannot be used and when it can be again: an outage begins with the first part of the engine that fails, and ends
 * when all that have failed have gone on. Safe for use by many threads.
 */
final class StoreWatch {

    private static final String STORE = "store";

    private final Incidents incidents;
    private final InstantSource clock;
    private final Set<Object> failing = new HashSet<>();
    private volatile boolean outage;
    private volatile @Nullable Instant since;
    private volatile @Nullable Instant lastSuccess;
    private volatile @Nullable Instant lastFailure;
    private volatile @Nullable String failure;
    private volatile long commitNanos = -1;

    StoreWatch(Incidents incidents, InstantSource clock) {
        this.incidents = incidents;
        this.clock = clock;
    }

    /** A part of the engine could not go on because of the store. */
    void failed(Object part, StoreException e) {
        lastFailure = clock.instant();
        failure = e.getMessage();
        if (e instanceof StoreException.Unavailable || e instanceof StoreException.Full) {
            begin(part, e);
        }
    }

    private synchronized void begin(Object part, StoreException e) {
        if (failing.add(part) && failing.size() == 1) {
            outage = true;
            since = clock.instant();
            incidents.begins(Kind.STORE_OUTAGE, STORE, Level.WARNING, "the store cannot be used (" + e.code() + "): "
                    + e.getMessage() + ". Workflows wait and go on by themselves when it can be used again; nothing is"
                    + " lost, and no attempt begins once the lease of this engine has run out. Check the database and"
                    + (e instanceof StoreException.Full ? " its disk space" : " the network"));
        }
    }

    /** A part of the engine has used the store. */
    void succeeded(Object part) {
        lastSuccess = clock.instant();
        if (outage) {
            forget(part);
        }
    }

    /** A part of the engine is over. */
    synchronized void forget(Object part) {
        if (failing.remove(part) && failing.isEmpty()) {
            outage = false;
            Instant begun = since;
            incidents.ends(Kind.STORE_OUTAGE, STORE, "the store can be used again, after "
                    + (begun == null ? Duration.ZERO : Duration.between(begun, clock.instant())));
        }
    }

    /** A commit took so long, from when it was handed in. */
    void committed(long nanos) {
        commitNanos = nanos;
    }

    StoreCondition condition() {
        return new StoreCondition(!outage, lastSuccess, lastFailure, failure,
                commitNanos < 0 ? null : Duration.ofNanos(commitNanos));
    }
}
