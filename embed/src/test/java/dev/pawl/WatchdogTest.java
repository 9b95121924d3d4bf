package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.flow.Activity;
import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.flow.RunningOperation;
import dev.pawl.engine.flow.Watchdog;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds others up is logged once, with what to do, and counted. */
@Timeout(120)
class WatchdogTest {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

    private final CountDownLatch goOn = new CountDownLatch(1);
    private final AtomicBoolean stop = new AtomicBoolean();

    private static Pawl open(Databases.Kind kind, Flow<?, ?> flow) {
        return Pawl.builder().url(kind.fresh()).shards(1).longOperationAfter(Duration.ofMillis(400)).definitions(flow)
                .open();
    }

    private static void await(BooleanSupplier condition) {
        for (int i = 0; i < 6_000 && !condition.getAsBoolean(); i++) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }

    private static List<String> about(LogRecords log, String words) {
        return log.messages().stream().filter(each -> each.contains(words)).toList();
    }

    private String waitHere() throws InterruptedException {
        goOn.await();
        return "done";
    }

    private String computeHere() {
        while (!stop.get()) {
            Thread.onSpinWait();
        }
        return "done";
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void operationThatRunsForLongIsReportedOnce(Databases.Kind kind) {
        Activity<String, String> activity =
                Activity.named("charge", String.class, String.class, (String input) -> waitHere());
        Flow<String, String> flow = Flow.named("pay", String.class, String.class,
                (context, input) -> context.run(activity, input));
        try (LogRecords log = new LogRecords(Watchdog.class); Pawl pawl = open(kind, flow)) {
            WorkflowHandle<String> handle = pawl.start(flow, "order-7", "");
            await(() -> !about(log, "order-7").isEmpty());

            assertThat(pawl.runningOperations()).singleElement().satisfies(each -> {
                assertThat(each.workflowId()).isEqualTo("order-7");
                assertThat(each.operation()).isEqualTo("charge");
                assertThat(each.kind()).isEqualTo(RunningOperation.Kind.ACTIVITY);
                assertThat(each.attempt()).isEqualTo(1);
                assertThat(each.since()).isNotNull();
            });
            LockSupport.parkNanos(Duration.ofSeconds(1).toNanos());
            goOn.countDown();
            assertThat(handle.result(SOON)).isEqualTo("done");
            assertThat(about(log, "order-7")).singleElement().asString().contains("order-7 charge attempt 1 (activity)",
                    "since ", "on pawl-worker-", "WatchdogTest.waitHere", "Activity.timeout");
            assertThat(pawl.counters()).containsEntry("LongOperationsTotal", 1L)
                    .containsEntry("CpuBoundOperationsTotal", 0L);
            assertThat(pawl.runningOperations()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void transactionInTheEnginesDatabaseSaysWhatItHolds(Databases.Kind kind) {
        Flow<String, String> flow = Flow.named("pay", String.class, String.class,
                (context, input) -> context.transaction("book", String.class, connection -> waitHere()));
        try (LogRecords log = new LogRecords(Watchdog.class); Pawl pawl = open(kind, flow)) {
            WorkflowHandle<String> handle = pawl.start(flow, "order-8", "");
            await(() -> !about(log, "order-8").isEmpty());
            goOn.countDown();

            assertThat(handle.result(SOON)).isEqualTo("done");
            assertThat(about(log, "order-8")).singleElement().asString().contains("order-8 book attempt 1 (transaction",
                    "WatchdogTest.waitHere", "holds a connection");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void stepsThatComputeAreReportedTogether(Databases.Kind kind) {
        Flow<String, String> flow = Flow.named("pay", String.class, String.class,
                (context, input) -> context.step("compute", String.class, this::computeHere));
        try (LogRecords log = new LogRecords(Watchdog.class); Pawl pawl = open(kind, flow)) {
            int count = PROCESSORS + 6;
            List<WorkflowHandle<String>> handles =
                    IntStream.range(0, count).mapToObj(i -> pawl.start(flow, "c" + i, "")).toList();
            await(() -> pawl.counters().getOrDefault("CpuBoundOperationsTotal", 0L) >= count - 1);
            stop.set(true);

            handles.forEach(each -> assertThat(each.result(SOON)).isEqualTo("done"));
            assertThat(about(log, "compute attempt 1 (step)")).isNotEmpty()
                    .anySatisfy(each -> assertThat(each).contains("WatchdogTest.computeHere", "ms of processor time",
                            "Activity.limit"));
        }
    }

    /** The code of a flow itself runs on virtual threads, and must not compute. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void flowsThatHoldEveryCarrierAreNamed(Databases.Kind kind) {
        Flow<String, String> flow = Flow.named("pay", String.class, String.class, (context, input) -> computeHere());
        try (LogRecords log = new LogRecords(Watchdog.class); Pawl pawl = open(kind, flow)) {
            List<WorkflowHandle<String>> handles =
                    IntStream.range(0, PROCESSORS).mapToObj(i -> pawl.start(flow, "f" + i, "")).toList();
            await(() -> !about(log, "virtual threads have not run").isEmpty());
            LockSupport.parkNanos(Duration.ofSeconds(2).toNanos());
            stop.set(true);

            handles.forEach(each -> assertThat(each.result(SOON)).isEqualTo("done"));
            assertThat(about(log, "virtual threads have not run")).singleElement().asString()
                    .contains("f0 (the code of the flow)", "WatchdogTest.computeHere", "in a step or an activity");
            assertThat(pawl.counters()).containsEntry("VirtualThreadsStarvedTotal", 1L);
        }
    }
}
