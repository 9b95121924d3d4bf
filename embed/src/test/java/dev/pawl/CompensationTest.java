package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.flow.Activity;
import dev.pawl.engine.flow.DecisionKind;
import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.flow.FlowControl;
import dev.pawl.engine.flow.Guarantee;
import dev.pawl.engine.flow.RetryPolicy;
import dev.pawl.engine.flow.Undo;
import dev.pawl.engine.flow.Verified;
import dev.pawl.engine.flow.WhenUnknown;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.workflow.EffectStatus;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compensations are operations with the keys, the records and the guarantees of activities. */
class CompensationTest {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final RetryPolicy QUICK =
            RetryPolicy.COMPENSATION.withBackoff(Duration.ofMillis(5), 2, Duration.ofMillis(20));

    private final List<String> log = Collections.synchronizedList(new ArrayList<>());
    private final Activity<String, String> book =
            Activity.named("book", String.class, String.class, (String what) -> "booked " + what);

    /** Books, and fails. */
    private static Flow<String, String> saga(List<Activity<String, String>> activities) {
        return Flow.named("saga", String.class, String.class, (context, input) -> {
            for (int i = 0; i < activities.size(); i++) {
                context.run("op-" + i, activities.get(i), "trip " + i);
            }
            throw new IllegalStateException("no seats");
        });
    }

    private Activity<Undo<String, String>, @Nullable Object> refund() {
        return Activity.<String, String>compensation("refund", (attempt, input, output) -> log
                .add(attempt.attempt() + " " + attempt.idempotencyKey() + " " + input + " " + output)).retry(QUICK);
    }

    private static String header(Lifetime life, String operation) {
        return new String(Objects.requireNonNull(life.operation("w", operation)).input().bytes(),
                StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void compensationHasAKeyALevelAndARecordOfItsOwn(Databases.Kind kind) {
        Flow<String, String> flow = saga(List.of(
                book.key(trip -> "k"),
                book.guarantee(Guarantee.IDEMPOTENT)
                        .compensate((attempt, input, output) -> log.add(attempt.idempotencyKey())),
                book.compensateWith(refund().guarantee(Guarantee.AT_MOST_ONCE)),
                book.key(trip -> "k").compensateWith(refund().verify((key, undo) -> new Verified.NotCompleted<>())),
                book.compensate((input, output) -> log.add(input + " " + output))));
        try (Lifetime life = new Lifetime(kind.fresh(), flow)) {
            assertThatThrownBy(() -> life.pawl.start(flow, "w", "").result(SOON)).hasMessageContaining("no seats");

            assertThat(log).containsExactly("trip 4 booked trip 4",
                    "1 pawl:default:w:op-3:compensate trip 3 booked trip 3",
                    "1 pawl:default:w:op-2:compensate trip 2 booked trip 2",
                    "pawl:default:w:op-1:compensate");
            assertThat(header(life, "~undo:op-1")).contains("\"guarantee\":\"idempotent\"",
                    "\"kind\":\"compensation\"", "\"compensates\":\"op-1\"",
                    "\"key\":\"pawl:default:w:op-1:compensate\"");
            assertThat(header(life, "~undo:op-2")).contains("\"guarantee\":\"at-most-once\"");
            assertThat(header(life, "~undo:op-3")).contains("\"guarantee\":\"reconciled\"");
            assertThat(header(life, "~undo:op-4")).contains("\"guarantee\":\"at-least-once\"");
            assertThat(life.operation("w", "~undo:op-0")).isNull();
            assertThat(life.effects("w")).filteredOn(each -> each.effect().key().operationId().startsWith("~undo:"))
                    .extracting(each -> each.effect().key().operationId() + " " + each.effect().key().activityName()
                            + " " + each.effect().key().idempotencyKey() + " " + each.effect().status())
                    .containsExactlyInAnyOrder("~undo:op-1 book pawl:default:w:op-1:compensate COMPLETED",
                            "~undo:op-2 refund pawl:default:w:op-2:compensate COMPLETED",
                            "~undo:op-3 refund pawl:default:w:op-3:compensate COMPLETED");
        }
    }

    /** One that fails for good keeps none of the others from running, and the failure of the flow names it. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void failedCompensationIsNamedAndTheRestGoesOn(Databases.Kind kind) throws Exception {
        Activity<String, String> broken = book.compensateWith(Activity.<String, String>compensation("refund",
                (attempt, input, output) -> {
                    log.add("attempt " + attempt.attempt() + " " + attempt.idempotencyKey());
                    throw new IllegalStateException("bank closed");
                }).retry(QUICK).guarantee(Guarantee.IDEMPOTENT));
        Flow<String, String> flow = saga(List.of(
                book.compensate((input, output) -> log.add("first")), broken,
                book.compensate((input, output) -> log.add("last"))));
        String url = kind.fresh();
        try (Lifetime first = new Lifetime(url, flow).cutAfter(Lifetime.ends("~undo:op-1"))) {
            first.pawl.start(flow, "w", "");
            first.awaitCut();
        }
        try (Lifetime second = new Lifetime(url, flow)) {
            assertThatThrownBy(() -> second.pawl.workflow(flow, "w").result(SOON)).isInstanceOf(WorkflowFailed.class)
                    .hasMessageContaining("no seats").hasMessageContaining("1 compensation has failed")
                    .hasMessageContaining("op-1").hasMessageContaining("bank closed");
            assertThat(log).containsExactly("last", "attempt 1 pawl:default:w:op-1:compensate",
                    "attempt 2 pawl:default:w:op-1:compensate", "first");
            assertThat(FlowControl.failedCompensations(second.snapshot("w")))
                    .containsExactly(new FlowControl.FailedCompensation("~undo:op-1", "op-1", "OperationFailed",
                            "bank closed"));
            assertThat(second.effects("w")).hasSize(2).extracting(each -> each.effect().status())
                    .containsOnly(EffectStatus.INDETERMINATE);
            assertThat(second.pawl.attention().list(null, 10).items()).singleElement()
                    .isInstanceOf(Case.FailedCompensation.class);
        }
    }

    /** Whatever is promised of it, and whatever is proved: it is one case, found until a person has decided about it. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void failedCompensationIsACaseForAPerson(Databases.Kind kind) throws Exception {
        Activity<Undo<String, String>, @Nullable Object> broken =
                Activity.<String, String>compensation("refund", (attempt, input, output) -> {
                    throw new IllegalStateException("bank closed");
                }).retry(QUICK);
        Flow<String, String> flow = saga(List.of(book.compensateWith(broken),
                book.compensateWith(broken.guarantee(Guarantee.AT_MOST_ONCE)),
                book.key(trip -> "k").compensateWith(broken.verify((key, undo) -> new Verified.NotCompleted<>())),
                book.compensate((input, output) -> log.add("done"))));
        String url = kind.fresh();
        try (Lifetime first = new Lifetime(url, flow).cutAfter(Lifetime.ends("~undo:op-0"))) {
            first.pawl.start(flow, "w", "");
            first.awaitCut();
        }
        try (Lifetime life = new Lifetime(url, flow)) {
            assertThatThrownBy(() -> life.pawl.workflow(flow, "w").result(SOON))
                    .hasMessageContaining("3 compensations have failed");
            assertThat(life.effects("w")).extracting(each -> each.effect().key().operationId() + " "
                    + each.effect().status()).contains("~undo:op-2 FAILED", "~undo:op-1 INDETERMINATE");

            List<Case> cases = life.pawl.attention().list(null, 10).items();
            assertThat(cases).hasSize(3).allSatisfy(each -> {
                assertThat(each).isInstanceOf(Case.FailedCompensation.class);
                assertThat(each.workflowId()).isEqualTo("w");
                assertThat(each.evidence().message()).contains("bank closed");
                assertThat(each.evidence().activity()).isEqualTo("refund");
                assertThat(each.allowed()).containsExactlyInAnyOrder(DecisionKind.ACCEPT, DecisionKind.NOT_DONE);
            });
            assertThat(cases).extracting(each -> each.evidence().operation())
                    .containsExactlyInAnyOrder("~undo:op-0", "~undo:op-1", "~undo:op-2");

            life.pawl.decide(cases.getFirst().id(), Decision.accept().because("paid back by hand"), "ann");
            assertThat(life.pawl.attention().list(null, 10).items()).hasSize(2).doesNotContain(cases.getFirst());
            assertThat(life.pawl.attention().decisions("w")).singleElement()
                    .satisfies(each -> assertThat(each.subject()).isEqualTo("ann"));
        }
    }

    /** A cancelled flow ends as cancelled, and says the same. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void cancelledFlowNamesItsFailedCompensationToo(Databases.Kind kind) throws Exception {
        Flow<String, String> flow = Flow.named("saga", String.class, String.class, (context, input) -> {
            context.onRollback("note", refund().guarantee(Guarantee.AT_MOST_ONCE), new Undo<>("from", "to"));
            context.onRollback("plain", () -> {
                throw new IllegalStateException("nothing to see");
            });
            context.signal("never", String.class);
            return "";
        });
        try (Lifetime life = new Lifetime(kind.fresh(), flow)) {
            WorkflowHandle<String> handle = life.pawl.start(flow, "w", "");
            while (life.operation("w", "never") == null) {
                new CountDownLatch(1).await(10, TimeUnit.MILLISECONDS);
            }
            handle.cancel("enough");
            assertThatThrownBy(() -> handle.result(SOON))
                    .hasFieldOrPropertyWithValue("status", WorkflowStatus.CANCELLED)
                    .hasMessageContaining("enough").hasMessageContaining("plain~u1")
                    .hasMessageContaining("nothing to see");
            assertThat(log).containsExactly("1 pawl:default:w:note~u1:compensate from to");
            assertThat(life.effects("w")).extracting(each -> each.effect().key().operationId() + " "
                    + each.effect().status()).containsExactlyInAnyOrder("~undo:note~u1 COMPLETED",
                            "~f:~undo:plain~u1 INDETERMINATE");
            assertThat(life.pawl.attention().list(null, 10).items()).singleElement().satisfies(each -> {
                assertThat(each).isInstanceOf(Case.FailedCompensation.class);
                assertThat(each.evidence().operation()).isEqualTo("~undo:plain~u1");
                assertThat(each.evidence().message()).contains("nothing to see");
            });
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void compensationCanBeHandedOverAndAskAPerson(Databases.Kind kind) throws Exception {
        List<String> tokens = Collections.synchronizedList(new ArrayList<>());
        Activity<Undo<String, String>, @Nullable Object> elsewhere = Activity.<String, String>compensation("refund",
                (attempt, input, output) -> tokens.add(attempt.token())).completedElsewhere();
        Flow<String, String> flow = saga(List.of(
                book.compensateWith(elsewhere.guarantee(Guarantee.AT_MOST_ONCE).timeout(Duration.ofMillis(30))
                        .whenUnknown(WhenUnknown.ASK)),
                book.compensateWith(elsewhere)));
        try (Lifetime life = new Lifetime(kind.fresh(), flow)) {
            WorkflowHandle<String> handle = life.pawl.start(flow, "w", "");
            while (tokens.isEmpty()) {
                new CountDownLatch(1).await(10, TimeUnit.MILLISECONDS);
            }
            life.pawl.fail(tokens.getFirst(), "no paper");
            List<Case> cases = life.pawl.attention().list(null, 10).items();
            while (cases.isEmpty()) {
                new CountDownLatch(1).await(10, TimeUnit.MILLISECONDS);
                cases = life.pawl.attention().list(null, 10).items();
            }
            assertThat(cases.getFirst().evidence().operation()).isEqualTo("~undo:op-0");
            assertThat(cases.getFirst().evidence().key()).isEqualTo("pawl:default:w:op-0:compensate");
            assertThat(cases.getFirst().allowed()).contains(DecisionKind.ABORT);
            life.pawl.decide(cases.getFirst().id(), Decision.abort(), "desk-1");
            assertThatThrownBy(() -> handle.result(SOON)).hasMessageContaining("no seats")
                    .hasMessageContaining("2 compensations have failed").hasMessageContaining("op-1 (")
                    .hasMessageContaining("no paper").hasMessageContaining("op-0 (").hasMessageContaining("desk-1");
            assertThat(FlowControl.failedCompensations(life.snapshot("w")))
                    .extracting(FlowControl.FailedCompensation::compensates)
                    .containsExactlyInAnyOrder("op-0", "op-1");
        }
    }

    @Test
    void compensationHasNoneOfItsOwn() {
        assertThatThrownBy(() -> book.compensateWith(refund().compensate((undo, none) -> log.add("never"))))
                .hasMessageContaining("would never run");
    }
}
