package dev.pawl.engine.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.kernel.id.WorkflowKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShardIdTest {

    /** Released files depend on these: a workflow is looked for where it was once put. */
    @ParameterizedTest
    @CsvSource({"order-1, 8, 4", "order-2, 8, 0", "order-3, 8, 3", "a, 64, 48", "b, 64, 4", "order-42, 64, 6"})
    void placeOfAWorkflowIsFrozen(String workflowId, int shards, int number) {
        assertThat(ShardId.of(new WorkflowKey("test", workflowId), "shop", shards).number()).isEqualTo(number);
    }

    @Test
    void workflowsAreSpreadEvenly() {
        Map<Integer, Integer> counts = new HashMap<>();
        IntStream.range(0, 8_000).forEach(i -> counts
                .merge(ShardId.of(new WorkflowKey("test", "order-" + i), "shop", 8).number(), 1, Integer::sum));

        assertThat(counts).hasSize(8);
        assertThat(counts.values()).allMatch(count -> count > 900 && count < 1_100);
    }

    @Test
    void shardsAreOrderedByNamespaceGroupAndNumber() {
        List<ShardId> ordered = List.of(new ShardId("a", "x", 9), new ShardId("b", "x", 1), new ShardId("b", "y", 0),
                new ShardId("b", "y", 2), new ShardId("b", "y", 10));

        assertThat(ordered.stream().sorted().toList()).isEqualTo(ordered);
        assertThat(ordered.getFirst()).hasToString("a/x/9");
    }

    @Test
    void badShardsAreRefused() {
        assertThatThrownBy(() -> new ShardId("a", "x", -1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ShardId("", "x", 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ShardId("a", "x y", 0)).isInstanceOf(IllegalArgumentException.class);
    }
}
