package dev.pawl.engine.shard;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What an engine knows of its store, without asking it; null where nothing has happened yet.
 *
 * @param reachable false during an outage
 * @param lastCommit how long the last commit took, from when it was handed in
 */
public record StoreCondition(boolean reachable, @Nullable Instant lastSuccess, @Nullable Instant lastFailure,
        @Nullable String failure, @Nullable Duration lastCommit) {
}
