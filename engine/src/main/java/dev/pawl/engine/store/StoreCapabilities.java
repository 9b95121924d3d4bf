package dev.pawl.engine.store;

/**
 * What a store can promise. The engine asks before it claims anything, and fails fast instead of falling back to a path
 * that races.
 *
 * @param atomicBatch a commit is applied whole or not at all
 * @param conditionalBatch a commit can depend on what is stored: fence, version, insert-or-read
 * @param readAfterWrite what was committed is seen by the next read
 * @param scanConsistency a list read in pages shows every row that was there throughout exactly once
 */
public record StoreCapabilities(boolean atomicBatch, boolean conditionalBatch, boolean readAfterWrite,
        boolean scanConsistency) {

    public static final StoreCapabilities FULL = new StoreCapabilities(true, true, true, true);
}
