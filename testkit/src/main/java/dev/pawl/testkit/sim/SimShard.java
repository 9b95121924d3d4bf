package dev.pawl.testkit.sim;

import dev.pawl.engine.store.Fence;
import dev.pawl.engine.store.Lease;
import dev.pawl.engine.store.ShardId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The row of one shard. */
record SimShard(ShardId id, @Nullable String owner, long epoch, @Nullable Instant expiresAt, int format) {

    static SimShard created(ShardId id) {
        return new SimShard(id, null, 0, null, 0);
    }

    boolean heldUnder(Fence fence) {
        return owner != null && epoch == fence.epoch();
    }

    boolean live(Instant now) {
        return expiresAt != null && now.isBefore(expiresAt);
    }

    SimShard ownedBy(@Nullable String newOwner, long newEpoch, @Nullable Instant until, int newFormat) {
        return new SimShard(id, newOwner, newEpoch, until, newFormat);
    }

    Lease lease(Instant now) {
        return new Lease(id, owner, epoch, expiresAt, live(now), format);
    }
}
