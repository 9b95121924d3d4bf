package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.flow.Activity;
import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.flow.Guarantee;
import dev.pawl.engine.flow.OperationFailed;
import dev.pawl.engine.flow.RetryPolicy;
import dev.pawl.engine.flow.Verified;
import dev.pawl.kernel.workflow.EffectStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Work that somebody else has taken over, and of whom nothing is heard: it is handed over once more, if it may be. */
class VisibilityTest {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Duration BRIEF = Duration.ofMillis(80);
    private static final Duration LONG = Duration.ofMinutes(2);

    private final List<String> tokens = Collections.synchronizedList(new ArrayList<>());
    private final Activity<String, String> handOver = Activity.<String, String>named("hand-over", String.class,
            String.class, (attempt, input) -> {
                tokens.add(attempt.token());
                return "ignored";
            });

    private static void await(BooleanSupplier condition) throws InterruptedException {
        for (int i = 0; i < 6_000 && !condition.getAsBoolean(); i++) {
            new CountDownLatch(1).await(10, TimeUnit.MILLISECONDS);
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }

    private static Flow<String, String> running(Activity<String, String> activity) {
        return Flow.named("async", String.class, String.class, (context, input) -> {
            try {
                return context.run(activity, input);
            } catch (OperationFailed e) {
                return e.code();
            }
        });
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void workOfWhoIsSilentIsHandedOverOnceMore(Databases.Kind kind) throws Exception {
        Flow<String, String> flow = running(handOver.completedElsewhere(BRIEF).retry(RetryPolicy.attempts(10)));
        try (Lifetime life = new Lifetime(kind.fresh(), flow)) {
            var handle = life.pawl.start(flow, "w", "");
            await(() -> tokens.size() >= 2);
            // Whoever had it first may be the one who answers.
            assertThat(List.copyOf(tokens)).doesNotHaveDuplicates();
            life.pawl.complete(tokens.getFirst(), "done");
            assertThat(handle.result(SOON)).isEqualTo("done");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void itIsHandedOverAsOftenAsThePolicyHasAttempts(Databases.Kind kind) {
        Flow<String, String> flow = running(handOver.completedElsewhere(BRIEF).retry(RetryPolicy.attempts(3)));
        try (Lifetime life = new Lifetime(kind.fresh(), flow)) {
            assertThat(life.pawl.start(flow, "w", "").result(SOON)).isEqualTo("Timeout");
            assertThat(tokens).hasSize(3);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void whatMustNotHappenTwiceIsHandedOverOnce(Databases.Kind kind) {
        Flow<String, String> flow = running(handOver.completedElsewhere(BRIEF).guarantee(Guarantee.AT_MOST_ONCE));
        try (Lifetime life = new Lifetime(kind.fresh(), flow)) {
            assertThat(life.pawl.start(flow, "w", "").result(SOON)).isEqualTo("Timeout");
            assertThat(tokens).hasSize(1);
            assertThat(life.effects("w").getFirst().effect().status()).isEqualTo(EffectStatus.INDETERMINATE);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void whatHasAVerifierIsLookedUpBefore(Databases.Kind kind) {
        AtomicInteger looks = new AtomicInteger();
        Flow<String, String> flow = running(handOver.completedElsewhere(BRIEF).key(input -> "k")
                .verify((key, input) -> looks.incrementAndGet() == 1
                        ? new Verified.NotCompleted<>()
                        : new Verified.Completed<>("found")));
        try (Lifetime life = new Lifetime(kind.fresh(), flow)) {
            assertThat(life.pawl.start(flow, "w", "").result(SOON)).isEqualTo("found");
            assertThat(looks).hasValue(2);
            assertThat(tokens).hasSize(2);
            assertThat(life.effects("w").getFirst().effect().status()).isEqualTo(EffectStatus.COMPLETED);
        }
    }

    /** The time begins anew with each heartbeat, also when the process was another one. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void heartbeatKeepsTheWork(Databases.Kind kind) throws Exception {
        Flow<String, String> flow = running(handOver.completedElsewhere(LONG));
        String url = kind.fresh();
        try (Lifetime first = new Lifetime(url, flow)) {
            first.pawl.start(flow, "w", "");
            await(() -> tokens.size() == 1);
            first.pawl.heartbeat(tokens.getFirst());
            await(() -> first.operation("w", "~a.1:hand-over") != null);
            first.cut();
        }
        try (Lifetime second = new Lifetime(url, flow)) {
            second.pawl.heartbeat(tokens.getFirst());
            await(() -> second.operation("w", "~a.2:hand-over") != null);
            second.pawl.complete(tokens.getFirst(), "done");
            assertThat(second.pawl.workflow(flow, "w").result(SOON)).isEqualTo("done");
            assertThat(tokens).hasSize(1);
        }
    }

    @Test
    void timeMustBePositive() {
        assertThatThrownBy(() -> handOver.completedElsewhere(Duration.ZERO)).hasMessageContaining("positive");
    }
}
