package dev.pawl.engine.store;

import dev.pawl.kernel.id.Names;
import java.time.Duration;

/**
 * A pool of slots, as whoever wants one of them sees it.
 *
 * @param max how many slots may be held at a time
 * @param lasts how long a slot is held that nobody prolongs
 */
public record SlotPool(String name, Kind kind, int max, Duration lasts) {

    /** What a slot is for. One name may have a pool of each kind. */
    public enum Kind {
        /** Held while something runs, prolonged meanwhile and given back at its end. */
        CONCURRENT,
        /** Held for the whole of its time, whatever becomes of the holder: so many begin in any such time. */
        RATE
    }

    public SlotPool {
        Names.require("a pool's name", name);
        if (max < 1 || lasts.toMillis() < 1) {
            throw new IllegalArgumentException("a pool has at least one slot, which lasts for a millisecond or longer");
        }
    }
}
