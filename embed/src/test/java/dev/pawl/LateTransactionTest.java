package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.flow.Flow;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A transaction whose answer comes after its shard was recovered: what it has written was read then, and must not be applied again. */
class LateTransactionTest {

    private static final Duration SOON = Duration.ofSeconds(60);

    private final CountDownLatch recovered = new CountDownLatch(1);
    private final CountDownLatch inTransaction = new CountDownLatch(1);

    private final Flow<String, Integer> booking = Flow.named("booking", String.class, Integer.class, (context, id) -> {
        int rows = context.transaction("book", Integer.class, connection -> {
            inTransaction.countDown();
            return book(connection, id);
        });
        return context.step("after", Integer.class, () -> rows + 1);
    });
    private final Flow<String, String> other = Flow.named("other", String.class, String.class,
            (context, input) -> context.step("step", String.class, () -> input));

    private static int book(Connection connection, String id) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("create table if not exists booking (id text)");
            return statement.executeUpdate("insert into booking values ('" + id + "')");
        }
    }

    private static void await(BooleanSupplier condition) {
        for (int i = 0; i < 6_000 && !condition.getAsBoolean(); i++) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void transactionThatSettlesAfterARecoveryIsNotAppliedTwice(Databases.Kind kind) throws Exception {
        FaultyStore store = new FaultyStore(kind.fresh());
        try (Pawl pawl = Pawl.builder().store(store.front).shards(1).definitions(booking, other).open()) {
            store.holdAnswer("transact", recovered);
            WorkflowHandle<Integer> handle = pawl.start(booking, "b", "one");
            assertThat(inTransaction.await(30, TimeUnit.SECONDS)).isTrue();
            // Durable, and its loop has not heard of it.
            await(() -> !handle.operations().isEmpty());

            // The outcome of another commit is lost: the shard's epoch is raised, and everything is read again.
            long epoch = epoch(store);
            store.loseAnswers(1, "commit");
            WorkflowHandle<String> second = pawl.start(other, "o", "x");
            await(() -> epoch(store) > epoch);
            assertThat(second.result(SOON)).isEqualTo("x");
            recovered.countDown();

            assertThat(handle.result(SOON)).isEqualTo(2);
            assertThat(pawl.health().state()).isEqualTo(Health.State.UP);
            assertThat(pawl.start(other, "p", "y").result(SOON)).as("the shard is in service").isEqualTo("y");
            assertThat(handle.operations()).filteredOn(each -> each.key().activity().startsWith("book")).hasSize(1);
        }
    }

    private static long epoch(FaultyStore store) {
        return store.front.leases("default", "default").getFirst().epoch();
    }
}
