package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.flow.Activity;
import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.flow.FlowCancelled;
import dev.pawl.engine.flow.OperationFailed;
import dev.pawl.engine.flow.Received;
import dev.pawl.engine.flow.RetryPolicy;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the context of a flow does, on both stores, with all flows kept in memory and with all put aside as soon as they wait. */
class FlowTest {

    static final Duration SOON = Duration.ofSeconds(60);
    private static final RetryPolicy QUICK =
            RetryPolicy.DEFAULT.withBackoff(Duration.ofMillis(5), 2, Duration.ofMillis(20));

    private final List<String> log = Collections.synchronizedList(new ArrayList<>());

    static Pawl open(String url, int waitingMax, Flow<?, ?>... flows) {
        return Pawl.builder().url(url).shards(2).lease(Duration.ofSeconds(3), Duration.ofMillis(500))
                .waitingMax(waitingMax).definitions(flows).open();
    }

    static void await(java.util.function.BooleanSupplier condition) throws InterruptedException {
        for (int i = 0; i < 6_000 && !condition.getAsBoolean(); i++) {
            new CountDownLatch(1).await(10, java.util.concurrent.TimeUnit.MILLISECONDS);
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void sleepsAndSignals(Databases.Kind kind, int waitingMax) {
        Flow<String, String> flow = Flow.named("approval", String.class, String.class, (context, input) -> {
            context.sleep(Duration.ofMillis(30));
            String first = context.signal("first", String.class);
            Received<String> none = context.signal("never", String.class, Duration.ofMillis(30));
            Received<String> second = context.signal("second", String.class, Duration.ofSeconds(30));
            return input + first + none.orElse("-") + second.orElse("-");
        });
        try (Pawl pawl = open(kind.fresh(), waitingMax, flow)) {
            WorkflowHandle<String> handle = pawl.start(flow, "w", "a");
            AcceptedSignalResult early = handle.signal("second", "c", "s-1");
            handle.signal("first", "b", "s-2");

            assertThat(handle.result(SOON)).isEqualTo("ab-c");
            assertThat(handle.signal("second", "x", "s-1")).isEqualTo(early);
            assertThatThrownBy(() -> handle.signal("second", "c", "s-9")).hasFieldOrPropertyWithValue("code",
                    "WorkflowClosed");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void branchesRunSideBySide(Databases.Kind kind, int waitingMax) {
        Flow<Integer, List<?>> flow = Flow.named("fan", new dev.pawl.engine.flow.TypeRef<Integer>() {},
                new dev.pawl.engine.flow.TypeRef<List<?>>() {}, (context, count) -> {
                    List<Integer> squares = context.map(IntStream.range(0, count).boxed().toList(), 3,
                            (branch, item) -> {
                                branch.sleep(Duration.ofMillis(5));
                                return branch.step("square", Integer.class, () -> item * item);
                            });
                    List<String> both = context.parallel(List.of(
                            branch -> branch.step("left", String.class, () -> "l"),
                            branch -> branch.signal("right", String.class)));
                    String winner = context.race(List.of(
                            branch -> {
                                branch.sleep(Duration.ofHours(1));
                                return "slow";
                            },
                            branch -> branch.step("fast", String.class, () -> "fast")));
                    return List.of(squares, both, winner);
                });
        try (Pawl pawl = open(kind.fresh(), waitingMax, flow)) {
            WorkflowHandle<List<?>> handle = pawl.start(flow, "w", 7);
            handle.signal("right", "r");

            assertThat(handle.result(SOON)).asString()
                    .isEqualTo("[[0, 1, 4, 9, 16, 25, 36], [l, r], fast]");
            assertThat(handle.status()).isEqualTo(WorkflowStatus.COMPLETED);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void childrenUpdatesAndQueries(Databases.Kind kind, int waitingMax) {
        Flow<Integer, Integer> child = Flow.named("twice", Integer.class, Integer.class, (context, input) -> {
            if (input < 0) {
                throw new IllegalArgumentException("no negative numbers");
            }
            return input * 2;
        });
        Flow<Integer, String> parent = Flow.named("parent", Integer.class, String.class, (context, input) -> {
            AtomicInteger sum = new AtomicInteger(input);
            context.onUpdate("add", Integer.class, Integer.class, sum::addAndGet);
            context.onQuery("sum", Object.class, Integer.class, none -> sum.get());
            int doubled = context.child(child, context.workflowId() + ".child", input);
            String failure = "";
            try {
                context.child(child, context.workflowId() + ".bad", -1);
            } catch (OperationFailed e) {
                failure = String.valueOf(e.getMessage());
            }
            context.signal("go", String.class);
            return doubled + " " + sum.get() + " " + failure.contains("no negative numbers");
        });
        try (Pawl pawl = open(kind.fresh(), waitingMax, parent, child)) {
            WorkflowHandle<String> handle = pawl.start(parent, "w", 5);

            assertThat(handle.update("add", 10, Integer.class)).isEqualTo(15);
            assertThat(handle.update("add", 1, Integer.class, "u-1", SOON)).isEqualTo(16);
            assertThat(handle.update("add", 1, Integer.class, "u-1", SOON)).isEqualTo(16);
            assertThat(handle.query("sum", null, Integer.class)).isEqualTo(16);
            handle.signal("go", "now");

            assertThat(handle.result(SOON)).isEqualTo("10 16 true");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void failuresAreRetriedAndTakenBack(Databases.Kind kind, int waitingMax) {
        AtomicInteger attempts = new AtomicInteger();
        Activity<String, String> reserve = Activity.<String, String>named("reserve", String.class, String.class,
                item -> {
                    log.add("reserve " + item);
                    return item + "!";
                }).compensate((item, reserved) -> log.add("release " + reserved));
        Activity<String, String> charge = Activity.named("charge", String.class, String.class, (attempt, item) -> {
            log.add(attempt.idempotencyKey() + " " + attempt.attempt());
            throw new IllegalStateException("declined " + attempts.incrementAndGet());
        });
        Flow<String, String> flow = Flow.named("saga", String.class, String.class, (context, item) -> {
            context.run(reserve, item);
            context.onRollback("tell", () -> log.add("told"));
            return context.run(charge.retry(QUICK), item);
        });
        try (Pawl pawl = open(kind.fresh(), waitingMax, flow)) {
            WorkflowHandle<String> handle = pawl.start(flow, "order-1", "book");

            assertThatThrownBy(() -> handle.result(SOON)).hasMessageContaining("declined 3")
                    .hasFieldOrPropertyWithValue("code", "WorkflowFailed");
            assertThat(log).containsExactly("reserve book", "pawl:default:order-1:charge 1",
                    "pawl:default:order-1:charge 2", "pawl:default:order-1:charge 3", "told", "release book!");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void cancelledFlowTakesBackAndEnds(Databases.Kind kind, int waitingMax) {
        Flow<String, String> flow = Flow.named("patient", String.class, String.class, (context, input) -> {
            context.onRollback("undo", () -> log.add("undone"));
            try {
                context.signal("never", String.class);
            } catch (FlowCancelled e) {
                context.shielded(branch -> branch.step("goodbye", String.class, () -> {
                    log.add("goodbye");
                    return "x";
                }));
                throw e;
            }
            return "not reached";
        });
        try (Pawl pawl = open(kind.fresh(), waitingMax, flow)) {
            WorkflowHandle<String> handle = pawl.start(flow, "w", "");
            handle.cancel("enough");

            assertThatThrownBy(() -> handle.result(SOON)).hasMessageContaining("enough")
                    .hasFieldOrPropertyWithValue("code", "WorkflowCancelled");
            assertThat(handle.status()).isEqualTo(WorkflowStatus.CANCELLED);
            assertThat(log).containsExactly("goodbye", "undone");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void badInputIsRefusedWithACode(Databases.Kind kind, int waitingMax) {
        Flow<String, String> flow = Flow.named("flow", String.class, String.class,
                (context, input) -> context.step("bad~name", String.class, () -> "x"));
        try (Pawl pawl = Pawl.builder().url(kind.fresh()).payloadBytesMax(100).waitingMax(waitingMax)
                .definitions(flow).open()) {
            assertThatThrownBy(() -> pawl.start(flow, "w", "x".repeat(200)))
                    .hasFieldOrPropertyWithValue("code", "PayloadTooLarge");
            assertThatThrownBy(() -> pawl.start(flow, "w 1", "x"))
                    .hasFieldOrPropertyWithValue("code", "ValidationFailed");
            WorkflowHandle<String> handle = pawl.start(flow, "w", "x");
            assertThatThrownBy(() -> pawl.start(flow, "w", "y"))
                    .hasFieldOrPropertyWithValue("code", "WorkflowIdConflict");
            assertThatThrownBy(() -> handle.result(SOON)).hasMessageContaining("an operation's name");
            assertThatThrownBy(() -> handle.signal("s", "x", "i".repeat(129)))
                    .hasFieldOrPropertyWithValue("code", "ValidationFailed");
            assertThatThrownBy(() -> pawl.workflow("nobody").signal("s", "x"))
                    .hasFieldOrPropertyWithValue("code", "NotFound");
            assertThatThrownBy(() -> pawl.workflow("nobody").result(Duration.ofMillis(60)))
                    .hasFieldOrPropertyWithValue("code", "NotFound");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void startsLaterAndWithASignal(Databases.Kind kind, int waitingMax) {
        Flow<String, String> flow = Flow.named("patient", String.class, String.class,
                (context, input) -> input + context.signal("go", String.class));
        try (Pawl pawl = open(kind.fresh(), waitingMax, flow)) {
            java.time.Instant later = java.time.Instant.now().plusMillis(400);
            WorkflowHandle<String> delayed = pawl.startAt(later, flow, "delayed", "a");
            delayed.signal("go", "b");
            for (int i = 0; i < 2; i++) {
                assertThat(pawl.startWithSignal(flow, "signalled", "c", "go", "d", "s-1").result(SOON))
                        .isEqualTo("cd");
            }

            assertThat(delayed.result(SOON)).isEqualTo("ab");
            assertThat(java.time.Instant.now()).isAfterOrEqualTo(later);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void activityIsCompletedElsewhereOrInTime(Databases.Kind kind, int waitingMax) {
        List<String> tokens = Collections.synchronizedList(new ArrayList<>());
        Activity<String, String> handOver = Activity.<String, String>named("hand-over", String.class, String.class,
                (attempt, input) -> {
                    tokens.add(attempt.token());
                    return "ignored";
                }).completedElsewhere();
        Activity<String, String> silent = Activity.<String, String>named("silent", String.class, String.class,
                (attempt, input) -> {
                    if (attempt.attempt() == 1) {
                        new CountDownLatch(1).await();
                    }
                    attempt.heartbeat();
                    return "at last";
                }).heartbeat(Duration.ofMillis(100)).retry(QUICK);
        Flow<String, String> flow = Flow.named("async", String.class, String.class, (context, input) -> {
            String answer = context.run(handOver, input);
            String failure = "";
            try {
                context.run(handOver, input);
            } catch (OperationFailed e) {
                failure = String.valueOf(e.getMessage());
            }
            String late = "";
            try {
                context.run(handOver.timeout(Duration.ofMillis(20)), input);
            } catch (OperationFailed e) {
                late = e.code();
            }
            return answer + " " + failure.contains("no idea") + " " + late + " " + context.run(silent, input);
        });
        try (Pawl pawl = open(kind.fresh(), waitingMax, flow)) {
            WorkflowHandle<String> handle = pawl.start(flow, "w", "");
            await(() -> tokens.size() == 1);
            pawl.complete(tokens.get(0), "done");
            pawl.complete(tokens.get(0), "done twice");
            await(() -> tokens.size() == 2);
            pawl.fail(tokens.get(1), "no idea");

            assertThat(handle.result(SOON)).isEqualTo("done true Timeout at last");
            assertThatThrownBy(() -> pawl.complete("nonsense", "x"))
                    .hasFieldOrPropertyWithValue("code", "ValidationFailed");
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
