package dev.pawl.store.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.EngineSettings;
import dev.pawl.engine.store.Claim;
import dev.pawl.engine.store.Commit;
import dev.pawl.engine.store.Fence;
import dev.pawl.engine.store.Rejection;
import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.StoreException;
import dev.pawl.engine.store.Waiting;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Overlay;
import dev.pawl.kernel.collation.Collation;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.workflow.WorkflowRecord;
import dev.pawl.store.TestDatabase;
import dev.pawl.store.TestStores;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two that both believe to own a workflow, each with a store of its own on the same database, so that nothing in memory is between
 * them. A file lets no second store in: there they share the one.
 */
@ParameterizedClass
@MethodSource("dev.pawl.store.TestStores#all")
class TwoOwnersTest {

    private static final Instant NOW = Instant.parse("2031-01-01T00:00:00Z");
    private static final int ROUNDS = 15;

    private final TestStores.Kind kind;

    TwoOwnersTest(TestStores.Kind kind) {
        this.kind = kind;
    }

    /** None where the database is a file. */
    private static @Nullable Store second(TestDatabase database) {
        try {
            return database.open();
        } catch (StoreException e) {
            assertThat(database.dialect()).isEqualTo("sqlite");
            return null;
        }
    }

    private static Overlay view(Store store, Waiting task) {
        return new Overlay(store.load(task.workflow()));
    }

    private static WorkflowRecord row(Store store, Waiting task) {
        return Objects.requireNonNull(store.load(task.workflow()).workflow());
    }

    private static Message wake(Waiting task, int number) {
        return Message.Respond.wake(task.workflow(), task.activity(), NOW.plusSeconds(number));
    }

    /** One version is written, by the winner alone; the loser learns what its commit was computed from and what is stored. */
    @Test
    void oneCommitsAndTheOtherIsRefusedWithBothVersions() throws Exception {
        try (TestDatabase database = kind.fresh(); Store one = database.open(); Store second = second(database);
                ExecutorService pool = Executors.newFixedThreadPool(2)) {
            Store other = second == null ? one : second;
            Population.settle(one);
            Bench.endLeases(one);
            Waiting task = one.leases(Bench.NAMESPACE, Bench.GROUP).stream()
                    .flatMap(lease -> one.tasks(lease.shard(), null, 1).stream()).findFirst().orElseThrow();
            int shards = one.leases(Bench.NAMESPACE, Bench.GROUP).size();
            ShardId shard = ShardId.of(task.workflow(), Bench.GROUP, shards);
            Fence fence = ((Claim.Claimed) one.claim(shard, "both", Duration.ofDays(1), EngineSettings.FORMAT)).fence();

            for (int i = 0; i < ROUNDS; i++) {
                long before = row(one, task).version();
                List<Message> messages = List.of(wake(task, 2 * i), wake(task, 2 * i + 1));
                Bundle mine = Collation.lodge(view(one, task), messages.get(0), NOW);
                Bundle theirs = Collation.lodge(view(other, task), messages.get(1), NOW);
                CyclicBarrier together = new CyclicBarrier(2);
                Future<Commit> here = pool.submit(() -> {
                    together.await();
                    return one.commit(fence, List.of(mine));
                });
                Future<Commit> there = pool.submit(() -> {
                    together.await();
                    return other.commit(fence, List.of(theirs));
                });
                List<Commit> both = List.of(here.get(), there.get());

                int winner = both.get(0) instanceof Commit.Committed ? 0 : 1;
                assertThat(both.get(winner)).isInstanceOf(Commit.Committed.class);
                assertThat(both.get(1 - winner))
                        .isEqualTo(new Commit.Rejected(0, new Rejection.VersionConflict(before, before + 1)));
                assertThat(row(one, task).version()).isEqualTo(before + 1);
                assertThat(one.queue(shard, null, 1_000)).extracting(delivery -> delivery.message().guid())
                        .contains(messages.get(winner).guid()).doesNotContain(messages.get(1 - winner).guid());
            }
        }
    }
}
