package dev.pawl.engine.flow;

import org.jspecify.annotations.Nullable;

/**
 * What a step does. It runs at least once, and never again after its result is durable.
 *
 * @param <T> what it comes to
 */
@FunctionalInterface
public interface StepFunction<T extends @Nullable Object> {

    T run() throws Exception;
}
