package dev.pawl.testkit.sim;

import dev.pawl.engine.store.Claim;
import dev.pawl.engine.store.Fence;
import dev.pawl.engine.store.Lease;
import dev.pawl.engine.store.Renewal;
import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.StaleOwner;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** The lease rows and their rules, judged by the store's clock. */
final class SimLeases {

    private final SimTables tables;
    private final InstantSource clock;
    private final Set<Flaw> flaws;

    SimLeases(SimTables tables, InstantSource clock, Set<Flaw> flaws) {
        this.tables = tables;
        this.clock = clock;
        this.flaws = flaws;
    }

    int create(String namespace, String group, int count) {
        if (count < 1) {
            throw new IllegalArgumentException("a group has at least one shard, not " + count);
        }
        int existing = tables.shardCount(namespace, group);
        for (int number = 0; existing == 0 && number < count; number++) {
            ShardId id = new ShardId(namespace, group, number);
            tables.shards.put(id, SimShard.created(id));
        }
        return existing == 0 ? count : existing;
    }

    List<Lease> leases(String namespace, String group) {
        Instant now = clock.instant();
        return tables.shards.values().stream()
                .filter(shard -> shard.id().namespace().equals(namespace) && shard.id().group().equals(group))
                .map(shard -> shard.lease(now))
                .toList();
    }

    Claim claim(ShardId id, String owner, Duration ttl, int format) {
        SimShard shard = shard(id);
        if (shard.format() > format && !flaws.contains(Flaw.IGNORES_FORMAT)) {
            return new Claim.FormatTooNew(shard.format());
        }
        boolean live = (shard.live(clock.instant()) && !flaws.contains(Flaw.STEALS_LIVE_LEASE))
                || flaws.contains(Flaw.NEVER_EXPIRES);
        if (shard.owner() != null && shard.expiresAt() != null && live) {
            return new Claim.Held(shard.owner(), shard.expiresAt());
        }
        long epoch = flaws.contains(Flaw.REUSES_EPOCH) && shard.epoch() > 0 ? shard.epoch() : shard.epoch() + 1;
        boolean clean = shard.owner() == null || flaws.contains(Flaw.FORGETS_UNCLEAN_END);
        return own(shard, owner, epoch, ttl, Math.max(format, shard.format()), clean);
    }

    Renewal renew(Fence fence, Duration ttl) {
        SimShard shard = shard(fence.shard());
        if (!shard.heldUnder(fence) && !flaws.contains(Flaw.RENEWS_STALE_OWNER)) {
            return new StaleOwner(shard.epoch());
        }
        Instant until = clock.instant().plus(ttl);
        tables.shards.put(shard.id(), shard.ownedBy(shard.owner(), shard.epoch(), until, shard.format()));
        return new Renewal.Renewed(until);
    }

    Claim raise(Fence fence, Duration ttl) {
        SimShard shard = shard(fence.shard());
        String owner = shard.owner();
        if (!shard.heldUnder(fence) || owner == null) {
            return new StaleOwner(shard.epoch());
        }
        long epoch = flaws.contains(Flaw.RAISES_NOTHING) ? shard.epoch() : shard.epoch() + 1;
        return own(shard, owner, epoch, ttl, shard.format(), false);
    }

    void release(Fence fence) {
        SimShard shard = shard(fence.shard());
        if (shard.heldUnder(fence)) {
            tables.shards.put(shard.id(), shard.ownedBy(null, shard.epoch(), null, shard.format()));
        }
    }

    List<String> announce(String namespace, String group, String owner, Duration ttl) {
        String place = place(namespace, group);
        Instant now = clock.instant();
        tables.engines.put(place + owner, now.plus(ttl));
        tables.engines.values().removeIf(until -> !now.isBefore(until) && !flaws.contains(Flaw.COUNTS_SILENT_ENGINES));
        return tables.engines.keySet().stream()
                .filter(engine -> engine.startsWith(place) || flaws.contains(Flaw.MIXES_GROUPS_OF_ENGINES))
                .map(engine -> engine.replaceFirst("^" + Pattern.quote(place), ""))
                .toList();
    }

    boolean depart(String namespace, String group, String owner) {
        return flaws.contains(Flaw.COUNTS_DEPARTED_ENGINES)
                || tables.engines.remove(place(namespace, group) + owner) != null;
    }

    private static String place(String namespace, String group) {
        return namespace + "/" + group + "/";
    }

    /** Somebody else takes the shard and is gone at once: the nastiest moment for its owner. */
    void robbed(Fence fence) {
        SimShard shard = shard(fence.shard());
        tables.shards.put(shard.id(), shard.ownedBy("robber", shard.epoch() + 1, clock.instant(), shard.format()));
    }

    SimShard shard(ShardId id) {
        SimShard shard = tables.shards.get(id);
        if (shard == null) {
            throw new IllegalArgumentException("no shard " + id + "; create the shards of its group first");
        }
        return shard;
    }

    private Claim own(SimShard shard, String owner, long epoch, Duration ttl, int format, boolean clean) {
        Instant until = clock.instant().plus(ttl);
        tables.shards.put(shard.id(), shard.ownedBy(owner, epoch, until, format));
        return new Claim.Claimed(new Fence(shard.id(), epoch), until, clean);
    }
}
