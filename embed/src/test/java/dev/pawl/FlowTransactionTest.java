package dev.pawl;

import static dev.pawl.FlowTest.SOON;
import static dev.pawl.FlowTest.await;
import static dev.pawl.FlowTest.open;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.flow.Flow;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.workflow.ActivityRecord;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Statements that flows run once: in the engine's own database and in one of the application's. */
class FlowTransactionTest {

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void transactionThatThrowsLeavesNothingAndIsTriedAgain(Databases.Kind kind, int waitingMax) {
        AtomicInteger attempts = new AtomicInteger();
        Flow<Integer, Integer> flow = Flow.named("book", Integer.class, Integer.class, (context, amount) -> {
            context.step("before", String.class, () -> "x");
            context.transaction("table", Integer.class, FlowTransactionTest::createTable);
            context.transaction("book", Integer.class, connection -> {
                int balance = add(connection, amount);
                if (attempts.incrementAndGet() == 1) {
                    throw new IllegalStateException("once");
                }
                return balance;
            });
            return context.transaction("book", Integer.class, connection -> add(connection, amount));
        });
        try (Pawl pawl = open(kind.fresh(), waitingMax, flow)) {
            assertThat(pawl.start(flow, "w", 100).result(SOON)).isEqualTo(200);
            assertThat(attempts).hasValue(2);
        }
    }

    /**
     * The process ends between the statements and the commit, or right after the commit: either both the rows and the record of the
     * operation are there, or neither. A row without a record would be written twice, a record without its row never.
     */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void transactionAndItsRecordAreOne(Databases.Kind kind, int waitingMax) throws Exception {
        for (boolean committed : new boolean[] {false, true}) {
            AtomicInteger attempts = new AtomicInteger();
            Flow<Integer, Integer> flow = Flow.named("book", Integer.class, Integer.class, (context, amount) -> {
                context.transaction("table", Integer.class, FlowTransactionTest::createTable);
                context.transaction("book", Integer.class, connection -> {
                    attempts.incrementAndGet();
                    return add(connection, amount);
                });
                return context.transaction("count", Integer.class, FlowTransactionTest::sum);
            });
            String url = kind.fresh();
            try (Lifetime first = new Lifetime(url, builder -> builder.waitingMax(waitingMax), flow)) {
                if (committed) {
                    first.cutAfter(Lifetime.ends("book"));
                } else {
                    first.cutBefore(Lifetime.ends("book"));
                }
                first.pawl.start(flow, "w", 100);
                first.awaitCut();
                ActivityRecord record = first.operation("w", "book");
                assertThat(record != null && record.ledger().finalized()).isEqualTo(committed);
            }
            assertThat(attempts).hasValue(1);
            try (Lifetime second = new Lifetime(url, builder -> builder.waitingMax(waitingMax), flow)) {
                assertThat(second.pawl.workflow(flow, "w").result(SOON)).as("booked once").isEqualTo(100);
            }
            assertThat(attempts).hasValue(committed ? 1 : 2);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void transactionMayNotEndItself(Databases.Kind kind, int waitingMax) {
        Flow<String, String> flow = Flow.named("greedy", String.class, String.class,
                (context, input) -> context.transaction("commit", String.class, connection -> {
                    connection.commit();
                    return "x";
                }));
        try (Pawl pawl = open(kind.fresh(), waitingMax, flow)) {
            assertThatThrownBy(() -> pawl.start(flow, "w", "").result(SOON))
                    .hasMessageContaining("commit is not for the statements of a transaction");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void commitAsTextFailsTheOperationInsteadOfRepeatingItForEver(Databases.Kind kind, int waitingMax) {
        AtomicInteger attempts = new AtomicInteger();
        Flow<String, String> flow = Flow.named("greedy", String.class, String.class,
                (context, input) -> context.transaction("commit", String.class, connection -> {
                    attempts.incrementAndGet();
                    try (Statement statement = connection.createStatement()) {
                        statement.execute("commit");
                    }
                    return "x";
                }));
        try (Pawl pawl = open(kind.fresh(), waitingMax, flow)) {
            assertThatThrownBy(() -> pawl.start(flow, "w", "").result(SOON))
                    .hasMessageContaining("Return from the body to commit, throw to roll back");
            assertThat(attempts.get()).isLessThan(10);
        }
    }

    /** Two seconds is the limit on a file; the body sleeps for much longer, in Java and not in the database. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void bodyThatHangsDoesNotStopOtherWorkflows(Databases.Kind kind) {
        CountDownLatch never = new CountDownLatch(1);
        Flow<String, String> hanging = Flow.named("hanging", String.class, String.class,
                (context, input) -> context.transaction("hang", String.class, connection -> {
                    never.await();
                    return "x";
                }));
        Flow<String, String> other = Flow.named("other", String.class, String.class,
                (context, input) -> context.step("step", String.class, () -> "done"));
        try (Pawl pawl = Pawl.builder().url(kind.fresh()).transactionTimeout(Duration.ofMillis(300))
                .definitions(hanging, other).open()) {
            pawl.start(hanging, "hanging", "");
            for (int i = 0; i < 5; i++) {
                assertThat(pawl.start(other, "other-" + i, "").result(SOON)).isEqualTo("done");
            }
            if (kind.name().equals("sqlite")) {
                assertThatThrownBy(() -> pawl.workflow("hanging").result(SOON))
                        .hasMessageContaining("set a longer transactionTimeout");
            }
            never.countDown();
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void statementsInADatabaseOfTheApplicationsOwnRunOnce(Databases.Kind kind, int waitingMax) throws Exception {
        com.zaxxer.hikari.HikariDataSource own = Databases.source(kind.fresh());
        AtomicInteger crashes = new AtomicInteger();
        Flow<Integer, Integer> flow = Flow.named("book", Integer.class, Integer.class, (context, amount) -> {
            context.transaction("table", own, Integer.class, FlowTransactionTest::createTable);
            int balance = context.transaction("book", own, Integer.class, connection -> add(connection, amount));
            if (crashes.incrementAndGet() == 1) {
                throw new Error("the process ends before the record is durable");
            }
            return balance;
        });
        String url = kind.fresh();
        try (Pawl pawl = open(url, waitingMax, flow)) {
            pawl.start(flow, "w", 100);
            await(() -> crashes.get() == 1);
        }
        try (Pawl pawl = open(url, waitingMax, flow)) {
            assertThat(pawl.workflow(flow, "w").result(SOON)).isEqualTo(100);
        }
        try (Connection connection = own.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select count(*) from booking")) {
            row.next();
            assertThat(row.getInt(1)).isEqualTo(1);
        } finally {
            own.close();
        }
    }

    /** The end of the step is in the commit that parks the flow: its outcome must not come once more, and wake the flow. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void parkedFlowIsNotWokenByTheOutcomeOfItsOwnStep(Databases.Kind kind, int waitingMax) throws Exception {
        AtomicInteger runs = new AtomicInteger();
        Flow<String, String> broken = Flow.named("broken", String.class, String.class, (context, input) -> {
            String done = context.step("step", String.class, () -> "done");
            if (runs.incrementAndGet() == 1) {
                throw new Error("the code is broken");
            }
            return done;
        });
        Flow<String, String> other = Flow.named("other", String.class, String.class,
                (context, input) -> context.step("step", String.class, () -> "done"));
        try (Pawl pawl = open(kind.fresh(), waitingMax, broken, other)) {
            for (int i = 0; i < 5; i++) {
                runs.set(0);
                pawl.start(broken, "broken-" + i, "");
                String id = "broken-" + i;
                await(() -> pawl.workflow(id).status() == WorkflowStatus.PARKED);
                // Whatever was sent when it was parked has come by now.
                for (int round = 0; round < 5; round++) {
                    pawl.start(other, "other-" + i + "-" + round, "").result(SOON);
                }
                assertThat(runs).hasValue(1);
                assertThat(pawl.workflow(id).operations().getFirst().ledger().finalized()).isTrue();
            }
        }
    }

    private static int createTable(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("create table if not exists booking (amount integer not null)");
            return 0;
        }
    }

    private static int add(Connection connection, int amount) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("insert into booking values (?)")) {
            insert.setInt(1, amount);
            insert.executeUpdate();
        }
        return sum(connection);
    }

    private static int sum(Connection connection) throws SQLException {
        try (Statement sum = connection.createStatement();
                ResultSet row = sum.executeQuery("select sum(amount) from booking")) {
            row.next();
            return row.getInt(1);
        }
    }
}
