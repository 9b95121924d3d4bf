package dev.pawl.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.store.AttributeCondition;
import dev.pawl.engine.store.Commit;
import dev.pawl.engine.store.Cutoffs;
import dev.pawl.engine.store.Fence;
import dev.pawl.engine.store.Page;
import dev.pawl.engine.store.SignalRequest;
import dev.pawl.engine.store.Swept;
import dev.pawl.engine.store.Waiting;
import dev.pawl.engine.store.WorkflowQuery;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Step;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.event.Occasion;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Attribute;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.Effect;
import dev.pawl.kernel.workflow.EffectRecord;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What a question costs, in rows the server looks at, when all it believes of the tables is from a time when they were as good as
 * empty: a few for each row of the answer. A plan that reads a whole namespace for each of them would look at a hundred times as
 * many here, and take minutes where there are thousands of workflows.
 */
class PostgresPlansTest {

    private static final int WORKFLOWS = 150;
    private static final int PAGE = 40;
    private static final int FEW = 5;
    private static final int ROWS_FOR_EACH_MAX = 40;
    private static final Instant LATER = Shop.NOW.plus(Duration.ofDays(1000));

    private final String schema = EmbeddedServer.freshSchema();
    private List<WorkflowKey> workflows = List.of();

    @BeforeEach
    void growAfterTheServerHasLooked() throws SQLException {
        try (PostgresStore store = EmbeddedServer.open(schema)) {
            Shop shop = new Shop(store);
            Fence fence = shop.claim(0);
            List<WorkflowKey> keys = new ArrayList<>();
            for (int n = 0; n < WORKFLOWS; n++) {
                WorkflowKey key = shop.running(fence, n);
                keys.add(key);
                store.signal(new SignalRequest(key, "topic", "id", true, new Response.Final(Shop.text("x")), Shop.NOW,
                        Shop.NOW.plusSeconds(60)));
                take(shop, fence);
                if (n == 0) {
                    EmbeddedServer.run("set search_path = " + schema + "; analyze");
                }
            }
            workflows = keys;
        }
    }

    private static void take(Shop shop, Fence fence) {
        shop.store.inbox(fence.shard(), 10)
                .forEach(delivery -> shop.store.commit(fence, List.of(shop.compute(delivery))));
    }

    /** Each workflow came here by three commits and a signal, and was loaded for each. */
    @Test
    void commitsFindTheirRowsByTheirKeys() throws SQLException {
        assertThat(rowsLookedAt()).isLessThan(3L * ROWS_FOR_EACH_MAX * WORKFLOWS);
    }

    @Test
    void tasksAreFoundByTheirKeys() throws SQLException {
        List<Waiting> found = new ArrayList<>();

        long looked = rowsLookedAt(store -> {
            Waiting last = null;
            do {
                List<Waiting> page = store.tasks(Shop.shard(0), last, PAGE);
                found.addAll(page);
                last = page.isEmpty() ? null : page.getLast();
            } while (last != null);
        });

        assertThat(found).hasSize(2 * WORKFLOWS);
        assertThat(looked).isLessThan((long) ROWS_FOR_EACH_MAX * WORKFLOWS);
    }

    /** A caller that waits reads one row of one workflow, however many operations that has. */
    @Test
    void singleRowsAreFoundByTheirKeys() throws SQLException {
        long looked = rowsLookedAt(store -> workflows.forEach(key -> {
            WorkflowRecord workflow = Objects.requireNonNull(store.workflow(key));
            assertThat(store.activity(key, workflow.trigger(), workflow.version())).isNull();
        }));

        // The workflow twice, and its last event twice: for its number and for its hash.
        assertThat(looked).isLessThan(7L * WORKFLOWS);
    }

    @Test
    void workflowsAreListedByTheirKeys() throws SQLException {
        List<WorkflowRecord> found = new ArrayList<>();

        long looked = rowsLookedAt(store -> {
            @Nullable String cursor = null;
            do {
                Page<WorkflowRecord> page = store.workflows(WorkflowQuery.all(Shop.NAMESPACE), cursor, PAGE);
                found.addAll(page.items());
                cursor = page.next();
            } while (cursor != null);
        });

        assertThat(found).hasSize(WORKFLOWS);
        assertThat(looked).isLessThan((long) ROWS_FOR_EACH_MAX * WORKFLOWS);
    }

    /** A few of them have the value: what is looked at must not grow with the others. */
    @Test
    void workflowsAreFoundByTheirAttributes() throws SQLException {
        setAttributes();
        for (AttributeCondition condition : List.of(
                AttributeCondition.in(List.of(new Attribute.Text("customer", "c-1"))),
                AttributeCondition.in(List.of(new Attribute.Whole("total", 1))),
                AttributeCondition.between(new Attribute.Whole("total", 0), new Attribute.Whole("total", 1)),
                AttributeCondition.in(List.of(new Attribute.Text("customer", "c-1"),
                        new Attribute.Text("customer", "nobody"))))) {
            List<WorkflowRecord> found = new ArrayList<>();

            long looked = rowsLookedAt(store -> found.addAll(store.workflows(
                    WorkflowQuery.all(Shop.NAMESPACE).where(condition), null, PAGE).items()));

            assertThat(found).as(condition.toString()).hasSizeBetween(FEW, 2 * FEW);
            assertThat(looked).as(condition.toString()).isLessThan(2L * ROWS_FOR_EACH_MAX * FEW);
        }
    }

    /** All of them have it: a page must not look at much more than a page. */
    @Test
    void pageOfManyThatHaveOneValueCostsAPage() throws SQLException {
        setAttributes();
        List<WorkflowRecord> found = new ArrayList<>();

        long looked = rowsLookedAt(store -> found.addAll(store.workflows(WorkflowQuery.all(Shop.NAMESPACE)
                .where(AttributeCondition.in(List.of(new Attribute.Text("region", "eu")))), null, FEW).items()));

        assertThat(found).hasSize(FEW);
        // Beside the first page, all that are as old as its last one.
        assertThat(looked).isLessThan(10L * WORKFLOWS);
    }

    private void setAttributes() {
        try (PostgresStore store = EmbeddedServer.open(schema)) {
            Shop shop = new Shop(store);
            store.release(new Fence(Shop.shard(0), 1));
            Fence fence = shop.claim(0);
            for (int n = 0; n < WORKFLOWS; n++) {
                WorkflowKey key = workflows.get(n);
                Snapshot view = store.load(key);
                WorkflowRecord row = Objects.requireNonNull(view.workflow());
                assertThat(store.commit(fence, List.of(Bundle.sealed(key, view,
                        new Occasion("handmade", Guid.ofStart(key), Shop.NOW), List.of(Bundle.Part.of(Step.WORK,
                                new Write.PutAttribute(new Attribute.Text("customer", "c-" + n / FEW), row.createdAt()),
                                new Write.PutAttribute(new Attribute.Text("region", "eu"), row.createdAt()),
                                new Write.PutAttribute(new Attribute.Whole("total", n / FEW), row.createdAt())))))))
                        .isInstanceOf(
                                Commit.Committed.class);
            }
        }
    }

    @Test
    void whatIsOverIsSweptByItsKeys() throws SQLException {
        try (PostgresStore store = EmbeddedServer.open(schema)) {
            Shop shop = new Shop(store);
            store.release(new Fence(Shop.shard(0), 1));
            Fence fence = shop.claim(0);
            workflows.forEach(key -> {
                store.commit(fence, List.of(shop.compute(Shop.answer(key, Shop.FIRST))));
                store.commit(fence, List.of(shop.compute(Shop.answer(key, Shop.SECOND))));
            });
        }
        List<Swept> swept = new ArrayList<>();

        long looked = rowsLookedAt(store -> {
            do {
                swept.add(store.sweep(Shop.NAMESPACE, Cutoffs.all(LATER), LATER, PAGE));
            } while (!swept.getLast().isNothing());
        });

        Swept all = swept.stream().reduce(Swept.NOTHING, Swept::plus);
        assertThat(all.workflows()).isEqualTo(WORKFLOWS);
        assertThat(all.acceptances()).isEqualTo(WORKFLOWS);
        // Each workflow has some thirty rows in all, and each is looked at to be deleted.
        assertThat(looked).isLessThan(3L * ROWS_FOR_EACH_MAX * WORKFLOWS);
    }

    /** Each workflow has one effect that is not known and many that are; most of the workflows are over. */
    @Test
    void unknownEffectsAreFoundByTheirKeys() throws SQLException {
        int closed = WORKFLOWS - PAGE;
        try (PostgresStore store = EmbeddedServer.open(schema)) {
            Shop shop = new Shop(store);
            store.release(new Fence(Shop.shard(0), 1));
            Fence fence = shop.claim(0);
            for (int n = 0; n < WORKFLOWS; n++) {
                WorkflowKey key = workflows.get(n);
                store.commit(fence, List.of(effects(store, key)));
                if (n < closed) {
                    store.commit(fence, List.of(shop.compute(Shop.answer(key, Shop.FIRST))));
                    store.commit(fence, List.of(shop.compute(Shop.answer(key, Shop.SECOND))));
                }
            }
        }
        List<EffectRecord> found = new ArrayList<>();

        long looked = rowsLookedAt(store -> {
            @Nullable String cursor = null;
            do {
                Page<EffectRecord> page = store.unknownEffects(Shop.NAMESPACE, cursor, PAGE);
                found.addAll(page.items());
                cursor = page.next();
            } while (cursor != null);
        });

        assertThat(found).hasSize(closed);
        assertThat(looked).isLessThan(10L * WORKFLOWS);
    }

    private static Bundle effects(PostgresStore store, WorkflowKey key) {
        Write[] writes = IntStream.rangeClosed(0, PAGE).mapToObj(n -> {
            Effect effect = Effect.declared(new Effect.Key("charge", "op" + n, "k"));
            return new Write.PutEffect(EffectRecord.of(key, n == 0 ? effect : effect.completed(Shop.text("x")),
                    Shop.NOW));
        }).toArray(Write[]::new);
        return Bundle.sealed(key, store.load(key), new Occasion("handmade", Guid.ofStart(key), Shop.NOW),
                List.of(Bundle.Part.of(Step.WORK, writes)));
    }

    /** By the server's own count. A connection's part in it is complete when the connection is gone. */
    private long rowsLookedAt(Consumer<PostgresStore> work) throws SQLException {
        long before = rowsLookedAt();
        try (PostgresStore store = EmbeddedServer.open(schema)) {
            work.accept(store);
        }
        return rowsLookedAt() - before;
    }

    private long rowsLookedAt() throws SQLException {
        while (EmbeddedServer.isTrue("select exists (select from pg_stat_activity where application_name = 'pawl')")) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
        return Long.parseLong(EmbeddedServer.ask("select (select sum(idx_tup_read) from pg_stat_user_indexes"
                + " where schemaname = '" + schema + "') + (select sum(seq_tup_read) from pg_stat_user_tables"
                + " where schemaname = '" + schema + "')"));
    }
}
