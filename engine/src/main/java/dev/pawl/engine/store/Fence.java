package dev.pawl.engine.store;

/**
 * The right to write to a shard: which one, and in which generation of its ownership. Every write carries it; a store
 * that has seen a later epoch answers {@link StaleOwner} and writes nothing.
 */
public record Fence(ShardId shard, long epoch) {

    @Override
    public String toString() {
        return shard + " in epoch " + epoch;
    }
}
