package dev.pawl.engine.flow;

import org.jspecify.annotations.Nullable;

/**
 * Answers updates of a flow, in a branch of its own: the context it is handed does everything that the context of the flow does, and what it
 * has done is not done again after a crash. It must use that context, and not the one of the flow.
 */
@FunctionalInterface
public interface UpdateHandler<I extends @Nullable Object, O extends @Nullable Object> {

    O handle(FlowContext handler, I input) throws Exception;
}
