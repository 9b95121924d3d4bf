package dev.pawl.engine.store;

/**
 * Who wants a slot.
 *
 * @param name different for everybody who ever wants one of the same pool
 * @param fairKey on whose behalf; only to be shown
 */
public record SlotHolder(String name, String fairKey) {
}
