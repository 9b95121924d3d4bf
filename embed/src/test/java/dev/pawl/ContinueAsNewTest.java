package dev.pawl;

import static dev.pawl.FlowTest.SOON;
import static dev.pawl.FlowTest.await;
import static dev.pawl.FlowTest.open;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.flow.Flow;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A handle follows its workflow through every run that continues it, whatever is asked of it. */
class ContinueAsNewTest {

    /** Continues once for each signal "next"; answers an update and a query with the number of its round, and ends on "end". */
    private static final Flow<Integer, String> ROUNDS = Flow.named("rounds", Integer.class, String.class,
            (context, round) -> {
                context.onUpdate("round", String.class, String.class, text -> text + round);
                context.onQuery("round", String.class, Integer.class, text -> round);
                String order = context.signal("order", String.class);
                return order.equals("next") ? context.<String>continueAsNew(round + 1) : "ended in " + round;
            });

    private static WorkflowHandle<String> third(Pawl pawl) throws Exception {
        WorkflowHandle<String> handle = pawl.start(ROUNDS, "w", 1);
        handle.signal("order", "next", "s-1");
        handle.signal("order", "next", "s-2");
        await(() -> handle.runId().equals("w~3"));
        return handle;
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void statusQueryAndUpdateReachTheOpenRun(Databases.Kind kind, int waitingMax) throws Exception {
        try (Pawl pawl = open(kind.fresh(), waitingMax, ROUNDS)) {
            WorkflowHandle<String> handle = third(pawl);

            assertThat(handle.status()).isEqualTo(WorkflowStatus.RUNNING);
            assertThat(handle.runIds()).containsExactly("w", "w~2", "w~3");
            assertThat(handle.query("round", "", Integer.class)).isEqualTo(3);
            assertThat(handle.update("round", "in ", String.class, "u-1", SOON)).isEqualTo("in 3");
            // A second handle knows nothing yet, and a repeated update is answered as before.
            assertThat(pawl.workflow("w").update("round", "in ", String.class, "u-1", SOON)).isEqualTo("in 3");
            handle.signal("order", "end", "s-3");
            assertThat(handle.result(SOON)).isEqualTo("ended in 3");
            assertThat(pawl.workflow("w").status()).isEqualTo(WorkflowStatus.COMPLETED);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void keyedSignalThatAnEarlierRunHasAcceptedIsNotAcceptedAgain(Databases.Kind kind, int waitingMax)
            throws Exception {
        try (Pawl pawl = open(kind.fresh(), waitingMax, ROUNDS)) {
            WorkflowHandle<String> handle = third(pawl);

            assertThat(handle.signal("order", "next", "s-1").workflowId()).isEqualTo("w");
            assertThat(handle.runIds()).hasSize(3);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void startWithASignalReachesTheOpenRun(Databases.Kind kind, int waitingMax) throws Exception {
        try (Pawl pawl = open(kind.fresh(), waitingMax, ROUNDS)) {
            third(pawl);

            pawl.startWithSignal(ROUNDS, "w", 1, "order", "end", "s-4");
            assertThat(pawl.workflow(ROUNDS, "w").result(SOON)).isEqualTo("ended in 3");
        }
    }

    /** The update waits in a run that does not look at it before it continues as new. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void updateThatARunHasNotAnsweredIsAnsweredByTheNext(Databases.Kind kind, int waitingMax) throws Exception {
        Flow<Integer, String> flow = Flow.named("busy", Integer.class, String.class, (context, round) -> {
            if (round == 1) {
                context.step("slow", Integer.class, () -> {
                    Thread.sleep(400);
                    return 1;
                });
                return context.<String>continueAsNew(2);
            }
            context.onUpdate("round", String.class, String.class, text -> text + round);
            return context.signal("end", String.class);
        });
        try (Pawl pawl = open(kind.fresh(), waitingMax, flow)) {
            WorkflowHandle<String> handle = pawl.start(flow, "w", 1);
            CompletableFuture<String> answer = CompletableFuture.supplyAsync(
                    () -> handle.update("round", "in ", String.class, "u-1", SOON));

            assertThat(answer.join()).isEqualTo("in 2");
            handle.cancel("enough");
            await(() -> handle.status() == WorkflowStatus.CANCELLED);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void timeLimitIsForAllRunsTogether(Databases.Kind kind) {
        Flow<Integer, String> flow = Flow.named("endless", Integer.class, String.class, (context, round) -> {
            context.sleep(Duration.ofMillis(300));
            return context.<String>continueAsNew(round + 1);
        });
        try (Pawl pawl = open(kind.fresh(), 10, flow)) {
            WorkflowHandle<String> handle = pawl.start(flow, "w", 1);
            long began = System.nanoTime();

            assertThatThrownBy(() -> handle.result(Duration.ofSeconds(2))).hasMessageContaining("has not ended within");
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isBetween(Duration.ofMillis(1_500),
                    Duration.ofSeconds(20));
            assertThat(handle.runIds()).isNotEqualTo(List.of("w"));
        }
    }
}
