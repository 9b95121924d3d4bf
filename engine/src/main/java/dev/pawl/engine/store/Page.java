package dev.pawl.engine.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A part of a list, and the cursor of the part after it, or null at the end. */
public record Page<T>(List<T> items, @Nullable String next) {

    public Page {
        items = List.copyOf(items);
    }
}
