package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.flow.Branch;
import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.flow.OperationFailed;
import dev.pawl.engine.flow.RetryPolicy;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.event.Event;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Waker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Plain steps are one entry at their end: nothing is declared before they run, unless it has to be. */
class PlainStepTest {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int ATTEMPTS_MAX = 99;

    private final AtomicInteger runs = new AtomicInteger();
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final CountDownLatch underWay = new CountDownLatch(1);

    private String act() throws InterruptedException {
        runs.incrementAndGet();
        underWay.countDown();
        goOn.await(30, TimeUnit.SECONDS);
        return "done";
    }

    private static boolean begun(@Nullable ActivityRecord operation) {
        return operation != null && !operation.ledger().finalized() && operation.waker() instanceof Waker.Local;
    }

    private static boolean tellsOf(String operation, Event event) {
        return event.json().contains("\"key\":\"" + operation + ",")
                || event.json().contains("\"key\":\"" + operation + "~");
    }

    private static ActivityRecord await(Lifetime life, String operation) {
        for (int i = 0; i < 6_000 && life.operation("w", operation) == null; i++) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
        ActivityRecord found = life.operation("w", operation);
        assertThat(found).isNotNull();
        return found;
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void stepsOneAfterTheOtherAreOneCommitEach(Databases.Kind kind) {
        Flow<Integer, String> flow = Flow.named("steps", Integer.class, String.class, (context, count) -> {
            for (int i = 0; i < count; i++) {
                context.step("s", String.class, () -> "x");
            }
            return "done";
        });
        try (Lifetime life = new Lifetime(kind.fresh(), flow)) {
            life.pawl.start(flow, "w", 10).result(SOON);
            life.pawl.start(flow, "one", 1).result(SOON);

            // The last end goes with the end of the flow, unless the flow takes longer than an end is held.
            assertThat(life.pawl.workflow("w").events()).hasSizeBetween(11, 12);
            assertThat(life.pawl.workflow("w").events().stream().filter(event -> tellsOf("s", event))).hasSize(10);
            assertThat(life.pawl.workflow("one").events()).hasSizeBetween(2, 3);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void stepIsNotRecordedWhileItRuns(Databases.Kind kind) throws Exception {
        Flow<String, String> flow = Flow.named("steps", String.class, String.class, (context, input) -> {
            context.step("first", String.class, () -> "x");
            return context.step("second", String.class, this::act);
        });
        try (Lifetime life = new Lifetime(kind.fresh(), flow)) {
            WorkflowHandle<String> handle = life.pawl.start(flow, "w", "");
            assertThat(underWay.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(life.operation("w", "second")).isNull();
            assertThat(await(life, "first").ledger().finalized()).isTrue();
            goOn.countDown();
            assertThat(handle.result(SOON)).isEqualTo("done");
            assertThat(runs).hasValue(1);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void stepThatIsTriedAgainIsDeclaredWithTheWait(Databases.Kind kind) throws Exception {
        RetryPolicy retry = new RetryPolicy(2, Duration.ofSeconds(2), 1, Duration.ofSeconds(2));
        Flow<String, String> flow = Flow.named("steps", String.class, String.class,
                (context, input) -> context.step("act", String.class, retry, () -> {
                    if (runs.incrementAndGet() == 1) {
                        throw new IllegalStateException("not yet");
                    }
                    return "done";
                }));
        String url = kind.fresh();
        try (Lifetime life = new Lifetime(url, flow)) {
            life.cutAfter(Lifetime.begins("~r1:act"));
            life.pawl.start(flow, "w", "");
            life.awaitCut();
            assertThat(begun(life.operation("w", "act"))).isTrue();
        }
        try (Lifetime life = new Lifetime(url, flow)) {
            assertThat(life.pawl.workflow(flow, "w").result(SOON)).isEqualTo("done");
            assertThat(runs).hasValue(2);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void stepThatFailsForGoodIsOneEntry(Databases.Kind kind) {
        RetryPolicy once = new RetryPolicy(1, Duration.ofSeconds(1), 1, Duration.ofSeconds(1));
        Flow<String, String> flow = Flow.named("steps", String.class, String.class, (context, input) -> {
            try {
                return context.step("act", String.class, once, () -> {
                    throw new IllegalStateException("no");
                });
            } catch (OperationFailed e) {
                return "caught " + e.operation();
            }
        });
        try (Lifetime life = new Lifetime(kind.fresh(), flow)) {
            assertThat(life.pawl.start(flow, "w", "").result(SOON)).isEqualTo("caught act");
            assertThat(life.pawl.workflow("w").events().stream().filter(event -> tellsOf("act", event))).hasSize(1);
            assertThat(await(life, "act").ledger().legTwoEntries()).isEqualTo(1);
        }
    }

    /** The answer of the store is lost while a step runs: everything is read anew, but the step goes on. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void stepThatRunsWhileACommitGetsLostIsNotBegunAgain(Databases.Kind kind) throws Exception {
        Flow<String, String> flow = Flow.named("steps", String.class, String.class, (context, input) -> {
            context.onUpdate("touch", String.class, String.class, (handler, value) -> value);
            return context.step("act", String.class, this::act);
        });
        try (Lifetime life = new Lifetime(kind.fresh(), flow)) {
            WorkflowHandle<String> handle = life.pawl.start(flow, "w", "");
            assertThat(underWay.await(20, TimeUnit.SECONDS)).isTrue();
            life.lose(write -> write instanceof Write.PutActivity put
                    && put.activity().key().activity().startsWith("~update:"));
            assertThat(handle.update("touch", "x", String.class)).isEqualTo("x");
            goOn.countDown();
            assertThat(handle.result(SOON)).isEqualTo("done");
            assertThat(runs).hasValue(1);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void stepThatRunsWhenItsEngineStopsIsDeclaredThen(Databases.Kind kind) throws Exception {
        String url = kind.fresh();
        Flow<String, String> flow = Flow.named("steps", String.class, String.class,
                (context, input) -> context.step("act", String.class, this::act));
        Lifetime first = new Lifetime(url, flow);
        first.pawl.start(flow, "w", "");
        assertThat(underWay.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(first.operation("w", "act")).isNull();
        first.close();

        try (Lifetime second = new Lifetime(url, flow)) {
            assertThat(await(second, "act").waker()).isInstanceOf(Waker.Local.class);
        }
    }

    /** The request to cancel is taken by another branch, which declares the step; it returns before that is handed in. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void stepThatReturnsWhenACancellationHasJustDeclaredItIsNotRepeated(Databases.Kind kind) throws Exception {
        Flow<String, String> flow = Flow.named("steps", String.class, String.class, (context, input) -> String.join(" ",
                context.parallel(List.<Branch<String>>of(
                        branch -> branch.shielded(inner -> inner.step("act", String.class, this::act)),
                        branch -> {
                            while (!branch.cancelRequested()) {
                                Thread.sleep(5);
                            }
                            goOn.countDown();
                            return "asked";
                        }))));
        try (Lifetime life = new Lifetime(kind.fresh(), flow)) {
            WorkflowHandle<String> handle = life.pawl.start(flow, "w", "");
            assertThat(underWay.await(20, TimeUnit.SECONDS)).isTrue();
            handle.cancel("not wanted");
            assertThat(handle.result(SOON)).isEqualTo("done asked");
        }
        assertThat(runs).hasValue(1);
    }

    @Test
    void stepThatEndsItsProcessEachTimeIsStopped() throws Exception {
        AtomicReference<@Nullable Lifetime> doomed = new AtomicReference<>();
        Flow<String, String> flow = Flow.named("poison", String.class, String.class, (context, input) -> {
            context.step("first", String.class, () -> "x");
            try {
                return context.step("act", String.class, () -> {
                    runs.incrementAndGet();
                    end(doomed);
                    return "never heard of";
                });
            } catch (OperationFailed e) {
                return e.code();
            }
        });
        String url = Databases.all().findFirst().orElseThrow().fresh();
        // Not declared the first time: nothing is known of it then.
        for (int life = 0; life <= ATTEMPTS_MAX; life++) {
            try (Lifetime process = new Lifetime(url, flow)) {
                doomed.set(process);
                if (life == 0) {
                    process.pawl.start(flow, "w", "");
                }
                process.awaitCut();
            }
            doomed.set(null);
        }
        assertThat(runs).hasValue(ATTEMPTS_MAX + 1);
        try (Lifetime last = new Lifetime(url, flow)) {
            assertThat(last.pawl.workflow(flow, "w").result(SOON)).isEqualTo("AttemptsExhausted");
            assertThat(runs).hasValue(ATTEMPTS_MAX + 1);
        }
    }

    private static void end(AtomicReference<@Nullable Lifetime> doomed) {
        Lifetime process = doomed.get();
        while (process == null) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            process = doomed.get();
        }
        process.cut();
    }
}
