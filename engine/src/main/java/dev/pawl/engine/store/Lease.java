package dev.pawl.engine.store;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One shard as everybody may see it.
 *
 * @param owner who holds it, or null after a release and before the first claim
 * @param live false once it has expired by the store's clock
 */
public record Lease(ShardId shard, @Nullable String owner, long epoch, @Nullable Instant expiresAt, boolean live,
        int format) {
}
