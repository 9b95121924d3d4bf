package dev.pawl.engine.store;

import dev.pawl.kernel.message.Delivery;

/**
 * A message that was entered as often as a message may be. It stays here until a person has seen to it.
 *
 * @param id the store's own, never used again
 */
public record GivenUp(long id, ShardId shard, Delivery delivery, String reason) {
}
