package dev.pawl.engine.shard;

import dev.pawl.engine.store.Lease;
import dev.pawl.engine.store.Presence;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Judges whether the owners of leases still renew them: by this engine's own monotonic clock, from when it first saw a lease as it is now.
 * The store's clock alone proves nothing. Set ahead, it lets every lease look expired; set back, it lets the lease of a dead process
 * look alive for hours.
 *
 * <p>A lease is over if it was not renewed for its whole time here; or if the store says that it has expired and it was not renewed here
 * for as long as a renewal takes at the most. Not thread-safe; owned by the {@link LeaseKeeper}.
 */
final class LeaseWatch {

    /** A live owner renews at least three times within the time of its lease; this is that, and some slack. */
    private static final int OVERDUE_NUMERATOR = 2;
    private static final int OVERDUE_DENOMINATOR = 5;

    private final String self;
    private final LongSupplier ticker;
    private final Map<Object, Seen> seen = new HashMap<>();

    /** A lease, and since when it has looked exactly so. */
    private record Seen(Object lease, long sinceNanos, Duration ttl, boolean live) {
    }

    /** What a renewal, or another owner, changes of a shard's lease. */
    private record Held(String owner, long epoch, @Nullable Instant expiresAt) {
    }

    LeaseWatch(String self, LongSupplier ticker) {
        this.self = self;
        this.ticker = ticker;
    }

    /** What the store says now. */
    void look(List<Lease> leases, List<Presence> presences) {
        long now = ticker.getAsLong();
        Set<Object> there = new HashSet<>();
        for (Lease lease : leases) {
            if (lease.owner() != null && !lease.owner().equals(self)) {
                note(lease.shard(), new Held(lease.owner(), lease.epoch(), lease.expiresAt()), lease.ttl(),
                        lease.live(), now);
                there.add(lease.shard());
            }
        }
        for (Presence presence : presences) {
            if (!presence.owner().equals(self)) {
                note(presence.owner(), presence.expiresAt(), presence.ttl(), presence.live(), now);
                there.add(presence.owner());
            }
        }
        seen.keySet().retainAll(there);
    }

    private void note(Object key, Object lease, Duration ttl, boolean live, long now) {
        Seen before = seen.get(key);
        long since = before != null && before.lease().equals(lease) ? before.sinceNanos() : now;
        seen.put(key, new Seen(lease, since, ttl, live));
    }

    /** Whether no renewal of this lease is to be expected any more. */
    boolean over(Lease lease) {
        return lease.over() || over(seen.get(lease.shard()));
    }

    boolean over(Presence presence) {
        return over(seen.get(presence.owner()));
    }

    private boolean over(@Nullable Seen lease) {
        if (lease == null) {
            return false;
        }
        long silent = ticker.getAsLong() - lease.sinceNanos();
        return silent >= lease.ttl().toNanos() || (!lease.live() && silent >= overdue(lease.ttl()));
    }

    private static long overdue(Duration ttl) {
        return ttl.toNanos() / OVERDUE_DENOMINATOR * OVERDUE_NUMERATOR;
    }

    /** When it is worth another look: when the first lease is overdue, and from then on often. */
    Duration next(Duration usual, Duration closely) {
        long now = ticker.getAsLong();
        long next = usual.toNanos();
        for (Seen lease : seen.values()) {
            long left = overdue(lease.ttl()) - (now - lease.sinceNanos());
            next = Math.min(next, Math.max(left, closely.toNanos()));
        }
        return Duration.ofNanos(next);
    }
}
