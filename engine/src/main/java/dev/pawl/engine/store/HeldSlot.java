package dev.pawl.engine.store;

import java.time.Instant;

/**
 * A slot that is held until then, by the store's clock, unless it is prolonged or given back before.
 *
 * @param process who has asked for it
 */
public record HeldSlot(String pool, SlotPool.Kind kind, SlotHolder holder, String process, Instant expiresAt) {
}
