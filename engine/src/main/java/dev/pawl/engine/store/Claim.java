package dev.pawl.engine.store;

import java.time.Instant;

/** What came of trying to own a shard. */
public sealed interface Claim permits Claim.Claimed, Claim.Held, Claim.FormatTooNew, StaleOwner {

    /**
     * The shard is owned under this fence.
     *
     * @param expiresAt by the store's clock
     * @param clean true if nobody owned it before, or the last owner released it. After an unclean takeover the messages
     *        found in the shard are redelivered one by one, each charged before its work.
     */
    record Claimed(Fence fence, Instant expiresAt, boolean clean) implements Claim {
    }

    /** Somebody's lease has not expired. */
    record Held(String owner, Instant expiresAt) implements Claim {
    }

    /** A newer engine has written here; this one does not know the format and must not touch it. */
    record FormatTooNew(int storedFormat) implements Claim {
    }
}
