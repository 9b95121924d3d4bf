package dev.pawl.engine.store;

/**
 * A pool and how much of it is in use.
 *
 * @param pool as it was asked for last
 */
public record PoolUse(SlotPool pool, int held) {
}
