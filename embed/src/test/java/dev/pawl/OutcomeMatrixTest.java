package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.flow.Activity;
import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.flow.Guarantee;
import dev.pawl.engine.flow.NothingHappened;
import dev.pawl.engine.flow.OperationFailed;
import dev.pawl.engine.flow.RetryPolicy;
import dev.pawl.engine.flow.Verified;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.EffectRecord;
import dev.pawl.kernel.workflow.EffectStatus;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every way an activity with a key can end: what is recorded of its effect, what the flow is told, and that both are the same after the
 * process has ended and another one goes on.
 */
@Execution(ExecutionMode.CONCURRENT)
class OutcomeMatrixTest {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final RetryPolicy QUICK =
            RetryPolicy.DEFAULT.withBackoff(Duration.ofMillis(5), 2, Duration.ofMillis(20));
    private static final RetryPolicy SLOW =
            RetryPolicy.DEFAULT.withBackoff(Duration.ofHours(1), 1, Duration.ofHours(1));
    private static final String ID = "w";

    private final AtomicInteger runs = new AtomicInteger();
    private final List<String> keys = Collections.synchronizedList(new ArrayList<>());
    private final AtomicReference<@Nullable Lifetime> life = new AtomicReference<>();

    private Activity<String, String> charge(Activity.Body<String, String> body) {
        return Activity.<String, String>named("charge", String.class, String.class, (attempt, input) -> {
            runs.incrementAndGet();
            keys.add(attempt.idempotencyKey() + " " + attempt.attemptKey());
            return body.run(attempt, input);
        }).key(input -> "k").timeout(Duration.ofMillis(300)).retry(QUICK);
    }

    private static Flow<String, String> flow(Activity<String, String> activity) {
        return Flow.named("pay", String.class, String.class, (context, input) -> {
            String outcome;
            try {
                outcome = context.run("pay", activity, input);
            } catch (OperationFailed e) {
                outcome = e.code() + " " + e.errorType();
            }
            context.signal("go", String.class);
            return outcome;
        });
    }

    private static String text(@Nullable Payload payload) {
        return payload == null ? "" : new String(payload.bytes(), StandardCharsets.UTF_8);
    }

    /** Runs until the end of the operation is durable, ends there, and goes on in another process. */
    private EffectRecord settled(Databases.Kind kind, Activity<String, String> activity, String expected)
            throws Exception {
        String url = kind.fresh();
        Flow<String, String> flow = flow(activity);
        EffectRecord before;
        try (Lifetime first = new Lifetime(url, flow).cutAfter(Lifetime.ends("pay"))) {
            life.set(first);
            first.pawl.start(flow, ID, "paid");
            first.awaitCut();
            before = first.effects(ID).getFirst();
        }
        int attempts = runs.get();
        try (Lifetime second = new Lifetime(url, flow)) {
            second.pawl.workflow(ID).signal("go", "");
            assertThat(second.pawl.workflow(flow, ID).result(SOON)).isEqualTo(expected);
            assertThat(second.effects(ID)).containsExactly(before);
        }
        assertThat(runs).hasValue(attempts);
        return before;
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void successIsCompletedWithItsResult(Databases.Kind kind) throws Exception {
        EffectRecord record = settled(kind, charge((attempt, input) -> input + "!"), "paid!");

        assertThat(record.effect().status()).isEqualTo(EffectStatus.COMPLETED);
        assertThat(text(record.effect().result())).isEqualTo("\"paid!\"");
        assertThat(record.effect().error()).isNull();
        assertThat(keys).containsExactly("k pawl:default:w:pay:1");
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void failureBeforeTheEffectIsFailedWithoutALook(Databases.Kind kind) throws Exception {
        EffectRecord record = settled(kind, charge((attempt, input) -> {
            throw new NothingHappened("declined", new IllegalArgumentException("card declined"));
        }).nonRetryable(IllegalArgumentException.class).verify((key, input) -> {
            throw new AssertionError("nobody has to look");
        }), "OperationFailed java.lang.IllegalArgumentException");

        assertThat(record.effect().status()).isEqualTo(EffectStatus.FAILED);
        assertThat(text(record.effect().error())).contains("card declined");
        assertThat(runs).hasValue(1);
    }

    /** So many attempts and no more, each with the key; the process ends after the first, and the record says what is known. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void failureBeforeTheEffectIsTriedAgainAsThePolicySays(Databases.Kind kind) throws Exception {
        Activity<String, String> busy = charge((attempt, input) -> {
            if (attempt.attempt() < 3) {
                throw new NothingHappened("busy " + attempt.attempt(), new IllegalStateException("no line"));
            }
            return "through";
        }).verify((key, input) -> {
            throw new AssertionError("it is known that nothing has happened");
        });
        String url = kind.fresh();
        Flow<String, String> flow = flow(busy);
        try (Lifetime first = new Lifetime(url, flow).cutAfter(Lifetime.begins("~r1:pay"))) {
            first.pawl.start(flow, ID, "paid");
            first.awaitCut();
            assertThat(first.effects(ID).getFirst().effect().status()).isEqualTo(EffectStatus.FAILED);
            assertThat(runs).hasValue(1);
        }
        try (Lifetime second = new Lifetime(url, flow)) {
            second.pawl.workflow(ID).signal("go", "");
            assertThat(second.pawl.workflow(flow, ID).result(SOON)).isEqualTo("through");
            assertThat(second.effects(ID).getFirst().effect().status()).isEqualTo(EffectStatus.COMPLETED);
        }
        assertThat(keys).containsExactly("k pawl:default:w:pay:1", "k pawl:default:w:pay:2", "k pawl:default:w:pay:3");

        EffectRecord twice = settled(kind, busy.retry(QUICK.withMaxAttempts(2)),
                "OperationFailed java.lang.IllegalStateException");
        assertThat(twice.effect().status()).isEqualTo(EffectStatus.FAILED);
        assertThat(text(twice.effect().error())).contains("no line");
        assertThat(runs).hasValue(5);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void failureAfterAPossibleEffectIsIndeterminateUnlessTheVerifierProvesMore(Databases.Kind kind) throws Exception {
        Activity<String, String> broken = charge((attempt, input) -> {
            throw new IllegalStateException("connection reset");
        });
        EffectRecord unknown = settled(kind, broken, "Indeterminate Indeterminate");
        assertThat(unknown.effect().status()).isEqualTo(EffectStatus.INDETERMINATE);
        assertThat(text(unknown.effect().error())).contains("connection reset");
        assertThat(runs).hasValue(1);

        EffectRecord proved = settled(kind, broken.verify((key, input) -> new Verified.Completed<>("found")), "found");
        assertThat(proved.effect().status()).isEqualTo(EffectStatus.COMPLETED);
        assertThat(runs).hasValue(2);

        EffectRecord lost = settled(kind, broken.verify((key, input) -> new Verified.ResultUnavailable<>("gone")),
                "ReconciledWithoutResult ReconciledWithoutResult");
        assertThat(lost.effect().status()).isEqualTo(EffectStatus.COMPLETED);
        assertThat(lost.effect().result()).isNull();
        assertThat(runs).hasValue(3);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void cancellationBeforeTheEffectIsCancelled(Databases.Kind kind) throws Exception {
        String url = kind.fresh();
        Flow<String, String> flow = flow(charge((attempt, input) -> {
            throw new IllegalStateException("not now");
        }).retry(SLOW).verify((key, input) -> new Verified.NotCompleted<>()));
        try (Lifetime first = new Lifetime(url, flow).cutAfter(Lifetime.begins("~r1:pay"))) {
            first.pawl.start(flow, ID, "paid");
            first.awaitCut();
            assertThat(first.effects(ID).getFirst().effect().status()).isEqualTo(EffectStatus.FAILED);
        }
        try (Lifetime second = new Lifetime(url, flow)) {
            second.pawl.workflow(ID).cancel("enough");
            assertThatThrownBy(() -> second.pawl.workflow(flow, ID).result(SOON))
                    .hasFieldOrPropertyWithValue("code", "WorkflowCancelled");
            EffectRecord record = second.effects(ID).getFirst();
            assertThat(record.effect().status()).isEqualTo(EffectStatus.CANCELLED);
            assertThat(record.effect().result()).isNull();
            assertThat(text(record.effect().error())).contains("not now");
        }
        assertThat(runs).hasValue(1);
    }

    private Activity<String, String> slow() {
        return charge((attempt, input) -> {
            if (attempt.attempt() == 1) {
                new CountDownLatch(1).await();
            }
            return "in time";
        });
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void timeOutIsTimedOutUnlessTheVerifierProvesThatItHappened(Databases.Kind kind) throws Exception {
        EffectRecord late = settled(kind, slow().retry(RetryPolicy.NONE)
                .verify((key, input) -> new Verified.NotCompleted<>()),
                "OperationFailed java.util.concurrent.TimeoutException");
        assertThat(late.effect().status()).isEqualTo(EffectStatus.TIMED_OUT);
        assertThat(text(late.effect().error())).contains("no answer within");
        assertThat(runs).hasValue(1);

        EffectRecord proved = settled(kind, slow().verify((key, input) -> new Verified.Completed<>("found")), "found");
        assertThat(proved.effect().status()).isEqualTo(EffectStatus.COMPLETED);
        assertThat(runs).hasValue(2);

        EffectRecord unknown = settled(kind, slow(), "Indeterminate Indeterminate");
        assertThat(unknown.effect().status()).isEqualTo(EffectStatus.INDETERMINATE);
        assertThat(text(unknown.effect().error())).contains("no answer within");
        assertThat(runs).hasValue(3);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void timeOutIsTriedAgainOnlyAfterALook(Databases.Kind kind) throws Exception {
        AtomicInteger looks = new AtomicInteger();
        EffectRecord record = settled(kind, slow().verify((key, input) -> {
            looks.incrementAndGet();
            return new Verified.NotCompleted<>();
        }), "in time");

        assertThat(record.effect().status()).isEqualTo(EffectStatus.COMPLETED);
        assertThat(looks).hasValue(1);
        assertThat(runs).hasValue(2);
        assertThat(keys).containsExactly("k pawl:default:w:pay:1", "k pawl:default:w:pay:2");
    }

    /** Ends in the wait between two attempts, and again in the second attempt. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void retryableFailureKeepsWhatWentWrongThroughCrashes(Databases.Kind kind) throws Exception {
        String url = kind.fresh();
        Flow<String, String> flow = flow(charge((attempt, input) -> {
            if (attempt.attempt() == 1) {
                throw new IllegalStateException("try later");
            }
            if (attempt.attempt() == 2) {
                java.util.Objects.requireNonNull(life.get()).cut();
            }
            return "third time";
        }).verify((key, input) -> new Verified.NotCompleted<>()));
        try (Lifetime first = new Lifetime(url, flow).cutAfter(Lifetime.begins("~r1:pay"))) {
            first.pawl.start(flow, ID, "paid");
            first.awaitCut();
            assertThat(first.effects(ID).getFirst().effect().status()).isEqualTo(EffectStatus.FAILED);
            assertThat(text(first.effects(ID).getFirst().effect().error())).contains("try later");
        }
        try (Lifetime second = new Lifetime(url, flow)) {
            life.set(second);
            second.awaitCut();
            assertThat(second.effects(ID).getFirst().effect().status()).isEqualTo(EffectStatus.INDETERMINATE);
            assertThat(text(second.effects(ID).getFirst().effect().error())).contains("try later");
        }
        try (Lifetime third = new Lifetime(url, flow)) {
            third.pawl.workflow(ID).signal("go", "");
            assertThat(third.pawl.workflow(flow, ID).result(SOON)).isEqualTo("third time");
            assertThat(third.effects(ID).getFirst().effect().status()).isEqualTo(EffectStatus.COMPLETED);
            assertThat(third.effects(ID).getFirst().effect().error()).isNull();
        }
        assertThat(keys).containsExactly("k pawl:default:w:pay:1", "k pawl:default:w:pay:2", "k pawl:default:w:pay:3");
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void exhaustedRetriesKeepTheLastFailure(Databases.Kind kind) throws Exception {
        EffectRecord record = settled(kind, charge((attempt, input) -> {
            throw new IllegalStateException("no " + attempt.attempt());
        }).verify((key, input) -> new Verified.NotCompleted<>()), "OperationFailed java.lang.IllegalStateException");

        assertThat(record.effect().status()).isEqualTo(EffectStatus.FAILED);
        assertThat(text(record.effect().error())).contains("no 3");
        assertThat(runs).hasValue(3);
    }

    /** Nobody has looked, so nobody knows; but the receiver recognises the key, so it is tried again. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void idempotentActivityIsTriedAgainAndItsFailureIsNotCalledHarmless(Databases.Kind kind) throws Exception {
        EffectRecord record = settled(kind, charge((attempt, input) -> {
            throw new IllegalStateException("no " + attempt.attempt());
        }).guarantee(Guarantee.IDEMPOTENT), "OperationFailed java.lang.IllegalStateException");

        assertThat(record.effect().status()).isEqualTo(EffectStatus.INDETERMINATE);
        assertThat(text(record.effect().error())).contains("no 3");
        assertThat(runs).hasValue(3);
    }

    /** What a later attempt says about itself says nothing about an earlier one. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void laterAttemptThatDidNothingDoesNotProveThatAnEarlierOneDidNothing(Databases.Kind kind) throws Exception {
        EffectRecord record = settled(kind, charge((attempt, input) -> {
            if (attempt.attempt() == 1) {
                throw new IllegalStateException("connection reset");
            }
            throw new NothingHappened("declined", new IllegalArgumentException("card declined"));
        }).nonRetryable(IllegalArgumentException.class).guarantee(Guarantee.IDEMPOTENT),
                "OperationFailed java.lang.IllegalArgumentException");

        assertThat(record.effect().status()).isEqualTo(EffectStatus.INDETERMINATE);
        assertThat(runs).hasValue(2);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void cancellationWithoutProofLeavesTheEffectIndeterminate(Databases.Kind kind) throws Exception {
        Flow<String, String> flow = flow(charge((attempt, input) -> {
            throw new IllegalStateException("not now");
        }).retry(SLOW).guarantee(Guarantee.IDEMPOTENT));
        try (Lifetime life = new Lifetime(kind.fresh(), flow)) {
            WorkflowHandle<String> handle = life.pawl.start(flow, ID, "paid");
            while (life.operation(ID, "~r1:pay") == null) {
                new CountDownLatch(1).await(10, TimeUnit.MILLISECONDS);
            }
            handle.cancel("enough");
            assertThatThrownBy(() -> handle.result(SOON)).hasFieldOrPropertyWithValue("code", "WorkflowCancelled");
            EffectRecord record = life.effects(ID).getFirst();
            assertThat(record.effect().status()).isEqualTo(EffectStatus.INDETERMINATE);
            assertThat(text(record.effect().error())).contains("not now");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void atMostOnceIsNeverTriedAgain(Databases.Kind kind) throws Exception {
        Activity<String, String> once = charge((attempt, input) -> {
            throw new IllegalStateException("reset");
        }).guarantee(Guarantee.AT_MOST_ONCE);
        EffectRecord threw = settled(kind, once, "OperationFailed java.lang.IllegalStateException");
        assertThat(threw.effect().status()).isEqualTo(EffectStatus.INDETERMINATE);
        assertThat(runs).hasValue(1);

        EffectRecord late = settled(kind, slow().guarantee(Guarantee.AT_MOST_ONCE),
                "OperationFailed java.util.concurrent.TimeoutException");
        assertThat(late.effect().status()).isEqualTo(EffectStatus.TIMED_OUT);
        assertThat(runs).hasValue(2);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void resultThatCannotBeRecordedLeavesACompletedEffectWithoutOne(Databases.Kind kind) throws Exception {
        EffectRecord record = settled(kind, charge((attempt, input) -> "x".repeat(3_000_000)),
                "OperationFailed dev.pawl.engine.flow.PayloadError");

        assertThat(record.effect().status()).isEqualTo(EffectStatus.COMPLETED);
        assertThat(record.effect().result()).isNull();
        assertThat(text(record.effect().error())).contains("too large");
        assertThat(runs).hasValue(1);
    }
}
