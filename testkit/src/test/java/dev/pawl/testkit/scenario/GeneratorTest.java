package dev.pawl.testkit.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.graph.Graph;
import dev.pawl.engine.graph.Node;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Scenarios that nobody thought of end as the oracle says, too. */
class GeneratorTest {

    private static final int SEEDS = 300;
    private static final int ORDERS = 3;

    static IntStream seeds() {
        return IntStream.range(0, SEEDS);
    }

    private static Scenario scenario(int seed) {
        return Generator.scenario(new SplittableRandom(seed));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void endsAsTheOracleSaysInAnyOrder(int seed) {
        Scenario scenario = scenario(seed);

        assertThat(scenario.differences(new MemoryRun(scenario, null).run()))
                .as("seed %d, in order: %s", seed, scenario.drawing())
                .isEmpty();
        for (int order = 1; order <= ORDERS; order++) {
            Outcome outcome = new MemoryRun(scenario, new SplittableRandom(order)).run();

            assertThat(scenario.differences(outcome)).as("seed %d, order %d: %s", seed, order, scenario.drawing())
                    .isEmpty();
        }
    }

    @Test
    void sameChanceDrawsTheSameScenario() {
        assertThat(seeds().mapToObj(seed -> scenario(seed).drawing()))
                .containsExactlyElementsOf(seeds().mapToObj(seed -> scenario(seed).drawing()).toList());
    }

    @Test
    void manyDifferentGraphsAreDrawn() {
        List<List<Graph>> drawn = seeds().mapToObj(seed -> scenario(seed).definitions()).toList();

        // The smallest graphs are too few to differ; their scenarios do all the same.
        assertThat(drawn.stream().map(List::toString).distinct().count()).isGreaterThan(SEEDS * 9 / 10);
        assertThat(seeds().mapToObj(seed -> scenario(seed).drawing())).doesNotHaveDuplicates();
        assertThat(drawn).anyMatch(graphs -> nodes(graphs) == 1).anyMatch(graphs -> nodes(graphs) >= 40);
    }

    private static long nodes(List<Graph> graphs) {
        return graphs.stream().mapToLong(graph -> graph.nodes().size()).sum();
    }

    @Test
    void everyKindOfNodeIsDrawn() {
        Set<Class<?>> kinds = seeds().boxed().flatMap(seed -> scenario(seed).definitions().stream())
                .flatMap(graph -> graph.nodes().stream()).map(Node::getClass).collect(Collectors.toSet());

        assertThat(kinds).containsExactlyInAnyOrder(Node.class.getPermittedSubclasses());
    }

    @Test
    void mostAreExactAndSomeAreNot() {
        assertThat(seeds().filter(seed -> scenario(seed).exact()).count()).isBetween(SEEDS / 2L, SEEDS - 10L);
    }
}
