package dev.pawl.engine.flow;

import org.jspecify.annotations.Nullable;

/**
 * What a compensation is given: the operation that it compensates.
 *
 * @param input what the activity was given
 * @param output what it returned; null also if a person had it compensated although its outcome is unknown
 */
public record Undo<I extends @Nullable Object, O extends @Nullable Object>(I input, O output) {
}
