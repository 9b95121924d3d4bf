package dev.pawl.testkit.sim;

import dev.pawl.engine.store.Claim;
import dev.pawl.engine.store.Fence;
import dev.pawl.engine.store.Lease;
import dev.pawl.engine.store.Presence;
import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.StaleOwner;
import dev.pawl.kernel.id.WorkflowKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The lease rows and their rules, judged by the store's clock. */
final class SimLeases {

    private final SimTables tables;
    private final InstantSource clock;
    private final Set<Flaw> flaws;
    private final Map<ShardId, Integer> robberies = new HashMap<>();

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
        List<Lease> leases = new ArrayList<>();
        for (SimShard shard : tables.shards.values()) {
            if (shard.id().namespace().equals(namespace) && shard.id().group().equals(group)) {
                leases.add(shard.lease(now));
            }
        }
        return leases;
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

    Claim takeOver(Lease seen, String owner, Duration ttl, int format) {
        SimShard shard = shard(seen.shard());
        boolean same = shard.epoch() == seen.epoch() && Objects.equals(shard.owner(), seen.owner())
                && Objects.equals(shard.expiresAt(), seen.expiresAt());
        if (!same && !flaws.contains(Flaw.STEALS_LIVE_LEASE)) {
            return new Claim.Held(Objects.requireNonNullElse(seen.owner(), ""),
                    Objects.requireNonNullElse(seen.expiresAt(), Instant.EPOCH));
        }
        return shard.format() > format ? new Claim.FormatTooNew(shard.format())
                : own(shard, owner, shard.epoch() + 1, ttl, Math.max(format, shard.format()), shard.owner() == null);
    }

    List<Presence> renewAll(String namespace, String group, String owner, Duration ttl, boolean shares) {
        String place = place(namespace, group);
        Instant now = clock.instant();
        Instant until = now.plus(ttl);
        SimTables.EngineRow before = tables.engines.get(place + owner);
        Instant since = before != null && now.isBefore(before.expiresAt()) ? before.since() : now;
        tables.engines.put(place + owner, new SimTables.EngineRow(place, owner, since, until, ttl, shares));
        tables.shards.replaceAll((id, shard) -> id.namespace().equals(namespace) && id.group().equals(group)
                && renews(shard, owner) ? shard.ownedBy(owner, shard.epoch(), until, ttl, shard.format()) : shard);
        return presences(namespace, group);
    }

    private boolean renews(SimShard shard, String owner) {
        boolean stale = shard.owner() != null && flaws.contains(Flaw.RENEWS_STALE_OWNER);
        return stale || (owner.equals(shard.owner()) && !Instant.EPOCH.equals(shard.expiresAt()));
    }

    List<Presence> presences(String namespace, String group) {
        String place = place(namespace, group);
        Instant now = clock.instant();
        List<Presence> presences = new ArrayList<>();
        for (SimTables.EngineRow row : tables.engines.values()) {
            if (row.place().equals(place) || flaws.contains(Flaw.MIXES_GROUPS_OF_ENGINES)) {
                presences.add(new Presence(row.owner(), row.expiresAt(), row.ttl(),
                        now.isBefore(row.expiresAt()) || flaws.contains(Flaw.COUNTS_SILENT_ENGINES), row.shares()));
            }
        }
        return presences;
    }

    @Nullable Instant presentSince(String namespace, String group, String owner) {
        SimTables.EngineRow row = tables.engines.get(place(namespace, group) + owner);
        return row != null && clock.instant().isBefore(row.expiresAt()) ? row.since() : null;
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
            tables.shards.put(shard.id(), shard.free());
        }
    }

    void abandon(Fence fence) {
        SimShard shard = shard(fence.shard());
        if (shard.heldUnder(fence)) {
            tables.shards.put(shard.id(), shard.until(Instant.EPOCH));
        }
    }

    boolean depart(String namespace, String group, String owner) {
        return flaws.contains(Flaw.COUNTS_DEPARTED_ENGINES)
                || tables.engines.remove(place(namespace, group) + owner) != null;
    }

    boolean forget(String namespace, String group, Presence seen) {
        String engine = place(namespace, group) + seen.owner();
        SimTables.EngineRow row = tables.engines.get(engine);
        return row != null && row.expiresAt().equals(seen.expiresAt()) && tables.engines.remove(engine) != null;
    }

    private static String place(String namespace, String group) {
        return namespace + "/" + group + "/";
    }

    /** Somebody else takes the shard and is gone at once: the nastiest moment for its owner. */
    void robbed(Fence fence) {
        robberies.merge(fence.shard(), 1, Integer::sum);
        SimShard shard = shard(fence.shard());
        tables.shards.put(shard.id(),
                shard.ownedBy("robber", shard.epoch() + 1, Instant.EPOCH, shard.ttl(), shard.format()));
    }

    int robberies(WorkflowKey workflow, String group) {
        ShardId shard = ShardId.of(workflow, group, tables.shardCount(workflow.namespace(), group));
        return robberies.getOrDefault(shard, 0);
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
        tables.shards.put(shard.id(), shard.ownedBy(owner, epoch, until, ttl, format));
        return new Claim.Claimed(new Fence(shard.id(), epoch), until, clean);
    }
}
