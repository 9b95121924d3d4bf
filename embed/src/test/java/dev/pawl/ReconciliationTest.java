package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.flow.Activity;
import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.flow.Guarantee;
import dev.pawl.engine.flow.OperationFailed;
import dev.pawl.engine.flow.RetryPolicy;
import dev.pawl.engine.flow.Verified;
import dev.pawl.kernel.workflow.Effect;
import dev.pawl.kernel.workflow.EffectRecord;
import dev.pawl.kernel.workflow.EffectStatus;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A process ends after an effect has happened and before anybody has recorded it. The next one asks a verifier: what each of its answers
 * comes to, and what comes of one that does not answer or contradicts what is known.
 */
class ReconciliationTest {

    private static final Duration SOON = Duration.ofSeconds(20);
    private static final String ID = "w";
    private static final String KEY = "order:42 %\0\ud83d\ude00";

    private final AtomicInteger runs = new AtomicInteger();
    private final AtomicInteger looks = new AtomicInteger();
    private final AtomicReference<@Nullable Lifetime> life = new AtomicReference<>();
    private Instant begun = Instant.EPOCH;

    /** Has its effect, and may bring its process down before that is recorded. */
    private Activity<String, String> charge(boolean deadly) {
        return Activity.<String, String>named("charge", String.class, String.class, input -> {
            int run = runs.incrementAndGet();
            Lifetime current = life.get();
            if (deadly && current != null) {
                current.cut();
            }
            return input + " " + run;
        }).timeout(Duration.ofMillis(500));
    }

    /** Says how it ended, so that a failure is a result like any other. */
    private static Flow<String, String> flow(Activity<String, String> activity) {
        return Flow.named("pay", String.class, String.class, (context, input) -> {
            try {
                return context.run("pay", activity, input);
            } catch (OperationFailed e) {
                return e.code();
            }
        });
    }

    private void crash(String url, Activity<String, String> activity) throws Exception {
        begun = Instant.now().minusMillis(1);
        Flow<String, String> flow = flow(activity);
        try (Lifetime first = new Lifetime(url, flow)) {
            life.set(first);
            first.pawl.start(flow, ID, "paid");
            first.awaitCut();
        }
        assertThat(runs).hasValue(1);
    }

    private EffectRecord resume(String url, Activity<String, String> activity, String expected) {
        Flow<String, String> flow = flow(activity);
        try (Lifetime second = new Lifetime(url, flow)) {
            assertThat(second.pawl.workflow(flow, ID).result(SOON)).isEqualTo(expected);
            assertThat(second.effects(ID)).hasSize(1);
            return second.effects(ID).getFirst();
        }
    }

    private EffectRecord crashAndResume(Databases.Kind kind, Activity.Verifier<String, String> verifier,
            String expected) throws Exception {
        String url = kind.fresh();
        crash(url, charge(true).key(input -> KEY).verify(verifier));
        return resume(url, charge(false).key(input -> KEY).verify((key, input) -> {
            looks.incrementAndGet();
            assertThat(key).isEqualTo(KEY);
            return verifier.verify(key, input);
        }), expected);
    }

    /** Every field of the record. */
    private void assertRecord(EffectRecord record, EffectStatus status, @Nullable String result,
            @Nullable String error) {
        assertThat(record.version()).isEqualTo(1);
        assertThat(record.workflow().workflowId()).isEqualTo(ID);
        assertThat(record.effect().key()).isEqualTo(new Effect.Key("charge", "pay", KEY));
        assertThat(record.effect().status()).isEqualTo(status);
        assertThat(text(record.effect().result())).isEqualTo(result);
        if (error == null) {
            assertThat(record.effect().error()).isNull();
        } else {
            assertThat(text(record.effect().error())).contains(error);
        }
        assertThat(record.createdAt()).isBetween(begun, record.updatedAt());
        assertThat(record.updatedAt()).isBeforeOrEqualTo(Instant.now());
    }

    private static @Nullable String text(dev.pawl.kernel.message.@Nullable Payload payload) {
        return payload == null ? null : new String(payload.bytes(), StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void notCompletedIsDispatchedAgain(Databases.Kind kind) throws Exception {
        EffectRecord record = crashAndResume(kind, (key, input) -> new Verified.NotCompleted<>(), "paid 2");

        assertRecord(record, EffectStatus.COMPLETED, "\"paid 2\"", null);
        assertThat(runs).hasValue(2);
        assertThat(looks).hasValue(1);
        assertThat(record.createdAt()).isBefore(record.updatedAt());
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void completedWithAResultIsRecordedAndNotDoneAgain(Databases.Kind kind) throws Exception {
        assertRecord(crashAndResume(kind, (key, input) -> new Verified.Completed<>("found"), "found"),
                EffectStatus.COMPLETED, "\"found\"", null);
        assertThat(runs).hasValue(1);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void completedWithoutAResultFailsAndIsNotDoneAgain(Databases.Kind kind) throws Exception {
        assertRecord(crashAndResume(kind, (key, input) -> new Verified.ResultUnavailable<>("archived"),
                "ReconciledWithoutResult"), EffectStatus.COMPLETED, null, "archived");
        assertThat(runs).hasValue(1);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void indeterminateFailsAndIsNotDoneAgain(Databases.Kind kind) throws Exception {
        assertRecord(crashAndResume(kind, (key, input) -> new Verified.Indeterminate<>("no idea"), "Indeterminate"),
                EffectStatus.INDETERMINATE, null, "no idea");
        assertThat(runs).hasValue(1);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void verifierThatThrowsIsIndeterminate(Databases.Kind kind) throws Exception {
        assertRecord(crashAndResume(kind, (key, input) -> {
            throw new IllegalStateException("down for maintenance");
        }, "Indeterminate"), EffectStatus.INDETERMINATE, null, "down for maintenance");
        assertThat(runs).hasValue(1);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void verifierThatHangsDoesNotHangTheFlow(Databases.Kind kind) throws Exception {
        assertRecord(crashAndResume(kind, (key, input) -> {
            new CountDownLatch(1).await();
            throw new IllegalStateException("not reached");
        }, "Indeterminate"), EffectStatus.INDETERMINATE, null, "no answer within PT0.5S");
        assertThat(runs).hasValue(1);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    @SuppressWarnings("NullAway") // Somebody's verifier may do so all the same.
    void verifierThatAnswersNothingIsIndeterminate(Databases.Kind kind) throws Exception {
        assertRecord(crashAndResume(kind, (key, input) -> null, "Indeterminate"), EffectStatus.INDETERMINATE, null,
                "answered nothing");
        assertThat(runs).hasValue(1);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void keyThatNobodyCanLookUpIsIndeterminate(Databases.Kind kind) throws Exception {
        String url = kind.fresh();
        crash(url, charge(true).key(input -> KEY));

        assertRecord(resume(url, charge(false).key(input -> KEY), "Indeterminate"), EffectStatus.INDETERMINATE, null,
                "nobody says how to look it up");
        assertThat(runs).hasValue(1);
    }

    /** Somebody else has written it: a restored table, another version. The engine writes both in one commit. */
    private static void recordCompleted(String url, String result) {
        String bytes = (url.startsWith("jdbc:sqlite:") ? "x'" : "'\\x")
                + java.util.HexFormat.of().formatHex(result.getBytes(StandardCharsets.UTF_8)) + "'";
        Lifetime.execute(url, "update " + Lifetime.table(url, "effect") + " set status = 'completed', result = "
                + bytes);
    }

    private EffectRecord contradicted(Databases.Kind kind, Activity.Verifier<String, String> verifier, String expected)
            throws Exception {
        String url = kind.fresh();
        crash(url, charge(true).key(input -> KEY));
        recordCompleted(url, "\"recorded\"");
        return resume(url, charge(false).key(input -> KEY).verify(verifier), expected);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void verifierThatDeniesWhatIsRecordedFailsClosed(Databases.Kind kind) throws Exception {
        EffectRecord record = contradicted(kind, (key, input) -> new Verified.NotCompleted<>(),
                "VerifierContradiction");

        assertRecord(record, EffectStatus.INDETERMINATE, null, "has not happened");
        assertThat(text(record.effect().error())).contains("\"recorded\":\"recorded\"");
        assertThat(runs).hasValue(1);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void verifierThatTellsAnotherResultFailsClosed(Databases.Kind kind) throws Exception {
        EffectRecord record = contradicted(kind, (key, input) -> new Verified.Completed<>("other"),
                "VerifierContradiction");

        assertRecord(record, EffectStatus.INDETERMINATE, null, "something else");
        assertThat(text(record.effect().error())).contains("\"recorded\":\"recorded\"", "\"verified\":\"other\"");
        assertThat(runs).hasValue(1);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void recordedResultCatchesUpWhereTheVerifierAgreesOrDoesNotKnow(Databases.Kind kind) throws Exception {
        assertRecord(contradicted(kind, (key, input) -> new Verified.Completed<>("recorded"), "recorded"),
                EffectStatus.COMPLETED, "\"recorded\"", null);
        runs.set(0);
        assertRecord(contradicted(kind, (key, input) -> new Verified.Indeterminate<>("no idea"), "recorded"),
                EffectStatus.COMPLETED, "\"recorded\"", null);
        assertThat(runs).hasValue(1);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void recordedResultOfAnIdempotentActivityCatchesUp(Databases.Kind kind) throws Exception {
        String url = kind.fresh();
        crash(url, charge(true).key(input -> KEY).guarantee(Guarantee.IDEMPOTENT));
        recordCompleted(url, "\"recorded\"");

        assertRecord(resume(url, charge(false).key(input -> KEY).guarantee(Guarantee.IDEMPOTENT), "recorded"),
                EffectStatus.COMPLETED, "\"recorded\"", null);
        assertThat(runs).hasValue(1);
    }

    /** The process lives on, but its commit is lost: it asks again, and is told the opposite. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void verifierThatTakesBackWhatItSaidFailsClosed(Databases.Kind kind) throws Exception {
        String url = kind.fresh();
        crash(url, charge(true).key(input -> KEY));
        Flow<String, String> flow = flow(charge(false).key(input -> KEY).verify((key, input) -> looks
                .incrementAndGet() == 1 ? new Verified.Completed<>("found") : new Verified.NotCompleted<>()));
        try (Lifetime second = new Lifetime(url, flow).lose(Lifetime.ends("pay"))) {
            assertThat(second.pawl.workflow(flow, ID).result(SOON)).isEqualTo("VerifierContradiction");
            assertRecord(second.effects(ID).getFirst(), EffectStatus.INDETERMINATE, null, "\"recorded\":\"found\"");
        }
        assertThat(runs).hasValue(1);
        assertThat(looks).hasValue(2);
    }

    /** A record that is missing means what it meant before there were any. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void operationOfAnOlderWriterIsLookedUpAllTheSame(Databases.Kind kind) throws Exception {
        String url = kind.fresh();
        crash(url, charge(true).key(input -> KEY));
        Lifetime.execute(url, "delete from " + Lifetime.table(url, "effect"));

        EffectRecord record = resume(url, charge(false).key(input -> KEY)
                .verify((key, input) -> new Verified.Completed<>("found")), "found");
        assertThat(record.effect().status()).isEqualTo(EffectStatus.COMPLETED);
        assertThat(runs).hasValue(1);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void activityWithoutAKeyIsDispatchedAgainAndClaimsNothing(Databases.Kind kind) throws Exception {
        String url = kind.fresh();
        crash(url, charge(true).retry(RetryPolicy.NONE));
        Flow<String, String> flow = flow(charge(false).retry(RetryPolicy.NONE));
        try (Lifetime second = new Lifetime(url, flow)) {
            assertThat(second.pawl.workflow(flow, ID).result(SOON)).isEqualTo("paid 2");
            assertThat(second.effects(ID)).isEmpty();
            assertThat(second.pawl.workflow(ID).events()).noneMatch(event -> event.json().contains("effects"));
        }
        assertThat(runs).hasValue(2);
    }

    /** A query runs the code on what is durable, and must not have the outside world asked anything. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void queryAsksNoVerifier(Databases.Kind kind) throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        Flow<String, String> flow = Flow.named("pay", String.class, String.class, (context, input) -> {
            context.onQuery("input", Object.class, String.class, none -> input);
            return context.run("pay", charge(true).key(any -> KEY).timeout(SOON).verify((key, in) -> {
                looks.incrementAndGet();
                asked.countDown();
                answer.await();
                return new Verified.Completed<>("found");
            }), input);
        });
        String url = kind.fresh();
        try (Lifetime first = new Lifetime(url, flow)) {
            life.set(first);
            first.pawl.start(flow, ID, "paid");
            first.awaitCut();
        }
        life.set(null);
        try (Lifetime second = new Lifetime(url, flow)) {
            asked.await();
            assertThat(second.pawl.workflow(ID).query("input", null, String.class)).isEqualTo("paid");
            answer.countDown();
            assertThat(second.pawl.workflow(flow, ID).result(SOON)).isEqualTo("found");
        }
        assertThat(looks).hasValue(1);
    }
}
