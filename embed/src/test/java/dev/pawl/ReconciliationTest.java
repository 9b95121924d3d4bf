package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.flow.RetryPolicy;
import dev.pawl.engine.flow.Verified;
import dev.pawl.kernel.workflow.EffectRecord;
import dev.pawl.kernel.workflow.EffectStatus;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A process ends after an effect has happened and before anybody has recorded it. The next one asks a verifier: what each of its answers
 * comes to, and what comes of one that does not answer.
 */
@Execution(ExecutionMode.CONCURRENT)
class ReconciliationTest extends ReconciliationBench {

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
