package dev.pawl.engine.store;

import java.time.Duration;
import java.time.Instant;

/**
 * The lease of one engine, and with it of its process: attempts that it has begun stay its own as long as this lease lasts.
 *
 * @param expiresAt by the store's clock
 * @param ttl how long each renewal lasts
 * @param live false once it has expired by the store's clock
 * @param shares whether the engine wants its share of the group's shards
 */
public record Presence(String owner, Instant expiresAt, Duration ttl, boolean live, boolean shares) {
}
