package dev.pawl.engine.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FairQueueTest {

    private final FairQueue<String> queue = new FairQueue<>();

    private void add(String... waiters) {
        for (String waiter : waiters) {
            queue.add(waiter.substring(0, 1), waiter);
        }
    }

    private void served(String waiter) {
        queue.served(waiter.substring(0, 1), waiter);
    }

    @Test
    void keysTakeTurnsAndThoseOfOneKeyComeInTheirOrder() {
        add("a1", "a2", "a3", "b1", "a4", "c1", "c2");

        assertThat(queue.next(100)).containsExactly("a1", "b1", "c1", "a2", "c2", "a3", "a4");
        assertThat(queue.next(2)).containsExactly("a1", "b1");
        assertThat(queue.size()).isEqualTo(7);
    }

    @Test
    void whatIsServedOneByOneComesInTheOrderThatWasSaid() {
        add("a1", "a2", "a3", "b1", "b2", "c1");
        List<String> said = queue.next(100);

        List<String> served = new ArrayList<>();
        while (queue.size() > 0) {
            served.add(queue.next(1).getFirst());
            served(served.getLast());
        }

        assertThat(served).isEqualTo(said);
    }

    @Test
    void newKeyComesAfterThoseThatWaitForTheirTurn() {
        add("a1", "a2", "b1");
        served("a1");
        add("c1");

        assertThat(queue.next(100)).containsExactly("b1", "a2", "c1");
    }

    @Test
    void whoLeavesIsNotServedAndItsKeyKeepsItsTurn() {
        add("a1", "a2", "b1");

        assertThat(queue.remove("a", "a1")).isTrue();
        assertThat(queue.remove("a", "a1")).isFalse();
        assertThat(queue.remove("z", "z1")).isFalse();
        assertThat(queue.next(100)).containsExactly("a2", "b1");
        assertThat(queue.size()).isEqualTo(2);
    }

    @Test
    void nobodyIsNextWhereNobodyWaits() {
        add("a1");
        served("a1");
        served("a1");

        assertThat(queue.next(3)).isEmpty();
        assertThat(queue.size()).isZero();
    }
}
