package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.flow.Activity;
import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.flow.FlowCancelled;
import dev.pawl.engine.flow.Guarantee;
import dev.pawl.engine.flow.OperationFailed;
import dev.pawl.engine.flow.Verified;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.EffectRecord;
import dev.pawl.kernel.workflow.EffectStatus;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Activities that somebody else completes, with a key: what is known of their effect until the answer comes, and after it. */
class ElsewhereTest {

    private static final Duration SOON = Duration.ofSeconds(60);

    private static void await(BooleanSupplier condition) throws InterruptedException {
        for (int i = 0; i < 6_000 && !condition.getAsBoolean(); i++) {
            new CountDownLatch(1).await(10, TimeUnit.MILLISECONDS);
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }

    private static String text(@Nullable ActivityRecord operation) {
        return operation == null ? "" : new String(operation.input().bytes(), StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void effectOfWhatIsCompletedElsewhereEndsWithTheAnswer(Databases.Kind kind) throws Exception {
        List<String> tokens = Collections.synchronizedList(new ArrayList<>());
        AtomicInteger looks = new AtomicInteger();
        Activity<String, String> handOver = Activity.<String, String>named("hand-over", String.class, String.class,
                (attempt, input) -> {
                    tokens.add(attempt.token());
                    return "ignored";
                }).completedElsewhere().key(input -> "k-" + input);
        Activity<String, String> late = handOver.timeout(Duration.ofMillis(30));
        Flow<String, String> flow = Flow.named("async", String.class, String.class, (context, input) -> {
            String answer = context.run("a", handOver, "one");
            String failure = "";
            try {
                context.run("b", handOver, "two");
            } catch (OperationFailed e) {
                failure = e.code();
            }
            String timeout = "";
            try {
                context.run("c", late.guarantee(Guarantee.IDEMPOTENT), "three");
            } catch (OperationFailed e) {
                timeout = e.code();
            }
            String found = context.run("d", late.verify((key, in) -> {
                looks.incrementAndGet();
                return new Verified.Completed<>("found " + key);
            }), "four");
            context.signal("go", String.class);
            return answer + " " + failure + " " + timeout + " " + found;
        });
        String url = kind.fresh();
        try (Lifetime first = new Lifetime(url, flow)) {
            first.pawl.start(flow, "w", "");
            await(() -> tokens.size() == 1);
            assertThat(first.effects("w").getFirst().effect().status()).isEqualTo(EffectStatus.INDETERMINATE);
            assertThat(text(first.operation("w", "a"))).contains("\"arguments\":\"one\"", "\"key\":\"k-one\"");
            first.pawl.complete(tokens.get(0), "done");
            await(() -> tokens.size() == 2);
            first.pawl.fail(tokens.get(1), "no idea");
            await(() -> first.pawl.workflow("w").operations().stream()
                    .anyMatch(each -> each.key().activity().equals("go")));
            first.cut();
        }
        try (Lifetime second = new Lifetime(url, flow)) {
            second.pawl.workflow("w").signal("go", "");
            assertThat(second.pawl.workflow(flow, "w").result(SOON))
                    .isEqualTo("done OperationFailed Timeout found k-four");
            assertThat(second.effects("w")).extracting(each -> each.effect().status()).containsExactly(
                    EffectStatus.COMPLETED, EffectStatus.INDETERMINATE, EffectStatus.INDETERMINATE,
                    EffectStatus.COMPLETED);
            EffectRecord done = second.effects("w").getFirst();
            assertThat(done.effect().result()).isEqualTo(Payload.of("\"done\"".getBytes(StandardCharsets.UTF_8)));
        }
        assertThat(looks).hasValue(1);
        assertThat(tokens).hasSize(4);
    }

    /** Whatever was found of the hand-over, the result is told by whoever has it. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void handOverThatWasFoundToHaveHappenedWaitsForItsAnswer(Databases.Kind kind) throws Exception {
        List<String> tokens = Collections.synchronizedList(new ArrayList<>());
        List<Lifetime> lives = Collections.synchronizedList(new ArrayList<>());
        AtomicInteger looks = new AtomicInteger();
        Activity<String, String> handOver = Activity.<String, String>named("hand-over", String.class, String.class,
                (attempt, input) -> {
                    tokens.add(attempt.token());
                    lives.getFirst().cut();
                    return "ignored";
                }).completedElsewhere().key(input -> "k").timeout(Duration.ofMillis(200)).verify((key, input) -> {
                    looks.incrementAndGet();
                    return new Verified.Completed<>("found");
                });
        Flow<String, String> flow = Flow.named("async", String.class, String.class,
                (context, input) -> context.run("a", handOver, input));
        String url = kind.fresh();
        try (Lifetime first = new Lifetime(url, flow)) {
            lives.add(first);
            first.pawl.start(flow, "w", "");
            first.awaitCut();
        }
        try (Lifetime second = new Lifetime(url, flow)) {
            assertThat(second.pawl.workflow(flow, "w").result(SOON)).isEqualTo("found");
            assertThat(second.effects("w").getFirst().effect().status()).isEqualTo(EffectStatus.COMPLETED);
        }
        assertThat(tokens).hasSize(1);
        assertThat(looks).hasValue(2);
    }

    private static Activity<String, String> handOver(List<String> tokens) {
        return Activity.<String, String>named("hand-over", String.class, String.class, (attempt, input) -> {
            tokens.add(attempt.token());
            return "ignored";
        }).completedElsewhere().key(input -> "k");
    }

    private static Flow<String, String> catching(Activity<String, String> activity) {
        return Flow.named("async", String.class, String.class, (context, input) -> {
            try {
                return context.run("a", activity, input);
            } catch (OperationFailed e) {
                return e.code() + " " + e.getMessage();
            }
        });
    }

    /**
     * A worker that was handed something does not hear of a cancellation. The process ends after the hand-over; the next one throws the
     * cancellation into the code and records that the outcome is unknown, whatever the verifier says of this moment. A late answer
     * changes nothing. A person settles it.
     */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void handedOverEffectOfACancelledFlowIsIndeterminateAndShown(Databases.Kind kind) throws Exception {
        List<String> tokens = Collections.synchronizedList(new ArrayList<>());
        List<String> thrown = Collections.synchronizedList(new ArrayList<>());
        Activity<String, String> activity = handOver(tokens).verify((key, input) -> new Verified.NotCompleted<>());
        Flow<String, String> flow = Flow.named("async", String.class, String.class, (context, input) -> {
            try {
                return context.run("a", activity, input);
            } catch (FlowCancelled e) {
                thrown.add(e.getMessage());
                throw e;
            }
        });
        String url = kind.fresh();
        try (Lifetime first = new Lifetime(url, flow)) {
            first.pawl.start(flow, "w", "");
            await(() -> first.operation("w", "~a:a") != null);
            first.cut();
        }
        EffectRecord recorded;
        Case shown;
        try (Lifetime second = new Lifetime(url, flow)) {
            second.pawl.workflow("w").cancel("enough");
            assertThatThrownBy(() -> second.pawl.workflow(flow, "w").result(SOON))
                    .hasFieldOrPropertyWithValue("code", "WorkflowCancelled");
            assertThat(thrown).singleElement().asString().contains("enough");
            recorded = second.effects("w").getFirst();
            assertThat(recorded.effect().status()).isEqualTo(EffectStatus.INDETERMINATE);
            assertThat(recorded.effect().result()).isNull();
            assertThat(new String(Objects.requireNonNull(recorded.effect().error()).bytes(), StandardCharsets.UTF_8))
                    .contains("cancelled after the hand-over");
            shown = second.pawl.attention().list(null, 10).items().getFirst();
            assertThat(shown).isInstanceOf(Case.UnknownEffect.class);
            assertThat(shown.workflowId()).isEqualTo("w");
            assertThat(shown.evidence().operation()).isEqualTo("a");
            assertThat(shown.evidence().key()).isEqualTo("k");
            assertThatThrownBy(() -> second.pawl.complete(tokens.getFirst(), "late"))
                    .hasFieldOrPropertyWithValue("code", "WorkflowClosed");
            second.cut();
        }
        try (Lifetime third = new Lifetime(url, flow)) {
            assertThat(third.effects("w")).containsExactly(recorded);
            assertThat(third.pawl.attention().list(null, 10).items()).containsExactly(shown);
            third.pawl.decide(shown.id(), Decision.accept("done by then"), "desk-1");
            assertThat(third.pawl.attention().list(null, 10).items()).isEmpty();
        }
        assertThat(tokens).as("handed over once").hasSize(1);
    }

    /** The word of a worker is no proof; a verifier is. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void workerThatSaysItHasFailedProvesNothing(Databases.Kind kind) throws Exception {
        Map<String, Verified<String>> answers = Map.of("not", new Verified.NotCompleted<>(),
                "done", new Verified.Completed<>("found"), "unknown", new Verified.Indeterminate<>("no answer"));
        List<String> tokens = Collections.synchronizedList(new ArrayList<>());
        Flow<String, String> verified = catching(handOver(tokens)
                .verify((key, input) -> Objects.requireNonNull(answers.get(input))));
        assertThat(failed(kind, verified, tokens, "not")).contains("OperationFailed a failed: no paper", "FAILED");
        assertThat(failed(kind, verified, tokens, "done")).contains("found", "COMPLETED");
        assertThat(failed(kind, verified, tokens, "unknown")).contains("Indeterminate", "no paper", "INDETERMINATE");
        assertThat(failed(kind, catching(handOver(tokens)), tokens, "")).contains("OperationFailed a failed: no paper",
                "INDETERMINATE");
    }

    private static String failed(Databases.Kind kind, Flow<String, String> flow, List<String> tokens,
            String input) throws InterruptedException {
        tokens.clear();
        try (Lifetime life = new Lifetime(kind.fresh(), flow)) {
            WorkflowHandle<String> handle = life.pawl.start(flow, "w", input);
            await(() -> tokens.size() == 1);
            life.pawl.fail(tokens.getFirst(), "no paper");
            String result = handle.result(SOON);
            return result + " " + life.effects("w").getFirst().effect().status();
        }
    }
}
