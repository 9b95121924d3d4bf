package dev.pawl;

import static dev.pawl.FlowTest.SOON;
import static dev.pawl.FlowTest.await;
import static dev.pawl.FlowTest.open;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.flow.Activity;
import dev.pawl.engine.flow.Beginnings;
import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.flow.RetryPolicy;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Code that cannot go on, and code that asks for what cannot be. */
class FlowTroubleTest {

    private final List<String> log = Collections.synchronizedList(new ArrayList<>());

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void everyRollbackIsRunWhateverItIsCalled(Databases.Kind kind, int waitingMax) {
        Activity<String, String> reserve = Activity.named("reserve", String.class, String.class, input -> input)
                .compensate((input, output) -> log.add("activity " + output));
        Flow<String, String> flow = Flow.named("undo", String.class, String.class, (context, input) -> {
            context.onRollback("reserve", () -> log.add("first"));
            context.onRollback("reserve", () -> log.add("second"));
            context.run(reserve, "a");
            context.run(reserve, "b");
            context.onRollback("reserve", () -> log.add("third"));
            throw new IllegalStateException("no good end");
        });
        try (Pawl pawl = open(kind.fresh(), waitingMax, flow)) {
            WorkflowHandle<String> handle = pawl.start(flow, "w", "x");

            assertThatThrownBy(() -> handle.result(SOON)).hasMessageContaining("no good end");
            assertThat(log).containsExactly("third", "activity b", "activity a", "second", "first");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void errorParksTheWorkflowUntilTheProgramIsBetter(Databases.Kind kind, int waitingMax) throws Exception {
        AtomicInteger runs = new AtomicInteger();
        Flow<String, String> flow = Flow.named("linked", String.class, String.class, (context, input) -> {
            String done = context.step("done", String.class, () -> "done " + runs.incrementAndGet());
            if (runs.get() == 1 && log.isEmpty()) {
                throw new NoClassDefFoundError("a class is missing");
            }
            return done;
        });
        String url = kind.fresh();
        try (Pawl pawl = open(url, waitingMax, flow)) {
            WorkflowHandle<String> handle = pawl.start(flow, "w", "x");
            await(() -> handle.status() == WorkflowStatus.PARKED);
            assertThat(handle.reason()).contains("FlowError", "NoClassDefFoundError", "a class is missing");
        }
        log.add("mended");
        try (Pawl pawl = open(url, waitingMax, flow)) {
            assertThat(pawl.workflow(flow, "w").result(SOON)).isEqualTo("done 1");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void codeThatGoesOnAndFailsAgainIsParkedAgain(Databases.Kind kind, int waitingMax) throws Exception {
        Flow<String, String> flow = Flow.named("linked", String.class, String.class, (context, input) -> {
            if (!log.isEmpty()) {
                context.step("further", String.class, () -> "got further");
                context.sleep(Duration.ofMillis(1));
            }
            throw new NoClassDefFoundError("a class is missing");
        });
        String url = kind.fresh();
        try (Pawl pawl = open(url, waitingMax, flow)) {
            WorkflowHandle<String> handle = pawl.start(flow, "w", "x");
            await(() -> handle.status() == WorkflowStatus.PARKED);
        }
        log.add("better, but not good");
        try (Pawl pawl = open(url, waitingMax, flow)) {
            WorkflowHandle<String> handle = pawl.workflow(flow, "w");
            await(() -> handle.operations().stream().filter(each -> each.ledger().finalized()).count() >= 2);
            await(() -> handle.status() == WorkflowStatus.PARKED);
            assertThat(handle.reason()).contains("FlowError", "a class is missing");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void waitBeyondAllTimeIsRefused(Databases.Kind kind, int waitingMax) {
        Flow<Long, String> flow = Flow.named("long", Long.class, String.class, (context, seconds) -> {
            context.sleep(Duration.ofSeconds(seconds));
            return "awake";
        });
        Flow<String, String> until = Flow.named("until", String.class, String.class, (context, input) -> {
            context.sleepUntil(Instant.MAX);
            return "awake";
        });
        try (Pawl pawl = open(kind.fresh(), waitingMax, flow, until)) {
            assertThatThrownBy(() -> pawl.start(flow, "w", Long.MAX_VALUE).result(SOON))
                    .hasMessageContaining("a wait ends before 9999");
            assertThatThrownBy(() -> pawl.start(until, "u", "x").result(SOON))
                    .hasMessageContaining("a wait ends before 9999");
            assertThat(pawl.start(flow, "past", -5L).result(SOON)).isEqualTo("awake");
            assertThatThrownBy(() -> pawl.startAt(Beginnings.LATEST.plusSeconds(1), flow, "late", 1L))
                    .hasFieldOrPropertyWithValue("code", "ValidationFailed");
            assertThatThrownBy(() -> pawl.start(flow, "x", 100L).result(Duration.ofMillis(1)))
                    .hasFieldOrPropertyWithValue("code", "Timeout");
            assertThat(pawl.workflow(flow, "past").result(Duration.ofSeconds(Long.MAX_VALUE))).isEqualTo("awake");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void longMessagesAreCutShort(Databases.Kind kind, int waitingMax) {
        Flow<String, String> flow = Flow.named("loud", String.class, String.class, (context, input) -> context
                .step("shout", String.class, RetryPolicy.NONE, () -> {
                    throw new IllegalStateException("x".repeat(100_000));
                }));
        Flow<String, String> bare = Flow.named("bare", String.class, String.class, (context, input) -> {
            throw new IllegalStateException("x".repeat(100_000));
        });
        try (Pawl pawl = open(kind.fresh(), waitingMax, flow, bare)) {
            assertThatThrownBy(() -> pawl.start(flow, "w", "x").result(SOON))
                    .satisfies(failure -> assertThat(failure.getMessage()).hasSizeLessThan(5_000)
                            .contains("100000 characters"));
            assertThatThrownBy(() -> pawl.start(bare, "b", "x").result(SOON))
                    .satisfies(failure -> assertThat(failure.getMessage()).hasSizeLessThan(5_000)
                            .contains("100000 characters"));
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void nobodyWhoGaveUpWaitingIsRemembered(Databases.Kind kind, int waitingMax) {
        Flow<String, String> flow = Flow.named("still", String.class, String.class,
                (context, input) -> context.signal("go", String.class));
        try (Pawl pawl = open(kind.fresh(), waitingMax, flow)) {
            WorkflowHandle<String> handle = pawl.start(flow, "w", "x");
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> handle.result(Duration.ofMillis(1)))
                        .hasFieldOrPropertyWithValue("code", "Timeout");
            }
            assertThat(pawl.ends().size()).isZero();
            handle.signal("go", "gone");
            assertThat(handle.result(SOON)).isEqualTo("gone");
            // The end, at the most: it is not there yet if the caller has read it from the store.
            assertThat(pawl.ends().size()).isLessThanOrEqualTo(1);
        }
    }

    /** As often as statements may fail; but it is not they that have. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void accidentOfTheStoreIsNoFailureOfTheStatements(Databases.Kind kind) {
        AtomicInteger runs = new AtomicInteger();
        Flow<String, String> flow = Flow.named("booking", String.class, String.class,
                (context, input) -> context.transaction("book", String.class, connection -> {
                    if (runs.incrementAndGet() <= RetryPolicy.DEFAULT.maxAttempts()) {
                        ruin(connection);
                    }
                    return "booked";
                }));
        try (Pawl pawl = open(kind.fresh(), 10, flow)) {
            assertThat(pawl.start(flow, "w", "").result(SOON)).isEqualTo("booked");
            assertThat(runs).hasValue(RetryPolicy.DEFAULT.maxAttempts() + 1);
        }
    }

    /** The server ends the connection, or the file may not grow. */
    private static void ruin(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            if (connection.getMetaData().getDatabaseProductName().equals("PostgreSQL")) {
                statement.execute("select pg_terminate_backend(pg_backend_pid())");
                return;
            }
            try {
                statement.execute("pragma max_page_count = 1");
                statement.execute("create table hoard as select zeroblob(10000000)");
            } finally {
                statement.execute("pragma max_page_count = 1073741823");
            }
        }
    }
}
