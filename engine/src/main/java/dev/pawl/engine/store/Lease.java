package dev.pawl.engine.store;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One shard as everybody may see it.
 *
 * @param owner who holds it, or null after a release and before the first claim
 * @param ttl how long each renewal of this owner lasts
 * @param live false once it has expired by the store's clock
 */
public record Lease(ShardId shard, @Nullable String owner, long epoch, @Nullable Instant expiresAt, Duration ttl,
        boolean live, int format) {

    /** Whether its end is known, not only its time: no renewal of it can come any more. */
    public boolean over() {
        return owner == null || (expiresAt != null && expiresAt.toEpochMilli() == 0);
    }
}
