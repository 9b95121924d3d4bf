package dev.pawl.engine.store;

import java.time.Duration;
import java.util.List;

/**
 * Who may write to which shard. Leases are written by the store's own clock, so that engines with wrong clocks still agree. That clock may
 * jump, too: an engine takes over from another only when it has seen for itself that the lease was not renewed
 * ({@link #takeOver}). Epochs only grow, so that an owner that was once replaced stays replaced.
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

    /**
     * Takes a shard from an owner that has been silent for too long by the caller's own clock, whatever the store's clock says. Succeeds
     * only while the lease is exactly as it was seen: one that was renewed in the meantime is {@link Claim.Held}. Never waits for the
     * owner's transactions: a shard that is locked by one is {@link Claim.Held}, too. One transaction.
     */
    Claim takeOver(Lease seen, String owner, Duration ttl, int format);

    /**
     * Says that an engine is there and prolongs its lease and those of all shards it owns, from now on, by the store's clock, even if they
     * had expired and no other engine had taken them: in one transaction and a number of statements that does not depend on the number of
     * shards.
     *
     * @param shares whether it wants its share of the shards; an engine that stops, or that must not claim any more, does not
     * @return all engines of the group that have a lease, live or not, by name
     */
    List<Presence> renewAll(String namespace, String group, String owner, Duration ttl, boolean shares);

    /**
     * Starts a new epoch of a lease that is still one's own: the first thing to do after an unknown outcome. From then on
     * nothing sent under the old fence can apply. Answers {@link Claim.Claimed}, or {@link StaleOwner} if the lease is not
     * one's own any more. One transaction.
     */
    Claim raise(Fence fence, Duration ttl);

    /** All engines of a group that have a lease, live or not, by name. One read. */
    List<Presence> presences(String namespace, String group);

    /** Ends the lease of an engine that stops. Its shards keep their leases. One transaction. */
    void depart(String namespace, String group, String owner);

    /** Ends the lease of an engine that is gone, unless it was renewed since it was seen. One transaction. */
    void forget(String namespace, String group, Presence seen);

    /** Gives a shard back, cleanly: the next claim need not wait, nor redeliver. Nothing happens if it is not one's own. */
    void release(Fence fence);

    /**
     * Ends a lease at once and uncleanly: the next claim need not wait, and redelivers. For a shard that its owner cannot go on with.
     * Nothing happens if it is not one's own.
     */
    void abandon(Fence fence);
}
