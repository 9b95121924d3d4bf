package dev.pawl.engine.store;

/** A slot of a pool of the kind {@link SlotPool.Kind#CONCURRENT}, by who holds it. */
public record SlotKey(String pool, String holder) {
}
