package dev.pawl.engine.flow;

import org.jspecify.annotations.Nullable;

/**
 * The code of a flow. It is run again from its beginning whenever the flow wakes, so it must come to the same operations each time:
 * whatever is not the same twice (time, chance, the outside world) goes through the context.
 *
 * @param <I> what it is started with
 * @param <O> what it returns
 */
@FunctionalInterface
public interface FlowFunction<I extends @Nullable Object, O extends @Nullable Object> {

    O run(FlowContext flow, I input) throws Exception;
}
