package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.flow.Activity;
import dev.pawl.engine.flow.ActivityCancelled;
import dev.pawl.engine.flow.ActivityContext;
import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.flow.FlowControl;
import dev.pawl.engine.flow.Guarantee;
import dev.pawl.engine.flow.Limit;
import dev.pawl.engine.flow.NothingHappened;
import dev.pawl.engine.flow.RetryPolicy;
import dev.pawl.engine.flow.Verified;
import dev.pawl.engine.limit.Pools;
import dev.pawl.engine.store.SignalRequest;
import dev.pawl.engine.store.Store;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.message.Ending;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.Effect;
import dev.pawl.kernel.workflow.EffectRecord;
import dev.pawl.kernel.workflow.EffectStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Steps and activities that run when their flow is cancelled, their branch loses a race, or their workflow is ended: they are interrupted. */
@Timeout(120)
class CancelReachTest {

    private static final Duration SOON = Duration.ofSeconds(60);

    private final List<String> log = Collections.synchronizedList(new ArrayList<>());
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch interrupted = new CountDownLatch(1);
    private final CountDownLatch never = new CountDownLatch(1);

    /** Waits until it is interrupted, and says so. */
    private void work() throws InterruptedException {
        begun.countDown();
        try {
            never.await();
        } catch (InterruptedException e) {
            log.add("interrupted");
            interrupted.countDown();
            throw e;
        }
    }

    private Activity<String, String> activity(Activity.Body<String, String> body) {
        return Activity.named("work", String.class, String.class, body).key(input -> "key")
                .guarantee(Guarantee.IDEMPOTENT);
    }

    private Flow<String, String> flow(Activity<String, String> activity) {
        return Flow.named("cancelled", String.class, String.class, (context, input) -> {
            context.onRollback("undo", () -> log.add("undone"));
            String result = context.run(activity, "");
            log.add("returned " + result);
            context.sleep(Duration.ofHours(1));
            return result;
        });
    }

    private void cancelWhenBegun(WorkflowHandle<?> handle) throws InterruptedException {
        assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
        handle.cancel("not wanted");
    }

    private static void assertCancelled(WorkflowHandle<?> handle) {
        assertThatThrownBy(() -> handle.result(SOON)).hasFieldOrPropertyWithValue("code", "WorkflowCancelled")
                .hasMessageContaining("not wanted");
    }

    private static @Nullable EffectStatus effect(WorkflowHandle<?> handle) {
        return handle.effects().stream().map(EffectRecord::effect).map(Effect::status).findFirst().orElse(null);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void cancelInterruptsTheActivityAndThenTakesBack(Databases.Kind kind, int waitingMax) throws Exception {
        Flow<String, String> flow = flow(activity((attempt, input) -> {
            work();
            return "";
        }).retry(RetryPolicy.NONE));
        try (Pawl pawl = FlowTest.open(kind.fresh(), waitingMax, flow)) {
            WorkflowHandle<String> handle = pawl.start(flow, "w", "");
            cancelWhenBegun(handle);

            assertCancelled(handle);
            assertThat(log).containsExactly("interrupted", "undone");
            assertThat(effect(handle)).as("it may have happened").isEqualTo(EffectStatus.INDETERMINATE);
            assertThat(handle.operations()).filteredOn(each -> each.key().activity().equals("work"))
                    .allMatch(each -> each.ledger().finalized());
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void cancelInterruptsAStep(Databases.Kind kind) throws Exception {
        Flow<String, String> flow = Flow.named("stepping", String.class, String.class, (context, input) -> {
            context.onRollback("undo", () -> log.add("undone"));
            context.step("work", this::work);
            return "";
        });
        try (Pawl pawl = FlowTest.open(kind.fresh(), 1_000, flow)) {
            WorkflowHandle<String> handle = pawl.start(flow, "w", "");
            cancelWhenBegun(handle);

            assertCancelled(handle);
            assertThat(log).containsExactly("interrupted", "undone");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void heartbeatOfACancelledActivityThrows(Databases.Kind kind) throws Exception {
        AtomicReference<ActivityCancelled> heard = new AtomicReference<>();
        Flow<String, String> flow = flow(activity((attempt, input) -> {
            begun.countDown();
            while (true) {
                try {
                    attempt.heartbeat();
                } catch (ActivityCancelled e) {
                    heard.set(e);
                    throw new NothingHappened("stopped in time", e);
                }
                Thread.interrupted();
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            }
        }));
        try (Pawl pawl = FlowTest.open(kind.fresh(), 1_000, flow)) {
            WorkflowHandle<String> handle = pawl.start(flow, "w", "");
            cancelWhenBegun(handle);

            assertCancelled(handle);
            assertThat(heard.get()).hasMessageContaining("not wanted").hasFieldOrPropertyWithValue("code",
                    "ActivityCancelled");
            assertThat(effect(handle)).as("it says itself that nothing has happened").isEqualTo(EffectStatus.CANCELLED);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void activityThatReturnsAllTheSameIsCompletedAndTakenBack(Databases.Kind kind) throws Exception {
        Flow<String, String> flow = flow(activity((attempt, input) -> {
            try {
                work();
            } catch (InterruptedException e) {
                return "done";
            }
            return "";
        }).compensate((input, output) -> log.add("took back " + output)));
        try (Pawl pawl = FlowTest.open(kind.fresh(), 1_000, flow)) {
            WorkflowHandle<String> handle = pawl.start(flow, "w", "");
            cancelWhenBegun(handle);

            assertCancelled(handle);
            assertThat(log).containsExactly("interrupted", "returned done", "took back done", "undone");
            assertThat(handle.effects()).extracting(each -> each.effect().status())
                    .containsOnly(EffectStatus.COMPLETED);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void verifierSaysWhatBecameOfACancelledActivity(Databases.Kind kind) throws Exception {
        Activity<String, String> absent = Activity.named("work", String.class, String.class, (String input) -> {
            work();
            return "";
        }).key(input -> "key").verify((key, input) -> new Verified.NotCompleted<>());
        Flow<String, String> flow = flow(absent);
        try (Pawl pawl = FlowTest.open(kind.fresh(), 1_000, flow)) {
            WorkflowHandle<String> handle = pawl.start(flow, "w", "");
            cancelWhenBegun(handle);

            assertCancelled(handle);
            assertThat(effect(handle)).as("proved").isEqualTo(EffectStatus.CANCELLED);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void activityThatDoesNotReactIsLeftBehindAfterTheGraceTime(Databases.Kind kind) throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        Flow<String, String> flow = flow(activity((attempt, input) -> {
            begun.countDown();
            while (end.getCount() > 0) {
                try {
                    end.await();
                } catch (InterruptedException e) {
                    log.add("ignored");
                }
            }
            return "";
        }).limit(Limit.concurrent("gateway", 1)));
        try (Pawl pawl = Pawl.builder().url(kind.fresh()).shards(1).cancelGrace(Duration.ofMillis(200))
                .definitions(flow).open()) {
            WorkflowHandle<String> handle = pawl.start(flow, "w", "");
            cancelWhenBegun(handle);

            assertCancelled(handle);
            assertThat(log).containsExactly("ignored", "undone");
            assertThat(effect(handle)).isEqualTo(EffectStatus.INDETERMINATE);
            FlowTest.await(() -> pawl.limits().stream().allMatch(use -> use.held() == 0));
            end.countDown();
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void slotOfACancelledActivityIsFree(Databases.Kind kind) throws Exception {
        Flow<String, String> flow = Flow.named("limited", String.class, String.class,
                (context, input) -> context.run(activity((attempt, given) -> {
                    if (given.equals("first")) {
                        work();
                    }
                    return given;
                }).limit(Limit.concurrent("gateway", 1)), input));
        try (Pawl pawl = FlowTest.open(kind.fresh(), 1_000, flow)) {
            WorkflowHandle<String> first = pawl.start(flow, "first", "first");
            assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
            WorkflowHandle<String> second = pawl.start(flow, "second", "second");
            FlowTest.await(() -> pawl.limits().stream().map(Pools.Use::waiting).anyMatch(waiting -> waiting == 1));
            first.cancel("not wanted");

            assertThat(second.result(SOON)).isEqualTo("second");
            assertCancelled(first);
            FlowTest.await(() -> pawl.limits().getFirst().held() == 0);
        }
    }

    /** What loses a race is interrupted, and what is known of its effect is recorded. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void loserOfARaceIsInterruptedAndItsEffectIsKnown(Databases.Kind kind, int waitingMax) throws Exception {
        Activity<String, String> loser = activity((attempt, input) -> {
            try {
                work();
            } catch (InterruptedException e) {
                return "done all the same";
            }
            return "";
        });
        Flow<String, String> flow = Flow.named("racing", String.class, String.class,
                (context, input) -> context.race(List.of(branch -> branch.run(loser, ""), branch -> {
                    branch.step("wait", begun::await);
                    return "won";
                })));
        try (Pawl pawl = FlowTest.open(kind.fresh(), waitingMax, flow)) {
            WorkflowHandle<String> handle = pawl.start(flow, "w", "");

            assertThat(handle.result(SOON)).isEqualTo("won");
            assertThat(log).containsExactly("interrupted");
            assertThat(effect(handle)).isEqualTo(EffectStatus.COMPLETED);
        }
    }

    /** An operator ends the workflow; its code gets no further, but what runs is interrupted. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void activityOfAWorkflowThatAnOperatorEndsIsInterrupted(Databases.Kind kind) throws Exception {
        Flow<String, String> flow = flow(activity((attempt, input) -> {
            work();
            return "";
        }));
        try (Pawl pawl = FlowTest.open(kind.fresh(), 1_000, flow)) {
            WorkflowHandle<String> handle = pawl.start(flow, "w", "");
            assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
            pawl.store().post("default", new Message.Interrupt(new WorkflowKey("default", "w"),
                    Guid.derive("test", "stop"), Ending.interrupted("by an operator", false)));

            assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
            FlowTest.await(() -> handle.status() == WorkflowStatus.INTERRUPTED);
            assertThat(effect(handle)).isEqualTo(EffectStatus.INDETERMINATE);
        }
    }

    /** A handler that is at work when its flow fails. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void stepOfAHandlerIsInterruptedWhenTheFlowFails(Databases.Kind kind) throws Exception {
        Flow<String, String> flow = Flow.named("updated", String.class, String.class, (context, input) -> {
            context.<String, String>onUpdate("work", String.class, String.class, (handler, value) -> {
                handler.step("work", this::work);
                return "";
            });
            context.signal("go", String.class);
            throw new IllegalStateException("failed");
        });
        try (Pawl pawl = FlowTest.open(kind.fresh(), 1_000, flow)) {
            WorkflowHandle<String> handle = pawl.start(flow, "w", "");
            CompletableFuture<Throwable> update = new CompletableFuture<>();
            Thread.ofVirtual().start(() -> {
                try {
                    handle.update("work", "", String.class);
                } catch (WorkflowError e) {
                    update.complete(e);
                }
            });
            assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
            handle.signal("go", "");

            assertThat(update.get(30, TimeUnit.SECONDS)).hasFieldOrPropertyWithValue("code", "UpdateFailed");
            assertThat(log).containsExactly("interrupted");
            assertThatThrownBy(() -> handle.result(SOON)).hasFieldOrPropertyWithValue("code", "WorkflowFailed");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void whatIsShieldedIsNotInterrupted(Databases.Kind kind) throws Exception {
        CountDownLatch second = new CountDownLatch(1);
        Flow<String, String> flow = Flow.named("shielded", String.class, String.class, (context, input) -> {
            context.<String, String>onUpdate("ping", String.class, String.class, value -> value);
            context.shielded(inner -> inner.step("inner", String.class, () -> {
                begun.countDown();
                second.await();
                log.add("ended");
                return "";
            }));
            context.sleep(Duration.ofHours(1));
            return "";
        });
        try (Pawl pawl = FlowTest.open(kind.fresh(), 1_000, flow)) {
            WorkflowHandle<String> handle = pawl.start(flow, "w", "");
            cancelWhenBegun(handle);
            // Answered after the cancellation has arrived.
            assertThat(handle.update("ping", "pong", String.class)).isEqualTo("pong");
            second.countDown();

            assertCancelled(handle);
            assertThat(log).containsExactly("ended");
        }
    }

    /** An attempt that was lost in a crash may have happened: it is repeated before the cancelled flow runs its compensations. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void attemptThatWasLostInACrashIsRepeatedAlthoughTheFlowIsCancelled(Databases.Kind kind) throws Exception {
        String url = kind.fresh();
        AtomicInteger attempts = new AtomicInteger();
        Flow<String, String> flow = flow(activity((attempt, input) -> {
            if (attempts.incrementAndGet() == 1) {
                begun.countDown();
                never.await();
            }
            return "second";
        }).compensate((input, output) -> log.add("took back " + output)));
        try (Lifetime first = new Lifetime(url, builder -> builder.lease(Duration.ofSeconds(2),
                Duration.ofMillis(400)), flow)) {
            first.pawl.start(flow, "w", "");
            assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
            first.cut();
        }
        try (Store store = Lifetime.store(url)) {
            Instant now = Instant.now();
            store.signal(new SignalRequest(new WorkflowKey("default", "w"), FlowControl.CANCEL_TOPIC, "c", true,
                    new Response.Final(FlowControl.reason("not wanted")), now, now.plusSeconds(600)));
        }
        try (Pawl pawl = Pawl.builder().url(url).shards(1).lease(Duration.ofSeconds(2), Duration.ofMillis(400))
                .definitions(flow).open()) {
            WorkflowHandle<String> handle = pawl.workflow(flow, "w");

            assertCancelled(handle);
            assertThat(attempts).hasValue(2);
            assertThat(log).containsExactly("returned second", "took back second", "undone");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void heartbeatByTokenOfACancelledActivitySaysSo(Databases.Kind kind) throws Exception {
        AtomicReference<String> token = new AtomicReference<>();
        CountDownLatch ended = new CountDownLatch(1);
        Activity<String, String> elsewhere = Activity.named("elsewhere", String.class, String.class,
                (ActivityContext attempt, String input) -> {
                    token.set(attempt.token());
                    begun.countDown();
                    return "";
                }).key(input -> "key").guarantee(Guarantee.IDEMPOTENT).completedElsewhere();
        Flow<String, String> flow = Flow.named("handing", String.class, String.class, (context, input) -> {
            context.onRollback("undo", ended::await);
            return context.run(elsewhere, "");
        });
        try (Pawl pawl = FlowTest.open(kind.fresh(), 1_000, flow)) {
            WorkflowHandle<String> handle = pawl.start(flow, "w", "");
            assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
            pawl.heartbeat(token.get());
            handle.cancel("not wanted");
            FlowTest.await(() -> pawl.runningOperations().stream()
                    .anyMatch(each -> each.operation().contains("undo")));

            assertThatThrownBy(() -> pawl.heartbeat(token.get())).isInstanceOf(ActivityCancelled.class)
                    .hasFieldOrPropertyWithValue("code", "ActivityCancelled").hasMessageContaining("elsewhere of w");
            ended.countDown();
            assertCancelled(handle);
            assertThatThrownBy(() -> pawl.heartbeat(token.get())).isInstanceOf(ActivityCancelled.class);
            assertThat(effect(handle)).isEqualTo(EffectStatus.INDETERMINATE);
        }
    }
}
