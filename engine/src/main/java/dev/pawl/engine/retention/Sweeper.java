package dev.pawl.engine.retention;

import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.StoreException;
import dev.pawl.engine.store.Swept;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * Deletes what is over, a little at a time. It needs no shard: several engines may sweep the same namespace at once, each workflow goes
 * once. Never in the way of those that drive workflows: a thread of its own gives it its turns, and each deletes a few workflows at most.
 *
 * <p>Safe for use by many threads.
 */
public final class Sweeper {

    private static final Logger LOG = System.getLogger(Sweeper.class.getName());

    /** A transaction that deletes so many does not hold up a writer for long. */
    private static final int WORKFLOWS_MAX = 50;

    private final Store store;
    private final String namespace;
    private final InstantSource clock;
    private final Duration every;
    private volatile RetentionPolicy policy;
    private volatile Instant next;
    private volatile @Nullable Instant lastRun;
    private volatile @Nullable Instant lastFailure;
    private volatile @Nullable String failure;

    /**
     * Has nothing to do before the first interval is over: whoever opens a store in order to change the policy comes before it.
     *
     * @param every how long it rests when there is nothing left to delete
     */
    public Sweeper(Store store, String namespace, RetentionPolicy policy, Duration every, InstantSource clock) {
        if (!every.isPositive()) {
            throw new IllegalArgumentException("a sweep is due after some time, not after " + every);
        }
        this.store = store;
        this.namespace = namespace;
        this.policy = policy;
        this.every = every;
        this.clock = clock;
        this.next = clock.instant().plus(every);
    }

    public RetentionPolicy policy() {
        return policy;
    }

    /** From now on, and for what is over already. */
    public void policy(RetentionPolicy newPolicy) {
        policy = newPolicy;
    }

    /** What sweeping by a policy would delete now. Nothing is deleted. */
    public Swept dryRun(RetentionPolicy by) {
        Instant now = clock.instant();
        return store.sweepable(namespace, by.cutoffs(now), now);
    }

    /** Deletes everything that may go now, a little at a time. */
    public Swept sweep() {
        Swept all = Swept.NOTHING;
        Swept some;
        do {
            some = some();
            all = all.plus(some);
        } while (!some.isNothing());
        return all;
    }

    private Swept some() {
        Instant now = clock.instant();
        return store.sweep(namespace, policy.cutoffs(now), now, WORKFLOWS_MAX);
    }

    /** When it is time to, deletes a little. Returns whether there may be more. */
    public boolean turn() {
        Instant now = clock.instant();
        if (now.isBefore(next)) {
            return false;
        }
        boolean more = false;
        try {
            more = !some().isNothing();
            lastRun = now;
        } catch (StoreException e) {
            // Nothing waits for it. What it has left behind goes next time.
            LOG.log(Level.DEBUG, "nothing was swept", e);
            lastFailure = now;
            failure = e.getMessage();
        }
        if (!more) {
            next = now.plus(every);
        }
        return more;
    }

    /** When a turn of it has last reached the store; null if none has. */
    public @Nullable Instant lastRun() {
        return lastRun;
    }

    /** When a turn of it has last failed; null if none has. */
    public @Nullable Instant lastFailure() {
        return lastFailure;
    }

    /** What that failed of. */
    public @Nullable String failure() {
        return failure;
    }

    /** When the next turn has something to do. */
    public Instant nextAt() {
        return next;
    }
}
