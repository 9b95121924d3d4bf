package dev.pawl.engine.world;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How a thread of the engine is.
 *
 * @param last when it last began to look for work; null before the first time
 */
public record Beat(String name, boolean alive, @Nullable Instant last) {
}
