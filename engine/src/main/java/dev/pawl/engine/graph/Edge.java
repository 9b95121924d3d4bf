package dev.pawl.engine.graph;

import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Where a workflow may go from one node.
 *
 * @param onFailure true if it is taken after a failure, instead of the others; false if after any other response
 * @param condition seen from the node the edge leaves; null if it is always taken
 */
public record Edge(String from, String to, boolean onFailure, @Nullable Predicate<Data> condition) {

    @Override
    public String toString() {
        return from + (onFailure ? " -failed-> " : condition != null ? " -if-> " : " -> ") + to;
    }
}
