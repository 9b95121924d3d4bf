package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.flow.Activity;
import dev.pawl.engine.flow.DecisionKind;
import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.flow.Guarantee;
import dev.pawl.engine.flow.OperationFailed;
import dev.pawl.engine.flow.Verified;
import dev.pawl.engine.flow.WhenUnknown;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.workflow.EffectStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What was handed to somebody else and not answered in time is asked about like any other outcome that nobody knows. */
class ElsewhereAskTest {

    private static final Duration SOON = Duration.ofSeconds(60);

    private final List<String> tokens = Collections.synchronizedList(new ArrayList<>());
    private final List<String> attemptKeys = Collections.synchronizedList(new ArrayList<>());
    private final List<String> undone = Collections.synchronizedList(new ArrayList<>());
    private final AtomicReference<Verified<String>> world =
            new AtomicReference<>(new Verified.Indeterminate<>("the carrier does not say"));
    private final AtomicInteger said = new AtomicInteger();

    private final Activity<String, String> handOver = Activity
            .<String, String>named("hand-over", String.class, String.class, (attempt, input) -> {
                tokens.add(attempt.token());
                attemptKeys.add(attempt.attemptKey());
                return "ignored";
            })
            .completedElsewhere().key(input -> "k").timeout(Duration.ofMillis(30))
            .verify((key, input) -> world.get())
            .compensate((input, output) -> undone.add(input + "/" + output))
            .whenUnknown(WhenUnknown.ASK);

    private Flow<String, String> flow(Activity<String, String> activity) {
        return Flow.named("ship", String.class, String.class, (context, input) -> {
            context.onUpdate("say", Integer.class, Integer.class, said::addAndGet);
            try {
                return context.run("ship-it", activity, input);
            } catch (OperationFailed e) {
                return e.code();
            }
        });
    }

    private static Pawl open(String url, int waitingMax, Flow<?, ?> flow) {
        return Pawl.builder().url(url).shards(1).lease(Duration.ofSeconds(3), Duration.ofMillis(500))
                .waitingMax(waitingMax).definitions(flow).open();
    }

    private static Case awaitCase(Pawl pawl) throws InterruptedException {
        for (int i = 0; i < 2_000; i++) {
            List<Case> cases = pawl.attention().list(null, 10).items();
            if (!cases.isEmpty()) {
                return cases.getFirst();
            }
            new CountDownLatch(1).await(10, TimeUnit.MILLISECONDS);
        }
        throw new AssertionError("nothing came up");
    }

    private Case asked(String url, int waitingMax, Flow<String, String> flow) throws InterruptedException {
        try (Pawl pawl = open(url, waitingMax, flow)) {
            WorkflowHandle<String> handle = pawl.start(flow, "w", "box");
            Case found = awaitCase(pawl);
            assertThat(handle.status()).isEqualTo(WorkflowStatus.PARKED);
            assertThat(handle.effects()).extracting(each -> each.effect().status())
                    .containsExactly(EffectStatus.INDETERMINATE);
            return found;
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void timeOutThatNobodyCanExplainIsShownAndAccepted(Databases.Kind kind, int waitingMax) throws Exception {
        Flow<String, String> flow = flow(handOver);
        String url = kind.fresh();
        Case found = asked(url, waitingMax, flow);
        assertThat(found).isInstanceOf(Case.IndeterminateOperation.class);
        assertThat(found.allowed()).containsExactlyInAnyOrder(DecisionKind.values());
        Evidence evidence = found.evidence();
        assertThat(evidence.operation()).isEqualTo("ship-it");
        assertThat(evidence.activity()).isEqualTo("hand-over");
        assertThat(evidence.key()).isEqualTo("k");
        assertThat(evidence.code()).isEqualTo("Indeterminate");
        assertThat(evidence.message()).contains("the carrier does not say", "nobody completed it within");
        try (Pawl pawl = open(url, waitingMax, flow)) {
            assertThat(awaitCase(pawl).id()).isEqualTo(found.id());
            pawl.decide(found.id(), Decision.accept("seen at the door"), "desk-1");
            assertThat(pawl.workflow(flow, "w").result(SOON)).isEqualTo("seen at the door");
            assertThat(pawl.workflow("w").effects()).extracting(each -> each.effect().status())
                    .containsExactly(EffectStatus.COMPLETED);
            assertThat(pawl.attention().list(null, 10).items()).isEmpty();
        }
        assertThat(tokens).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void whatHasNotHappenedIsHandedOverOnceMore(Databases.Kind kind, int waitingMax) throws Exception {
        Flow<String, String> flow = flow(handOver);
        String url = kind.fresh();
        Case first = asked(url, waitingMax, flow);
        Case second;
        try (Pawl pawl = open(url, waitingMax, flow)) {
            pawl.decide(first.id(), Decision.notDone(), "desk-1");
            for (int i = 0; i < 6_000 && tokens.size() < 2; i++) {
                new CountDownLatch(1).await(10, TimeUnit.MILLISECONDS);
            }
            second = awaitCase(pawl);
            assertThat(second.id()).isNotEqualTo(first.id());
            assertThat(second.evidence().attempts()).isEqualTo(2);
        }
        assertThat(new HashSet<>(attemptKeys)).as("no attempt has the key of another").hasSize(2);
        try (Pawl pawl = open(url, waitingMax, flow)) {
            pawl.complete(tokens.getFirst(), "late, but here");
            pawl.decide(second.id(), Decision.notDone(), "desk-1");
            assertThat(pawl.workflow(flow, "w").result(SOON)).isEqualTo("late, but here");
            assertThat(pawl.workflow("w").effects()).extracting(each -> each.effect().status())
                    .containsExactly(EffectStatus.COMPLETED);
        }
        assertThat(tokens).hasSize(3);
        assertThat(new HashSet<>(attemptKeys)).hasSize(3);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void retryLooksAgain(Databases.Kind kind, int waitingMax) throws Exception {
        Flow<String, String> flow = flow(handOver);
        String url = kind.fresh();
        Case found = asked(url, waitingMax, flow);
        world.set(new Verified.Completed<>("found"));
        try (Pawl pawl = open(url, waitingMax, flow)) {
            pawl.decide(found.id(), Decision.retry(), "desk-1");
            assertThat(pawl.workflow(flow, "w").result(SOON)).isEqualTo("found");
        }
        assertThat(tokens).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void abortedOrTakenBackItIsNotAskedAboutOnceMore(Databases.Kind kind, int waitingMax) throws Exception {
        Flow<String, String> flow = flow(handOver);
        String url = kind.fresh();
        Case found = asked(url, waitingMax, flow);
        try (Pawl pawl = open(url, waitingMax, flow)) {
            pawl.decide(found.id(), Decision.compensate(), "desk-1");
            assertThat(pawl.workflow(flow, "w").result(SOON)).isEqualTo("Compensated");
            assertThat(undone).containsExactly("box/null");
            assertThat(pawl.attention().list(null, 10).items()).isEmpty();

            pawl.start(flow, "v", "bag");
            pawl.decide(awaitCase(pawl).id(), Decision.abort(), "desk-1");
            assertThatThrownBy(() -> pawl.workflow(flow, "v").result(SOON)).isInstanceOf(WorkflowFailed.class)
                    .hasMessageContaining("desk-1");
            assertThat(pawl.workflow("v").effects()).extracting(each -> each.effect().status())
                    .containsExactly(EffectStatus.INDETERMINATE);
            assertThat(pawl.attention().list(null, 10).items()).isEmpty();
        }
    }

    /** Without a verifier nobody but a person can look. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void updatesThatCameWhileItWasAskedAreAnsweredInTheirOrder(Databases.Kind kind, int waitingMax) throws Exception {
        Activity<String, String> blind = Activity
                .<String, String>named("hand-over", String.class, String.class, (attempt, input) -> {
                    tokens.add(attempt.token());
                    return "ignored";
                }).completedElsewhere().guarantee(Guarantee.AT_MOST_ONCE).timeout(Duration.ofMillis(300))
                .whenUnknown(WhenUnknown.ASK);
        Flow<String, String> flow = Flow.named("ship", String.class, String.class, (context, input) -> {
            StringBuilder words = new StringBuilder();
            context.onUpdate("say", String.class, String.class, word -> words.append(word).toString());
            String result = context.run("ship-it", blind, input);
            context.signal("go", String.class);
            return words + " " + result;
        });
        String url = kind.fresh();
        Case found;
        try (Pawl pawl = open(url, waitingMax, flow)) {
            WorkflowHandle<String> handle = pawl.start(flow, "w", "box");
            assertThat(handle.update("say", "a", String.class, "u-1", SOON)).isEqualTo("a");
            found = awaitCase(pawl);
            assertThat(found.evidence().code()).isEqualTo("Timeout");
            assertThat(found.allowed()).doesNotContain(DecisionKind.RETRY, DecisionKind.COMPENSATE);
            assertThat(handle.update("say", "b", String.class, "u-2", SOON)).isEqualTo("ab");
            pawl.decide(found.id(), Decision.accept("there"), "desk-1");
            assertThat(handle.update("say", "c", String.class, "u-3", SOON)).isEqualTo("abc");
        }
        try (Pawl pawl = open(url, waitingMax, flow)) {
            pawl.workflow("w").signal("go", "");
            assertThat(pawl.workflow(flow, "w").result(SOON)).isEqualTo("abc there");
        }
    }

    /** Whether it was handed over is not known; the answer says that it was. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void whatMayHaveBeenHandedOverIsWaitedFor(Databases.Kind kind) throws Exception {
        List<Lifetime> lives = Collections.synchronizedList(new ArrayList<>());
        Activity<String, String> lost = Activity
                .<String, String>named("hand-over", String.class, String.class, (attempt, input) -> {
                    tokens.add(attempt.token());
                    lives.getFirst().cut();
                    return "ignored";
                }).completedElsewhere().guarantee(Guarantee.AT_MOST_ONCE).timeout(Duration.ofSeconds(20));
        for (WhenUnknown policy : WhenUnknown.values()) {
            Flow<String, String> flow = flow(lost.whenUnknown(policy));
            String url = kind.fresh();
            lives.clear();
            try (Lifetime first = new Lifetime(url, flow)) {
                lives.add(first);
                first.pawl.start(flow, "w", "box");
                first.awaitCut();
            }
            try (Lifetime second = new Lifetime(url, flow)) {
                if (policy == WhenUnknown.ASK) {
                    second.pawl.complete(tokens.getLast(), "done");
                }
                assertThat(second.pawl.workflow(flow, "w").result(SOON))
                        .isEqualTo(policy == WhenUnknown.ASK ? "done" : "OutcomeUnknown");
                assertThat(second.effects("w")).extracting(each -> each.effect().status()).containsExactly(
                        policy == WhenUnknown.ASK ? EffectStatus.COMPLETED : EffectStatus.INDETERMINATE);
            }
        }
        assertThat(tokens).hasSize(2);
    }
}
