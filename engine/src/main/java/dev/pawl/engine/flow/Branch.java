package dev.pawl.engine.flow;

import org.jspecify.annotations.Nullable;

/**
 * A part of a flow that runs beside others, with a context of its own.
 *
 * @param <T> what it comes to
 */
@FunctionalInterface
public interface Branch<T extends @Nullable Object> {

    T run(FlowContext branch) throws Exception;
}
