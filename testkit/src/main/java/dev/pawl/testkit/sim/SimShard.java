package dev.pawl.testkit.sim;

import dev.pawl.engine.store.Fence;
import dev.pawl.engine.store.Lease;
import dev.pawl.engine.store.ShardId;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The row of one shard. */
record SimShard(ShardId id, @Nullable String owner, long epoch, @Nullable Instant expiresAt, Duration ttl,
        int format) {

    static SimShard created(ShardId id) {
        return new SimShard(id, null, 0, null, Duration.ofSeconds(15), 0);
    }

    boolean heldUnder(Fence fence) {
        return owner != null && epoch == fence.epoch();
    }

    boolean live(Instant now) {
        return expiresAt != null && now.isBefore(expiresAt);
    }

    SimShard ownedBy(String newOwner, long newEpoch, Instant until, Duration newTtl, int newFormat) {
        return new SimShard(id, newOwner, newEpoch, until, newTtl, newFormat);
    }

    SimShard free() {
        return new SimShard(id, null, epoch, null, ttl, format);
    }

    SimShard until(Instant until) {
        return new SimShard(id, owner, epoch, until, ttl, format);
    }

    Lease lease(Instant now) {
        return new Lease(id, owner, epoch, expiresAt, ttl, live(now), format);
    }
}
