package dev.pawl.engine.store;

/** The fence is not the shard's latest, or its lease was given back: a normal outcome, after which the owner lets go. */
public record StaleOwner(long latestEpoch) implements Claim, Commit {
}
