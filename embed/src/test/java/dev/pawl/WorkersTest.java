package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.engine.flow.Activity;
import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.flow.FlowContext;
import dev.pawl.engine.flow.Guarantee;
import dev.pawl.engine.store.Lease;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** User code that blocks in native code or computes holds up neither the engine nor other operations. */
@Timeout(120)
class WorkersTest {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();
    /** More than virtual threads have carriers. */
    private static final int MANY = PROCESSORS + 4;

    @TempDir
    private Path folder;

    private final CountDownLatch goOn = new CountDownLatch(1);
    private final AtomicInteger runs = new AtomicInteger();

    private static final Flow<Integer, Integer> QUICK = Flow.named("quick", Integer.class, Integer.class,
            (flow, input) -> {
                int sum = input;
                for (int i = 0; i < 3; i++) {
                    int before = sum;
                    sum = flow.step("add", Integer.class, () -> before + 1);
                }
                return sum;
            });

    private static Pawl open(Databases.Kind kind, Flow<?, ?> flow) {
        return builder(kind, flow).open();
    }

    private static PawlBuilder builder(Databases.Kind kind, Flow<?, ?> flow) {
        return Pawl.builder().url(kind.fresh()).drainTimeout(Duration.ofSeconds(5)).definitions(flow, QUICK);
    }

    private static Flow<Integer, String> flow(FlowCode code) {
        return Flow.named("work", Integer.class, String.class, (context, input) -> code.run(context));
    }

    /** What a flow does that has no input. */
    private interface FlowCode {

        String run(FlowContext flow) throws Exception;
    }

    private static void assertQuickWorkflowsRun(Pawl pawl) {
        List<WorkflowHandle<Integer>> quick =
                IntStream.range(0, 10).mapToObj(i -> pawl.start(QUICK, "quick-" + i, i)).toList();
        for (int i = 0; i < quick.size(); i++) {
            assertThat(quick.get(i).result(SOON)).isEqualTo(i + 3);
        }
    }

    private static void await(BooleanSupplier condition) {
        for (int i = 0; i < 6_000 && !condition.getAsBoolean(); i++) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }

    private static List<WorkflowHandle<String>> start(Pawl pawl, Flow<Integer, String> flow, int count) {
        return IntStream.range(0, count).mapToObj(i -> pawl.start(flow, "w" + i, i)).toList();
    }

    private static void assertAll(List<WorkflowHandle<String>> handles, String expected) {
        handles.forEach(each -> assertThat(each.result(SOON)).isEqualTo(expected));
    }

    // A file that is not the engine's, with a lock that is waited for in native code.

    private String ownFile() throws SQLException {
        String url = "jdbc:sqlite:" + folder.resolve("own.db") + "?busy_timeout=60000&transaction_mode=IMMEDIATE";
        Lifetime.execute(url, "create table booked (n integer not null)");
        return url;
    }

    private static HikariDataSource source(String url, int connections) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(connections);
        config.setConnectionTimeout(TimeUnit.MINUTES.toMillis(1));
        return new HikariDataSource(config);
    }

    private static int insert(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return statement.executeUpdate("insert into booked values (1)");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void fortyTransactionsInOneSqliteFileOfTheApplicationAllEnd(Databases.Kind kind) throws Exception {
        try (HikariDataSource own = source(ownFile(), 40)) {
            Flow<Integer, String> flow = flow(context -> context.transaction("book", own, String.class, connection -> {
                insert(connection);
                Thread.sleep(10);
                insert(connection);
                return "booked";
            }));
            try (Pawl pawl = open(kind, flow)) {
                assertAll(start(pawl, flow, 40), "booked");
            }
            try (Connection connection = own.getConnection(); Statement statement = connection.createStatement();
                    var row = statement.executeQuery("select count(*) from booked")) {
                row.next();
                assertThat(row.getInt(1)).isEqualTo(80);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void activitiesAndStepsBlockedInNativeCodeHoldNothingUp(Databases.Kind kind) throws Exception {
        String url = ownFile();
        Activity<String, String> activity = Activity.named("book", String.class, String.class,
                (String input) -> book(url));
        Flow<Integer, String> flow = Flow.named("work", Integer.class, String.class,
                (context, input) -> input % 2 == 0 ? context.run(activity, "")
                        : context.step("book", String.class, () -> book(url)));
        try (Connection holder = DriverManager.getConnection(url); Pawl pawl = open(kind, flow)) {
            holder.setAutoCommit(false);
            insert(holder);
            List<WorkflowHandle<String>> blocked = start(pawl, flow, MANY);
            await(() -> runs.get() == MANY);

            assertQuickWorkflowsRun(pawl);
            assertThat(pawl.runningOperations()).hasSize(MANY);
            holder.setAutoCommit(true);

            assertAll(blocked, "booked");
        }
    }

    private String book(String url) throws SQLException {
        runs.incrementAndGet();
        try (Connection connection = DriverManager.getConnection(url)) {
            connection.setAutoCommit(false);
            insert(connection);
            connection.commit();
            return "booked";
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void stepsThatComputeOnMoreThreadsThanProcessorsStopNeitherWorkflowsNorLeases(Databases.Kind kind) {
        AtomicBoolean stop = new AtomicBoolean();
        Flow<Integer, String> flow = flow(context -> context.step("compute", String.class, () -> {
            runs.incrementAndGet();
            while (!stop.get()) {
                Thread.onSpinWait();
            }
            return "computed";
        }));
        try (Pawl pawl = builder(kind, flow).shards(2).lease(Duration.ofSeconds(8), Duration.ofMillis(500)).open()) {
            List<WorkflowHandle<String>> computing = start(pawl, flow, MANY);
            try {
                await(() -> runs.get() == MANY);
                Instant lease = expiry(pawl);

                assertQuickWorkflowsRun(pawl);
                await(() -> expiry(pawl).isAfter(lease));
            } finally {
                stop.set(true);
            }
            assertAll(computing, "computed");
        }
        assertThat(runs).hasValue(MANY);
    }

    private static Instant expiry(Pawl pawl) {
        return pawl.store().leases("default", "default").stream().map(Lease::expiresAt).filter(Objects::nonNull)
                .min(Instant::compareTo).orElse(Instant.EPOCH);
    }

    // What bodies leave behind on their threads.

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void noBodyBeginsWithTheInterruptOfAnother(Databases.Kind kind) {
        List<Boolean> found = new CopyOnWriteArrayList<>();
        Activity<String, String> late = Activity.<String, String>named("late", String.class, String.class, input -> {
            found.add(Thread.currentThread().isInterrupted());
            while (!Thread.currentThread().isInterrupted()) {
                Thread.onSpinWait();
            }
            return "too late";
        }).timeout(Duration.ofMillis(50)).guarantee(Guarantee.AT_MOST_ONCE);
        Flow<Integer, String> flow = flow(context -> {
            for (int i = 0; i < 5; i++) {
                try {
                    context.run(late, "");
                } catch (dev.pawl.engine.flow.OperationFailed e) {
                    assertThat(e).hasMessageContaining("PT0.05S");
                }
                context.step("interrupt", () -> {
                    found.add(Thread.currentThread().isInterrupted());
                    Thread.currentThread().interrupt();
                });
            }
            return "done";
        });
        try (Pawl pawl = open(kind, flow)) {
            assertAll(start(pawl, flow, 4), "done");
        }
        assertThat(found).hasSize(40).containsOnly(false);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void errorsOfStepsAndTransactionsParkTheirWorkflow(Databases.Kind kind) {
        Flow<Integer, String> flow = Flow.named("work", Integer.class, String.class, (context, input) -> input == 0
                ? context.step("break", String.class, WorkersTest::broken)
                : context.transaction("break", String.class, connection -> broken()));
        try (Pawl pawl = open(kind, flow)) {
            List<WorkflowHandle<String>> handles = start(pawl, flow, 2);

            handles.forEach(each -> await(() -> each.status() == WorkflowStatus.PARKED));
            assertQuickWorkflowsRun(pawl);
            assertThat(pawl.runningOperations()).isEmpty();
        }
    }

    private static String broken() {
        throw new AssertionError("broken");
    }

    // An executor of the application's own.

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void chosenExecutorRunsOperationsAndIsHandedThemByTheFlowsThread(Databases.Kind kind) {
        ThreadLocal<String> context = ThreadLocal.withInitial(() -> "nothing");
        List<String> found = new CopyOnWriteArrayList<>();
        Activity<String, String> activity = Activity.named("act", String.class, String.class, (String input) -> {
            found.add(Thread.currentThread().getName() + " " + context.get());
            return "acted";
        });
        Flow<Integer, String> flow = flow(code -> {
            context.set(code.workflowId());
            code.step("step", () -> found.add(Thread.currentThread().getName() + " " + context.get()));
            return code.run(activity, "");
        });
        try (ExecutorService mine = Executors.newCachedThreadPool(Thread.ofPlatform().name("mine").factory())) {
            PawlBuilder builder = builder(kind, flow).workers(body -> {
                String carried = context.get();
                mine.execute(() -> {
                    context.set(carried);
                    body.run();
                });
            });
            try (Pawl pawl = builder.open()) {
                assertAll(start(pawl, flow, 2), "acted");
            }
        }
        assertThat(found).containsExactlyInAnyOrder("mine w0", "mine w0", "mine w1", "mine w1");
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void whatTheChosenExecutorRefusesRunsAllTheSame(Databases.Kind kind) {
        Flow<Integer, String> flow = flow(context -> context.step("step", String.class, () -> "done"));
        PawlBuilder builder = builder(kind, flow).workers(body -> {
            throw new RejectedExecutionException("full");
        });
        try (Pawl pawl = builder.open()) {
            assertAll(start(pawl, flow, 3), "done");
        }
    }

    // As many at a time as there may be.

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void attemptIsNotDeclaredBeforeItHasAPlace(Databases.Kind kind) throws Exception {
        Activity<String, String> once = Activity.<String, String>named("once", String.class, String.class, input -> {
            runs.incrementAndGet();
            goOn.await();
            return "done";
        }).guarantee(Guarantee.AT_MOST_ONCE);
        Flow<Integer, String> flow = flow(context -> context.run(once, ""));
        try (Pawl pawl = builder(kind, flow).workersMax(2).open()) {
            List<WorkflowHandle<String>> handles = start(pawl, flow, 6);
            await(() -> runs.get() >= 2);

            assertThat(handles.stream().filter(each -> !each.operations().isEmpty()).count())
                    .isBetween(2L, (long) runs.get() + 1);
            goOn.countDown();
            assertAll(handles, "done");
        }
        assertThat(runs).hasValue(6);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void operationsThatWaitForOtherWorkflowsDoNotWaitForever(Databases.Kind kind) {
        Pawl[] opened = new Pawl[1];
        CountDownLatch both = new CountDownLatch(2);
        Flow<Integer, String> flow = flow(context -> context.step("ask", String.class, () -> {
            both.countDown();
            both.await();
            return String.valueOf(
                    opened[0].start(QUICK, "asked-by-" + context.workflowId(), 1).result(SOON));
        }));
        try (Pawl pawl = builder(kind, flow).workersMax(2).open()) {
            opened[0] = pawl;
            assertAll(start(pawl, flow, 2), "4");
            assertThat(pawl.counters()).containsEntry("WorkersExhaustedTotal", 1L);
        }
    }
}
