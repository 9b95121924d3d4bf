package dev.pawl.engine.store;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What came of asking for slots.
 *
 * @param granted how many holders have theirs: the first ones of those that were named
 * @param retryAfter when to ask again: when a slot runs out that is in the way, or soon, if one is kept for who has asked; null if all
 *        have theirs
 */
public record SlotGrant(int granted, @Nullable Duration retryAfter) {
}
