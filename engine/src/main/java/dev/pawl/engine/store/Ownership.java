package dev.pawl.engine.store;

import java.time.Duration;
import java.util.List;

/**
 * Who may write to which shard. Leases are judged by the store's own clock, so that engines with wrong clocks still
 * agree; epochs only grow, so that whoever was once replaced stays replaced.
 */
public interface Ownership {

    /**
     * Creates the shards of a group, unless the group has some already; returns how many it has. The number is fixed at
     * creation, because it decides where every workflow lives. One transaction.
     */
    int createShards(String namespace, String group, int count);

    /** The shards of a group, by number; empty if the group was never created. One consistent read. */
    List<Lease> leases(String namespace, String group);

    /**
     * Takes a shard that nobody holds, or whose lease has expired, for the given time. If it succeeds the epoch is one
     * higher than ever before and the format at least {@code format}; both are written before anything else can be done
     * under the new fence. A live lease is not taken, not even by its own holder. One transaction.
     */
    Claim claim(ShardId shard, String owner, Duration ttl, int format);

    /** Prolongs a lease from now on, by the store's clock, even if it had expired and nobody had taken the shard. */
    Renewal renew(Fence fence, Duration ttl);

    /**
     * Starts a new epoch of a lease that is still one's own: the first thing to do after an unknown outcome. From then on
     * nothing sent under the old fence can apply. Answers {@link Claim.Claimed}, or {@link StaleOwner} if the lease is not
     * one's own any more. One transaction.
     */
    Claim raise(Fence fence, Duration ttl);

    /**
     * Says that an engine is there and wants its share of a group's shards, until the time is up or it says so again. Returns
     * everybody who has said so and whose time is not up, by name. One transaction.
     */
    List<String> announce(String namespace, String group, String owner, Duration ttl);

    /** Says that an engine wants no share any more. One transaction. */
    void depart(String namespace, String group, String owner);

    /** Gives a shard back, cleanly: the next claim need not wait, nor redeliver. Nothing happens if it is not one's own. */
    void release(Fence fence);
}
