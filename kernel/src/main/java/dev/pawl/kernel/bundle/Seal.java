package dev.pawl.kernel.bundle;

import dev.pawl.kernel.event.Event;
import dev.pawl.kernel.event.Occasion;
import dev.pawl.kernel.id.Hash;
import java.util.List;

/**
 * The event of a bundle, and what it was made of: enough to make the events of its parts when they commit apart.
 *
 * <p>Its event says that it follows {@code previous}, so a store that finds {@code previous} at the head of the workflow's chain
 * has nothing left to check.
 */
public record Seal(Occasion occasion, Hash previous, Event event) {

    public Seal {
        if (!event.follows(previous)) {
            throw new IllegalArgumentException("event " + event.number() + " does not follow " + previous);
        }
    }

    public static Seal of(Occasion occasion, Hash previous, long number, List<Write> writes) {
        return new Seal(occasion, previous, Event.of(number, new Account(occasion, previous).of(writes)));
    }
}
