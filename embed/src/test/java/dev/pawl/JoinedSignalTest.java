package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.flow.Flow;
import dev.pawl.kernel.bundle.Write;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Signals of the process that owns their workflow: accepted in the commit that deals with them, whatever becomes of that. */
class JoinedSignalTest {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String END = "end";

    /** Says what came, in its order. */
    private final Flow<String, String> flow = Flow.named("listen", String.class, String.class, (context, input) -> {
        List<String> heard = new ArrayList<>();
        context.onUpdate("add", String.class, Integer.class, word -> {
            heard.add(word);
            return heard.size();
        });
        for (String word = context.signal("word", String.class); !word.equals(END); word =
                context.signal("word", String.class)) {
            heard.add(word);
        }
        return String.join(",", heard);
    });

    private String heard(Pawl pawl) {
        pawl.workflow("w").signal("word", END);
        return pawl.workflow(flow, "w").result(SOON);
    }

    /** The process would end with the first transaction that accepts a signal by itself. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void signalIsNoTransactionOfItsOwn(Databases.Kind kind) {
        try (Lifetime life = new Lifetime(kind.fresh(), flow)) {
            WorkflowHandle<String> handle = life.pawl.start(flow, "w", "");
            life.cutAfterCallOf("signal");

            AcceptedSignalResult first = handle.signal("word", "one", "s-1");
            handle.signal("word", "two");
            handle.signal("unheard", "of");
            assertThat(handle.update("add", "three", Integer.class)).isBetween(1, 3);

            assertThat(first.signalId()).isEqualTo("s-1");
            assertThat(heard(life.pawl).split(",")).containsExactlyInAnyOrder("one", "two", "three");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void commitThatGotLostLosesNoSignal(Databases.Kind kind) {
        try (Lifetime life = new Lifetime(kind.fresh(), flow)) {
            life.pawl.start(flow, "w", "");
            life.lose(Write.Accept.class::isInstance);

            AcceptedSignalResult first = life.pawl.workflow("w").signal("word", "one", "s-1");

            assertThat(life.pawl.workflow("w").signal("word", "another", "s-1")).isEqualTo(first);
            assertThat(heard(life.pawl)).isEqualTo("one");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void commitThatNobodyHeardOfCountsOnce(Databases.Kind kind) {
        try (Lifetime life = new Lifetime(kind.fresh(), flow)) {
            life.pawl.start(flow, "w", "");
            life.loseAnswer(Write.Accept.class::isInstance);
            AcceptedSignalResult keyed = life.pawl.workflow("w").signal("word", "one", "s-1");
            life.loseAnswer(Write.Accept.class::isInstance);
            life.pawl.workflow("w").signal("word", "two");

            assertThat(life.pawl.workflow("w").signal("word", "another", "s-1")).isEqualTo(keyed);
            assertThat(heard(life.pawl)).isEqualTo("one,two");
        }
    }

    /** Each is in one commit with others; those that are known to the store alone must not hold them up. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void updatesThatWereSentBeforeDisturbNobody(Databases.Kind kind) throws Exception {
        int threads = 16;
        try (Lifetime life = new Lifetime(kind.fresh(), flow);
                ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            WorkflowHandle<String> handle = life.pawl.start(flow, "w", "");
            Set<Integer> answers = new HashSet<>();
            CyclicBarrier together = new CyclicBarrier(threads);
            List<Callable<Integer>> sending = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                String id = "u-" + i % 4;
                sending.add(() -> {
                    int answer = 0;
                    for (int round = 0; round < 5; round++) {
                        together.await();
                        answer = handle.update("add", id, Integer.class, id, SOON);
                    }
                    return answer;
                });
            }
            for (Future<Integer> each : pool.invokeAll(sending)) {
                answers.add(each.get());
            }

            assertThat(answers).containsExactlyInAnyOrder(1, 2, 3, 4);
            assertThat(heard(life.pawl).split(",")).containsExactlyInAnyOrder("u-0", "u-1", "u-2", "u-3");
        }
    }

    /** A name that no index takes is refused to its sender, and the shard goes on. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void nameThatIsVeryLongIsNobodyElsesTrouble(Databases.Kind kind) {
        try (Lifetime life = new Lifetime(kind.fresh(), flow)) {
            WorkflowHandle<String> handle = life.pawl.start(flow, "w", "");
            String random = Long.toString(Long.MAX_VALUE, 36);
            StringBuilder name = new StringBuilder();
            for (int i = 0; name.length() < 20_000; i++) {
                name.append(Integer.toString(i * 7919, 36)).append(random);
            }
            try {
                handle.signal(name.toString(), "x");
            } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageContaining("too long");
            }
            handle.signal("word", "fine");
            assertThat(heard(life.pawl)).isEqualTo("fine");
        }
    }
}
