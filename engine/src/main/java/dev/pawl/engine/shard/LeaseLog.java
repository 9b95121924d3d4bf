package dev.pawl.engine.shard;

import dev.pawl.engine.Incidents;
import dev.pawl.engine.store.Lease;
import dev.pawl.engine.store.ShardId;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** Says in the log which leases are waited for, and what became of them: each once. Owned by the {@link LeaseKeeper}. */
final class LeaseLog {

    private static final Logger LOG = System.getLogger(LeaseKeeper.class.getName());

    private final String owner;
    private final String group;
    private final Incidents incidents;
    /** Owners whose leases are known to be waited for. */
    private final Set<String> waitedFor = new HashSet<>();
    private final List<Lease> takenOver = new ArrayList<>();

    LeaseLog(String owner, String group, Incidents incidents) {
        this.owner = owner;
        this.group = group;
        this.incidents = incidents;
    }

    void gone(String engine) {
        LOG.log(Level.WARNING, "engine " + engine + " of group " + group + " has not renewed its lease in time and is"
                + " taken for dead; its shards and attempts are taken over");
    }

    void givesWay(String trouble) {
        LOG.log(Level.ERROR, trouble);
    }

    /** One of the shards that were free, or whose owner is gone. */
    void claimed(Lease before, boolean clean) {
        if (!clean) {
            takenOver.add(before);
        }
    }

    /** What this look has left to be waited for. */
    void waiting(List<Lease> leases, Set<ShardId> owned, int missing, Instant now) {
        if (!takenOver.isEmpty()) {
            LOG.log(Level.INFO, "engine " + owner + " has taken over " + takenOver.size() + " shards of group " + group
                    + " after an unclean end of " + owners(takenOver) + "; what ran there is recovered now");
            takenOver.clear();
        }
        List<Lease> held = new ArrayList<>();
        for (Lease lease : leases) {
            if (!owned.contains(lease.shard()) && lease.owner() != null && !lease.over()) {
                held.add(lease);
            }
        }
        if (held.isEmpty() || (missing <= 0 && waitedFor.isEmpty())) {
            waitedFor.clear();
            return;
        }
        waitedFor.retainAll(owners(held));
        if (missing > 0 && owned.isEmpty() && !held.isEmpty() && waitedFor.addAll(owners(held))) {
            Instant latest = held.stream().map(Lease::expiresAt).filter(Objects::nonNull).map(Objects::requireNonNull)
                    .max(Instant::compareTo).orElse(now);
            incidents.happened(Incidents.Kind.LEASE_AWAITED, Level.INFO, "engine " + owner
                    + " waits for shards of group "
                    + group + ": " + held.size() + " of them are leased by " + owners(held)
                    + ". A running engine hands over its surplus within moments; the lease of a dead one ends by itself,"
                    + " as things stand at " + latest);
        }
    }

    private static Set<String> owners(List<Lease> leases) {
        Set<String> owners = new TreeSet<>();
        leases.forEach(lease -> owners.add(Objects.requireNonNullElse(lease.owner(), "")));
        return owners;
    }
}
