package dev.pawl.engine.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ShareTest {

    @Test
    void sharesAddUpToAllShardsAndDifferByOneAtMost() {
        for (int shards = 1; shards <= 64; shards++) {
            for (int count = 1; count <= 70; count++) {
                List<String> engines = IntStream.range(0, count).mapToObj("engine-%02d"::formatted).toList();
                int all = shards;
                List<Integer> shares = engines.stream().map(engine -> Share.of(engine, engines, all)).toList();

                assertThat(shares.stream().mapToInt(Integer::intValue).sum()).isEqualTo(shards);
                assertThat(shares.getFirst() - shares.getLast()).isBetween(0, 1);
            }
        }
    }

    @Test
    void engineThatDoesNotSeeItselfCountsAllTheSame() {
        assertThat(Share.of("c", List.of("a", "b"), 8)).isEqualTo(2);
        assertThat(Share.of("a", List.of(), 8)).isEqualTo(8);
    }
}
