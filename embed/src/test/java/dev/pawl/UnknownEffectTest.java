package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.flow.Activity;
import dev.pawl.engine.flow.DecisionKind;
import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.flow.Guarantee;
import dev.pawl.engine.flow.OperationFailed;
import dev.pawl.engine.flow.RetryPolicy;
import dev.pawl.engine.flow.Verified;
import dev.pawl.engine.store.Cutoffs;
import dev.pawl.engine.store.DecisionRecord;
import dev.pawl.engine.store.Page;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.message.Ending;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.workflow.EffectStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a workflow that is over may have done or not is shown until a person has found out; what is under way is not. */
class UnknownEffectTest {

    private static final Duration SOON = Duration.ofSeconds(60);

    private final CountDownLatch never = new CountDownLatch(1);

    private final Activity<String, String> charge = Activity
            .<String, String>named("charge", String.class, String.class, input -> {
                throw new IllegalStateException("connection reset");
            })
            .key(input -> "key-" + input)
            .verify((key, input) -> new Verified.Indeterminate<>("the bank does not say"));
    private final Flow<String, String> pay = Flow.named("pay", String.class, String.class,
            (context, input) -> context.run("charge-it", charge, input));

    private final AtomicInteger under = new AtomicInteger();
    private final Activity<String, String> slow = Activity.<String, String>named("slow", String.class, String.class,
            input -> {
                under.incrementAndGet();
                never.await();
                return "done";
            }).key(input -> "slow-" + input).guarantee(Guarantee.IDEMPOTENT);
    private final Flow<String, String> waiting = Flow.named("waiting", String.class, String.class,
            (context, input) -> context.run("slow", slow, input));

    private Pawl open(String url, Flow<?, ?>... flows) {
        return Pawl.builder().url(url).shards(2).lease(Duration.ofSeconds(3), Duration.ofMillis(500))
                .drainTimeout(Duration.ofMillis(50)).definitions(flows).open();
    }

    private static void fails(WorkflowHandle<?> handle) {
        assertThatThrownBy(() -> handle.result(SOON)).isInstanceOf(WorkflowFailed.class);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void whatFailedItsWorkflowIsShownUntilAPersonHasFoundOut(Databases.Kind kind) {
        String url = kind.fresh();
        Case found;
        try (Pawl pawl = open(url, pay)) {
            fails(pawl.start(pay, "w", "42"));
            List<Case> cases = pawl.attention().list(null, 10).items();
            assertThat(cases).hasSize(1);
            found = cases.getFirst();
        }
        assertThat(found).isInstanceOf(Case.UnknownEffect.class);
        assertThat(found.workflowId()).isEqualTo("w");
        assertThat(found.allowed()).containsExactlyInAnyOrder(DecisionKind.ACCEPT, DecisionKind.NOT_DONE);
        Evidence evidence = found.evidence();
        assertThat(evidence.operation()).isEqualTo("charge-it");
        assertThat(evidence.activity()).isEqualTo("charge");
        assertThat(evidence.guarantee()).isEqualTo("reconciled");
        assertThat(evidence.key()).isEqualTo("key-42");
        assertThat(evidence.code()).isEqualTo("Indeterminate");
        assertThat(evidence.message()).contains("the bank does not say", "connection reset");
        assertThat(evidence.since()).isNotNull();
        assertThat(evidence.lastEvent()).isPositive();
        try (Pawl pawl = open(url, pay)) {
            assertThat(pawl.attention().list(null, 10).items()).containsExactly(found);
            assertThatThrownBy(() -> pawl.decide(found.id(), Decision.abort(), "desk-1"))
                    .hasFieldOrPropertyWithValue("code", "DecisionNotAllowed");
            assertThatThrownBy(() -> pawl.decide(found.id(), Decision.accept(), " "))
                    .hasFieldOrPropertyWithValue("code", "ValidationFailed");
            DecisionRecord first =
                    pawl.decide(found.id(), Decision.accept("booked").because("asked the bank"), "desk-1");
            assertThat(pawl.attention().list(null, 10).items()).isEmpty();
            assertThat(pawl.decide(found.id(), Decision.accept("booked"), "desk-2")).isEqualTo(first);
            assertThatThrownBy(() -> pawl.decide(found.id(), Decision.notDone(), "desk-2"))
                    .hasFieldOrPropertyWithValue("code", "DecisionConflict").hasMessageContaining("desk-1");

            assertThat(pawl.attention().decisions("w")).containsExactly(first);
            assertThat(first.subject()).isEqualTo("desk-1");
            assertThat(first.decision()).isEqualTo("accept");
            assertThat(first.note()).isEqualTo("asked the bank");
            assertThat(pawl.workflow("w").status()).isEqualTo(WorkflowStatus.FAILED);
            assertThat(pawl.workflow("w").effects()).as("what the workflow knew stays what it was")
                    .extracting(each -> each.effect().status()).containsExactly(EffectStatus.INDETERMINATE);

            fails(pawl.start(pay, "v", "43"));
            pawl.decide(pawl.attention().list(null, 10).items().getFirst().id(), Decision.notDone(), "desk-2");
            assertThat(pawl.attention().list(null, 10).items()).isEmpty();
            assertThat(pawl.attention().decisions("v")).extracting(DecisionRecord::decision)
                    .containsExactly("not-done");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void whatIsUnderWayIsNotShownAndWhatWasCutOffIs(Databases.Kind kind) throws Exception {
        try (Pawl pawl = open(kind.fresh(), waiting)) {
            pawl.start(waiting, "open", "1");
            WorkflowHandle<String> stopped = pawl.start(waiting, "stopped", "2");
            for (int i = 0; i < 6_000 && under.get() < 2; i++) {
                new CountDownLatch(1).await(10, TimeUnit.MILLISECONDS);
            }
            assertThat(pawl.workflow("open").effects()).extracting(each -> each.effect().status())
                    .containsExactly(EffectStatus.INDETERMINATE);
            assertThat(pawl.attention().list(null, 10).items()).isEmpty();
            pawl.store().post("default", new Message.Interrupt(new WorkflowKey("default", "stopped"),
                    Guid.derive("test", "stop"), Ending.interrupted("enough", false)));
            fails(stopped);

            List<Case> cases = pawl.attention().list(null, 10).items();
            assertThat(cases).extracting(Case::workflowId).containsExactly("stopped");
            assertThat(cases.getFirst().evidence().code()).isEqualTo("OutcomeUnknown");
            String other = new CaseId(CaseId.Kind.EFFECT, "open", "slow").text();
            assertThatThrownBy(() -> pawl.decide(other, Decision.accept(), "desk-1"))
                    .hasFieldOrPropertyWithValue("code", "NotFound");
        } finally {
            never.countDown();
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void everyEffectIsACaseOfItsOwnInPagesAndGoesWithItsWorkflow(Databases.Kind kind) {
        Activity<String, String> once = charge.guarantee(Guarantee.AT_MOST_ONCE).retry(RetryPolicy.NONE);
        Flow<String, String> three = Flow.named("three", String.class, String.class, (context, input) -> {
            for (String each : List.of("a", "b", "c")) {
                try {
                    context.run(each, once, input + each);
                } catch (OperationFailed e) {
                    context.step("note-" + each, String.class, e::code);
                }
            }
            return "over";
        });
        try (Pawl pawl = open(kind.fresh(), three)) {
            for (String id : List.of("v", "w")) {
                assertThat(pawl.start(three, id, id).result(SOON)).isEqualTo("over");
            }
            List<String> found = new ArrayList<>();
            String cursor = null;
            do {
                Page<Case> page = pawl.attention().list(cursor, 1);
                page.items().forEach(each -> found.add(each.workflowId() + each.evidence().operation()
                        + each.evidence().key()));
                cursor = page.next();
            } while (cursor != null);
            assertThat(found).containsExactlyInAnyOrder("vakey-va", "vbkey-vb", "vckey-vc", "wakey-wa", "wbkey-wb",
                    "wckey-wc");
            List<Case> all = pawl.attention().list(null, 10).items();
            pawl.decide(all.get(1).id(), Decision.accept(), "desk-1");
            assertThat(pawl.attention().list(null, 10).items()).hasSize(5).doesNotContain(all.get(1));
            assertThatThrownBy(() -> pawl.attention().list("EFFECTS x", 1))
                    .hasFieldOrPropertyWithValue("code", "ValidationFailed");

            pawl.store().sweep("default", Cutoffs.all(Instant.now().plusSeconds(60)), Instant.now(), 10);
            assertThat(pawl.attention().list(null, 10).items()).isEmpty();
            assertThat(pawl.store().orphans("default")).isEmpty();
        }
    }
}
