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
import dev.pawl.engine.store.Claim;
import dev.pawl.engine.store.Commit;
import dev.pawl.engine.store.DecisionRecord;
import dev.pawl.engine.store.Page;
import dev.pawl.engine.store.ShardId;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Step;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.collation.Collation;
import dev.pawl.kernel.event.Event;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.ActivityRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What nobody can know is asked, shown with its evidence, and decided by a person; on both stores, with a restart in the middle. */
class AttentionTest {

    private static final Duration SOON = Duration.ofSeconds(60);

    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicReference<Verified<String>> world =
            new AtomicReference<>(new Verified.Indeterminate<>("the bank does not say"));
    private final List<String> undone = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger throwing = new AtomicInteger(1);

    private final Activity<String, String> charge = Activity
            .<String, String>named("charge", String.class, String.class, input -> {
                calls.incrementAndGet();
                if (throwing.getAndDecrement() > 0) {
                    throw new IllegalStateException("connection reset");
                }
                return input + " charged";
            })
            .key(input -> "key-" + input)
            .verify((key, input) -> world.get())
            .compensate((input, output) -> undone.add(input + "/" + output))
            .whenUnknown(WhenUnknown.ASK);

    private final Flow<String, String> flow = Flow.named("pay", String.class, String.class, (context, input) -> {
        context.step("before", String.class, () -> "x");
        context.onRollback("note", () -> undone.add("before"));
        try {
            return context.run("charge-it", charge, input);
        } catch (OperationFailed e) {
            return e.code();
        } catch (RuntimeException e) {
            return "swallowed " + e;
        }
    });

    private static Pawl open(String url, int waitingMax, Flow<?, ?>... flows) {
        return Pawl.builder().url(url).shards(2).lease(Duration.ofSeconds(3), Duration.ofMillis(500))
                .waitingMax(waitingMax).definitions(flows).open();
    }

    private static Case awaitCase(Pawl pawl) throws InterruptedException {
        for (int i = 0; i < 2_000; i++) {
            Page<Case> page = pawl.attention().list(null, 10);
            if (!page.items().isEmpty()) {
                return page.items().getFirst();
            }
            new CountDownLatch(1).await(10, TimeUnit.MILLISECONDS);
        }
        throw new AssertionError("nothing came up");
    }

    /** A decision stands in the event of the commit that acts on it, as the digest of its row. */
    private static void assertRecorded(WorkflowHandle<?> handle, String decision, String subject) {
        ActivityRecord row = handle.operations().stream()
                .filter(each -> each.key().activity().startsWith("~decision:")).findFirst().orElseThrow();
        assertThat(new String(row.output().bytes(), StandardCharsets.UTF_8))
                .contains("\"decision\":\"" + decision + "\"").contains("\"subject\":\"" + subject + "\"");
        assertThat(handle.events()).extracting(Event::json).anyMatch(event -> event
                .contains("\"" + row.key().activity() + ",") && event.contains(row.output().digest().base64()));
    }

    private Case asked(String url, int waitingMax) throws InterruptedException {
        try (Pawl pawl = open(url, waitingMax, flow)) {
            WorkflowHandle<String> handle = pawl.start(flow, "w", "42");
            Case found = awaitCase(pawl);
            assertThat(handle.status()).isEqualTo(WorkflowStatus.PARKED);
            assertThat(handle.reason()).contains("Indeterminate", "charge-it", "the bank does not say");
            return found;
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void unknownOutcomeIsShownWithItsEvidenceAndAccepted(Databases.Kind kind, int waitingMax) throws Exception {
        String url = kind.fresh();
        Case found = asked(url, waitingMax);
        assertThat(found).isInstanceOf(Case.IndeterminateOperation.class);
        assertThat(found.workflowId()).isEqualTo("w");
        assertThat(found.allowed()).isEqualTo(Set.of(DecisionKind.values()));
        Evidence evidence = found.evidence();
        assertThat(evidence.operation()).isEqualTo("charge-it");
        assertThat(evidence.activity()).isEqualTo("charge");
        assertThat(evidence.guarantee()).isEqualTo("reconciled");
        assertThat(evidence.key()).isEqualTo("key-42");
        assertThat(evidence.attempts()).isEqualTo(1);
        assertThat(evidence.code()).isEqualTo("Indeterminate");
        assertThat(evidence.message()).startsWith("the bank does not say").contains("connection reset");
        assertThat(evidence.since()).isNotNull();
        assertThat(evidence.lastEvent()).isPositive();
        try (Pawl pawl = open(url, waitingMax, flow)) {
            assertThat(awaitCase(pawl).id()).isEqualTo(found.id());
            assertThatThrownBy(() -> pawl.decide(found.id(), Decision.accept("x"), "  "))
                    .hasFieldOrPropertyWithValue("code", "ValidationFailed");
            DecisionRecord first = pawl.decide(found.id(), Decision.accept("42 by hand").because("seen"), "desk-1");
            assertThat(pawl.decide(found.id(), Decision.accept("42 by hand"), "desk-2")).isEqualTo(first);
            assertThatThrownBy(() -> pawl.decide(found.id(), Decision.accept("43"), "desk-2"))
                    .hasFieldOrPropertyWithValue("code", "DecisionConflict").hasMessageContaining("desk-1");
            assertThatThrownBy(() -> pawl.decide(found.id(), Decision.abort(), "desk-1"))
                    .hasFieldOrPropertyWithValue("code", "DecisionConflict");

            WorkflowHandle<String> handle = pawl.workflow(flow, "w");
            assertThat(handle.result(SOON)).isEqualTo("42 by hand");
            assertThat(pawl.attention().list(null, 10).items()).isEmpty();
            assertThat(pawl.attention().decisions("w")).containsExactly(first);
            assertThat(pawl.decide(found.id(), Decision.accept("42 by hand"), "desk-2")).isEqualTo(first);
            assertRecorded(handle, "accept", "desk-1");
        }
        assertThat(calls).hasValue(1);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void whatWasNotDoneIsDoneAgain(Databases.Kind kind, int waitingMax) throws Exception {
        String url = kind.fresh();
        Case found = asked(url, waitingMax);
        try (Pawl pawl = open(url, waitingMax, flow)) {
            pawl.decide(found.id(), Decision.notDone(), "desk-1");
            assertThat(pawl.workflow(flow, "w").result(SOON)).isEqualTo("42 charged");
            assertRecorded(pawl.workflow("w"), "not-done", "desk-1");
        }
        assertThat(calls).hasValue(2);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void retryLooksAgainAndAsksAgain(Databases.Kind kind, int waitingMax) throws Exception {
        String url = kind.fresh();
        Case found = asked(url, waitingMax);
        Case second;
        try (Pawl pawl = open(url, waitingMax, flow)) {
            pawl.decide(found.id(), Decision.retry(), "desk-1");
            second = awaitCase(pawl);
            assertThat(second.id()).isNotEqualTo(found.id());
            assertThatThrownBy(() -> pawl.decide(found.id(), Decision.notDone(), "desk-2"))
                    .hasFieldOrPropertyWithValue("code", "DecisionConflict");
        }
        world.set(new Verified.Completed<>("42 found"));
        try (Pawl pawl = open(url, waitingMax, flow)) {
            pawl.decide(second.id(), Decision.retry(), "desk-2");
            assertThat(pawl.workflow(flow, "w").result(SOON)).isEqualTo("42 found");
            assertThat(pawl.attention().decisions("w")).extracting(DecisionRecord::subject)
                    .containsExactly("desk-1", "desk-2");
        }
        assertThat(calls).hasValue(1);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void unknownOutcomeIsTakenBack(Databases.Kind kind, int waitingMax) throws Exception {
        String url = kind.fresh();
        Case found = asked(url, waitingMax);
        try (Pawl pawl = open(url, waitingMax, flow)) {
            pawl.decide(found.id(), Decision.compensate(), "desk-1");
            assertThat(pawl.workflow(flow, "w").result(SOON)).isEqualTo("Compensated");
            assertRecorded(pawl.workflow("w"), "compensate", "desk-1");
        }
        assertThat(undone).containsExactly("42/null");
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void abortFailsTheWorkflowWhateverItsCodeCatches(Databases.Kind kind, int waitingMax) throws Exception {
        String url = kind.fresh();
        Case found = asked(url, waitingMax);
        try (Pawl pawl = open(url, waitingMax, flow)) {
            pawl.decide(found.id(), Decision.abort().because("fraud"), "desk-1");
            WorkflowHandle<String> handle = pawl.workflow(flow, "w");
            assertThatThrownBy(() -> handle.result(SOON)).isInstanceOf(WorkflowFailed.class)
                    .hasMessageContaining("desk-1").hasMessageContaining("fraud");
            assertThat(handle.status()).isEqualTo(WorkflowStatus.FAILED);
            assertRecorded(handle, "abort", "desk-1");
        }
        assertThat(undone).as("what was done before is taken back").containsExactly("before");
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void resultThatDoesNotFitIsAskedForAgain(Databases.Kind kind, int waitingMax) throws Exception {
        Activity<String, Integer> count = Activity
                .<String, Integer>named("count", String.class, Integer.class, input -> {
                    throw new IllegalStateException("reset");
                }).key(input -> input).verify((key, input) -> new Verified.ResultUnavailable<>("lost"))
                .whenUnknown(WhenUnknown.ASK);
        Flow<String, Integer> counting = Flow.named("counting", String.class, Integer.class,
                (context, input) -> context.run(count, input));
        try (Pawl pawl = open(kind.fresh(), waitingMax, counting)) {
            WorkflowHandle<Integer> handle = pawl.start(counting, "w", "k");
            Case first = awaitCase(pawl);
            assertThat(first.evidence().code()).isEqualTo("ReconciledWithoutResult");
            assertThat(first.allowed()).doesNotContain(DecisionKind.COMPENSATE);
            assertThatThrownBy(() -> pawl.decide(first.id(), Decision.compensate(), "desk-1"))
                    .hasFieldOrPropertyWithValue("code", "DecisionNotAllowed");
            pawl.decide(first.id(), Decision.accept("not a number"), "desk-1");
            Case second = awaitCase(pawl);
            assertThat(second.evidence().code()).isEqualTo("DecisionUnusable");
            pawl.decide(second.id(), Decision.accept(7), "desk-1");
            assertThat(handle.result(SOON)).isEqualTo(7);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void whatWasLostWithItsProcessIsAskedAbout(Databases.Kind kind, int waitingMax) throws Exception {
        CountDownLatch under = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        Activity<String, String> send = Activity.<String, String>named("send", String.class, String.class, input -> {
            if (calls.incrementAndGet() == 1) {
                under.countDown();
                never.await();
            }
            return "sent";
        }).guarantee(Guarantee.AT_MOST_ONCE).whenUnknown(WhenUnknown.ASK);
        Flow<String, String> sending = Flow.named("sending", String.class, String.class,
                (context, input) -> context.run(send, input));
        String url = kind.fresh();
        Pawl dying = Pawl.builder().url(url).shards(2).lease(Duration.ofSeconds(3), Duration.ofMillis(500))
                .drainTimeout(Duration.ofMillis(50)).definitions(sending).open();
        dying.start(sending, "w", "mail");
        under.await();
        dying.close();
        try (Pawl pawl = open(url, waitingMax, sending)) {
            Case found = awaitCase(pawl);
            assertThat(found).isInstanceOf(Case.LostOperation.class);
            assertThat(found.evidence().guarantee()).isEqualTo("at-most-once");
            assertThat(found.allowed()).doesNotContain(DecisionKind.RETRY);
            pawl.decide(found.id(), Decision.notDone(), "desk-1");
            assertThat(pawl.workflow(sending, "w").result(SOON)).isEqualTo("sent");
        }
        assertThat(calls).hasValue(2);
        never.countDown();
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void cancellationEndsTheWaitForADecision(Databases.Kind kind, int waitingMax) throws Exception {
        String url = kind.fresh();
        Case found = asked(url, waitingMax);
        Flow<String, String> plain = flow;
        try (Pawl pawl = open(url, waitingMax, plain)) {
            pawl.workflow("w").cancel("enough");
            assertThat(pawl.workflow(plain, "w").result(SOON)).contains("swallowed");
            assertThat(pawl.attention().list(null, 10).items()).as("nobody waits, but nobody knows either")
                    .singleElement().isInstanceOf(Case.UnknownEffect.class);
            assertThatThrownBy(() -> pawl.decide(found.id(), Decision.notDone(), "desk-1"))
                    .hasFieldOrPropertyWithValue("code", "NotFound");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void parkedWorkflowIsTriedAgainOrAborted(Databases.Kind kind, int waitingMax) throws Exception {
        AtomicReference<String> name = new AtomicReference<>("pay");
        Flow<String, String> changing = Flow.named("flow", String.class, String.class, (context, input) -> {
            context.step(name.get(), String.class, () -> "paid");
            return context.signal("go", String.class);
        });
        String url = kind.fresh();
        try (Pawl pawl = open(url, waitingMax, changing)) {
            for (String id : List.of("v", "w")) {
                WorkflowHandle<String> handle = pawl.start(changing, id, "");
                for (int i = 0; i < 6_000 && handle.operations().size() < 2; i++) {
                    new CountDownLatch(1).await(10, TimeUnit.MILLISECONDS);
                }
            }
        }
        name.set("charge");
        try (Pawl pawl = open(url, waitingMax, changing)) {
            pawl.workflow("v").signal("go", "x");
            pawl.workflow("w").signal("go", "x");
            for (int i = 0; i < 6_000 && pawl.attention().list(null, 10).items().size() < 2; i++) {
                new CountDownLatch(1).await(10, TimeUnit.MILLISECONDS);
            }
            Page<Case> firstOnly = pawl.attention().list(null, 1);
            Case parked = firstOnly.items().getFirst();
            Case other = pawl.attention().list(firstOnly.next(), 10).items().getFirst();
            assertThat(parked).isInstanceOf(Case.ParkedWorkflow.class);
            assertThat(List.of(parked.workflowId(), other.workflowId())).containsExactly("v", "w");
            assertThat(parked.evidence().code()).isEqualTo("FlowMismatch");
            assertThat(parked.evidence().message()).startsWith("the code of v comes to charge").contains("pay",
                    "deploy");
            assertThat(parked.allowed()).containsExactlyInAnyOrder(DecisionKind.RETRY, DecisionKind.ABORT);
            assertThatThrownBy(() -> pawl.decide(parked.id(), Decision.notDone(), "desk-1"))
                    .hasFieldOrPropertyWithValue("code", "DecisionNotAllowed");

            pawl.decide(parked.id(), Decision.retry(), "desk-1");
            Case again = null;
            for (int i = 0; i < 6_000 && again == null; i++) {
                again = pawl.attention().list(null, 10).items().stream()
                        .filter(each -> each.workflowId().equals("v") && !each.id().equals(parked.id())).findFirst()
                        .orElse(null);
                new CountDownLatch(1).await(10, TimeUnit.MILLISECONDS);
            }
            assertThat(again).as("the code still does not fit").isNotNull();
            name.set("pay");
            pawl.decide(again.id(), Decision.retry(), "desk-2");
            assertThat(pawl.workflow(changing, "v").result(SOON)).isEqualTo("x");
            assertRecorded(pawl.workflow("v"), "retry", "desk-1");

            pawl.decide(other.id(), Decision.abort().because("old"), "desk-3");
            assertThatThrownBy(() -> pawl.workflow(changing, "w").result(SOON)).isInstanceOf(WorkflowFailed.class)
                    .hasMessageContaining("aborted by desk-3: old");
            assertThat(pawl.workflow("w").events().getLast().json()).contains("aborted by desk-3: old");
            assertThat(pawl.attention().list(null, 10).items()).isEmpty();
        }
    }

    /** Two starts that nobody could run, given up under a fence of the test's own. */
    private static void giveUp(Pawl pawl, String group) {
        pawl.store().createShards("default", group, 1);
        ShardId shard = new ShardId("default", group, 0);
        Claim.Claimed claim = (Claim.Claimed) pawl.store().claim(shard, "test", Duration.ofMinutes(1), 1);
        for (String id : List.of("v", "w")) {
            Message.Start start = new Message.Start(new WorkflowKey("default", id),
                    new Message.Beginning(group, "missing", "1", "start", 0,
                            Payload.of("\"x\"".getBytes(StandardCharsets.UTF_8)), null));
            pawl.store().start(start, Collation.inception(start, pawl.clock().instant()));
            Delivery delivery = pawl.store().inbox(shard, 1).getFirst();
            Bundle bundle = new Bundle(start.workflow(), 0, List.of(Bundle.Part.of(Step.ACK,
                    new Write.GiveUp(delivery.place(), "entered as often as a message may be"))), null);
            assertThat(pawl.store().commit(claim.fence(), List.of(bundle))).isInstanceOf(Commit.Committed.class);
        }
        pawl.store().release(claim.fence());
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void givenUpMessageIsPutBackOrItsWorkflowEnded(Databases.Kind kind) {
        Flow<String, String> known = Flow.named("known", String.class, String.class, (context, input) -> input);
        Flow<String, String> missing = Flow.named("missing", String.class, String.class, (context, input) -> input);
        String url = kind.fresh();
        List<Case> cases;
        try (Pawl pawl = open(url, 10, known)) {
            giveUp(pawl, "late");
            cases = pawl.attention().list(null, 10).items();
            assertThat(cases).hasSize(2).allMatch(Case.GivenUpMessage.class::isInstance);
            assertThat(cases.getFirst().evidence().operation()).isEqualTo("start");
            assertThat(cases.getFirst().evidence().code()).isEqualTo("GivenUp");
        }
        try (Pawl pawl = Pawl.builder().url(url).group("late").definitions(missing).open()) {
            pawl.decide(cases.getFirst().id(), Decision.retry(), "desk-2");
            assertThat(pawl.workflow(missing, "v").result(SOON)).isEqualTo("x");
            pawl.decide(cases.getLast().id(), Decision.abort(), "desk-1");
            assertThat(pawl.decide(cases.getLast().id(), Decision.abort(), "desk-2").subject()).isEqualTo("desk-1");
            assertThatThrownBy(() -> pawl.workflow("w").result(SOON)).hasMessageContaining("aborted by desk-1");
            assertThat(pawl.attention().list(null, 10).items()).isEmpty();
            assertThat(pawl.attention().decisions("v")).extracting(DecisionRecord::subject).containsExactly("desk-2");
        }
    }
}
