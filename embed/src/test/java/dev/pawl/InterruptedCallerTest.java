package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.PawlException;
import dev.pawl.engine.flow.Activity;
import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.flow.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Callers whose threads are interrupted, on both stores: they get an error that says so, and their interrupt flag is set. */
@Timeout(120)
class InterruptedCallerTest {

    private static final Duration SOON = Duration.ofSeconds(60);

    private final CountDownLatch handling = new CountDownLatch(1);
    private final CountDownLatch answering = new CountDownLatch(1);
    private final AtomicBoolean slowQuery = new AtomicBoolean();
    private final CountDownLatch querying = new CountDownLatch(1);
    private final CountDownLatch never = new CountDownLatch(1);

    /** Ends with the signal {@code end}; its update is answered when the test lets it. */
    private final Flow<String, String> flow = Flow.named("f", String.class, String.class, (context, input) -> {
        AtomicInteger updates = new AtomicInteger();
        context.<String, Integer>onUpdate("slow", String.class, Integer.class, (handler, value) -> {
            handler.step("wait", () -> {
                handling.countDown();
                answering.await();
            });
            return updates.incrementAndGet();
        });
        context.<String, Integer>onQuery("count", String.class, Integer.class, value -> {
            if (slowQuery.get()) {
                querying.countDown();
                never.await();
            }
            return updates.get();
        });
        return context.signal("end", String.class);
    });

    /** What a call came to on a thread that is interrupted as soon as the latch is open. */
    private record Outcome(Throwable thrown, boolean flag) {
    }

    private static Outcome interrupted(CountDownLatch when, Runnable call) throws Exception {
        CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        Thread caller = Thread.ofPlatform().daemon().start(() -> {
            Throwable thrown = null;
            try {
                call.run();
            } catch (Throwable e) {
                thrown = e;
            }
            outcome.complete(new Outcome(thrown, Thread.currentThread().isInterrupted()));
        });
        assertThat(when.await(30, TimeUnit.SECONDS)).isTrue();
        caller.interrupt();
        return outcome.get(10, TimeUnit.SECONDS);
    }

    private static void assertInterrupted(Outcome outcome) {
        assertThat(outcome.thrown()).isInstanceOf(WorkflowError.class).hasFieldOrPropertyWithValue("code",
                "Interrupted");
        assertThat(outcome.flag()).as("the interrupt flag").isTrue();
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void waitForAResultEndsWithAnErrorOfItsOwn(Databases.Kind kind) throws Exception {
        try (Pawl pawl = FlowTest.open(kind.fresh(), 1_000, flow)) {
            WorkflowHandle<String> handle = pawl.start(flow, "w", "");

            assertInterrupted(interrupted(new CountDownLatch(0), () -> handle.result(SOON)));
            assertInterrupted(interrupted(new CountDownLatch(0), () -> pawl.workflow("w").result()));

            handle.signal("end", "done");
            assertThat(handle.result(SOON)).isEqualTo("done");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void waitForAnUpdateEndsWithAnErrorOfItsOwnAndTheUpdateCountsOnce(Databases.Kind kind) throws Exception {
        try (Pawl pawl = FlowTest.open(kind.fresh(), 1_000, flow)) {
            WorkflowHandle<String> handle = pawl.start(flow, "w", "");

            assertInterrupted(interrupted(handling, () -> handle.update("slow", "", Integer.class, "u-1", SOON)));

            answering.countDown();
            assertThat(handle.update("slow", "", Integer.class, "u-1", SOON)).as("applied once").isEqualTo(1);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void queryEndsWithAnErrorOfItsOwn(Databases.Kind kind) throws Exception {
        try (Pawl pawl = FlowTest.open(kind.fresh(), 1_000, flow)) {
            WorkflowHandle<String> handle = pawl.start(flow, "w", "");
            // Until its code has begun there is none to ask.
            FlowTest.await(() -> answers(handle));
            slowQuery.set(true);

            assertInterrupted(interrupted(querying, () -> handle.query("count", "", Integer.class)));
            slowQuery.set(false);
            assertThat(handle.query("count", "", Integer.class)).isZero();
        }
    }

    private static boolean answers(WorkflowHandle<String> handle) {
        try {
            return handle.query("count", "", Integer.class) == 0;
        } catch (PawlException e) {
            return false;
        }
    }

    /** Every call while the store is away: none tries again for as long as the time limit of calls allows. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void callsThatFindNoStoreStopTryingWhenTheyAreInterrupted(Databases.Kind kind) throws Exception {
        FaultyStore store = new FaultyStore(kind.fresh());
        try (Pawl pawl = Pawl.builder().store(store.front).shards(1).callTimeout(SOON).definitions(flow).open()) {
            WorkflowHandle<String> handle = pawl.start(flow, "w", "");
            List<Runnable> calls = List.of(() -> handle.status(), () -> handle.query("count", "", Integer.class),
                    () -> pawl.startWithSignal(flow, "other", "", "end", "x", "s-1"));
            for (Runnable call : calls) {
                store.refuse(10_000, "workflow", "load", "start");
                assertInterrupted(interrupted(store.refusal(), call));
                store.refuse(0);
            }
            assertThat(handle.status().terminal()).isFalse();
            assertThat(pawl.startWithSignal(flow, "other", "", "end", "x", "s-1").result(SOON)).isEqualTo("x");
        }
    }

    /** The flag that one operation leaves behind on its thread is not there when the next one begins. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void interruptOfOneOperationDoesNotReachTheNext(Databases.Kind kind) throws Exception {
        Activity<String, String> late = Activity.named("late", String.class, String.class, (String input) -> {
            try {
                never.await();
            } finally {
                Thread.currentThread().interrupt();
            }
            return input;
        }).timeout(Duration.ofMillis(50)).retry(RetryPolicy.NONE);
        Flow<String, String> leaving = Flow.named("leaving", String.class, String.class, (context, input) -> {
            StringBuilder flags = new StringBuilder();
            context.step("leave", () -> Thread.currentThread().interrupt());
            flags.append(context.step("next", Boolean.class, () -> Thread.currentThread().isInterrupted()));
            try {
                context.run(late, "");
            } catch (PawlException e) {
                flags.append(e.code());
            }
            return flags.append(context.step("last", Boolean.class, () -> Thread.currentThread().isInterrupted()))
                    .toString();
        });
        ExecutorService one = Executors.newSingleThreadExecutor();
        try (Pawl pawl = Pawl.builder().url(kind.fresh()).shards(1).workers(one).definitions(leaving).open()) {
            assertThat(pawl.start(leaving, "w", "").result(SOON)).startsWith("false").endsWith("false");
        } finally {
            one.shutdownNow();
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void conflictOfAStartWithASignalIsFoundBeforeTheSignalIsTaken(Databases.Kind kind) {
        try (Pawl pawl = FlowTest.open(kind.fresh(), 1_000, flow)) {
            WorkflowHandle<String> handle = pawl.start(flow, "w", "one");

            assertThatThrownBy(() -> pawl.startWithSignal(flow, "w", "another", "end", "refused", "s-1"))
                    .hasFieldOrPropertyWithValue("code", "WorkflowIdConflict");

            assertThat(pawl.startWithSignal(flow, "w", "one", "end", "taken", "s-1").result(SOON))
                    .as("the id of the signal that was refused is free").isEqualTo("taken");
            assertThat(handle.status().terminal()).isTrue();
        }
    }

    /** What a caller reads for an update does not grow with the operations of the workflow. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void updateReadsNoMoreOfALongWorkflowThanOfAShortOne(Databases.Kind kind) throws Exception {
        Flow<Integer, String> counting = Flow.named("counting", Integer.class, String.class, (context, steps) -> {
            AtomicInteger count = new AtomicInteger();
            context.<Integer, Integer>onUpdate("add", Integer.class, Integer.class, count::addAndGet);
            for (int i = 0; i < steps; i++) {
                context.now();
            }
            return context.signal("end", String.class);
        });
        FaultyStore store = new FaultyStore(kind.fresh());
        try (Pawl pawl = Pawl.builder().store(store.front).shards(1).definitions(counting).open()) {
            pawl.start(counting, "long", 300);
            CompletableFuture<Integer> answer = new CompletableFuture<>();
            Thread.ofPlatform().name("caller").start(() -> {
                int last = 0;
                for (int i = 0; i < 20; i++) {
                    last = pawl.workflow("long").update("add", 1, Integer.class);
                }
                answer.complete(last);
            });

            assertThat(answer.get(60, TimeUnit.SECONDS)).isEqualTo(20);
            assertThat(store.calledByCallers).contains("activity").isSubsetOf("activity", "workflow", "signal",
                    "capabilities");
        }
    }
}
