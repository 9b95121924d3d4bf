package dev.pawl.engine.graph;

import dev.pawl.kernel.message.Payload;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** A graph as it was drawn, right or wrong. */
record Sketch(String name, String version, List<Node> nodes, List<Edge> edges,
        Map<String, Function<Data, Payload>> inputs, Optional<Function<Data, Payload>> result) {

    boolean has(String node) {
        return nodes.stream().anyMatch(one -> one.name().equals(node));
    }
}
