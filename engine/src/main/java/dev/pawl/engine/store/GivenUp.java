package dev.pawl.engine.store;

import dev.pawl.kernel.message.Delivery;

/** A message that was entered as often as a message may be. It stays here until a person has seen to it. */
public record GivenUp(ShardId shard, Delivery delivery, String reason) {
}
