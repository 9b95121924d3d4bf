package dev.pawl.lab.example;

import dev.pawl.engine.flow.Flow;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** Does something for each of many items, some at a time, and adds up what came of it. Each item is a step of its own. */
public final class FanOut {

    private static final int AT_ONCE = 100;

    private FanOut() {
    }

    public static final Flow<Integer, Long> FLOW = Flow.named("fan-out", Integer.class, Long.class, (flow, count) -> {
        List<Integer> items = IntStream.rangeClosed(1, count).boxed().toList();
        List<Long> squares = flow.map(items, AT_ONCE,
                (branch, item) -> branch.step("square", Long.class, () -> (long) item * item));
        return squares.stream().mapToLong(Long::longValue).sum();
    });

    public static void main(String[] args) throws Exception {
        Scratch.run(List.of(FLOW), pawl -> {
            long began = System.nanoTime();
            long sum = pawl.start(FLOW, "squares", 1_000).result();
            System.out.printf(Locale.ROOT, "the first 1,000 squares add up to %d, after %.2f s%n", sum,
                    (System.nanoTime() - began) / 1e9);
        });
    }
}
