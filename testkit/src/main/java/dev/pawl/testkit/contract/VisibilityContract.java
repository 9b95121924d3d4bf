package dev.pawl.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.store.Page;
import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.WorkflowQuery;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.collation.Request;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.Recipient;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.message.Ending;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Lists for the outside. */
interface VisibilityContract extends ContractWorld {

    WorkflowQuery ALL = WorkflowQuery.all(NAMESPACE);

    private List<String> ids(WorkflowQuery query) {
        return ids(store().workflows(query, null, 100).items());
    }

    private static List<String> ids(List<WorkflowRecord> workflows) {
        return workflows.stream().map(workflow -> workflow.key().workflowId()).toList();
    }

    private static <T> List<T> pages(Function<@Nullable String, Page<T>> reader) {
        List<T> all = new ArrayList<>();
        String cursor = null;
        for (int page = 0; page < 100; page++) {
            Page<T> next = reader.apply(cursor);
            all.addAll(next.items());
            cursor = next.next();
            if (cursor == null) {
                return all;
            }
        }
        throw new AssertionError("a list of " + all.size() + " rows has no end");
    }

    /** With rows of every kind, those of several workflows mixed. */
    @Test
    default void manyWorkflowsAreLoadedAsEachOfThemIs() {
        Driver driver = driver(new Sketch().activity("wait", new Request.WebHook("approval")).activity("a",
                new Request.Task("queue", Sketch.text("x"), NOW)).trigger("wait", "a"));
        List<WorkflowKey> keys = new ArrayList<>();
        for (int n = 0; n < 3; n++) {
            WorkflowKey key = driver.running(n);
            keys.add(key);
            for (String id : List.of("1", "2")) {
                driver.run(new Message.Signal(key, Guid.ofRequest(key, "approval", id), "approval",
                        new Response.Pending(Sketch.text(id))));
                driver.run(new Message.Signal(key, Guid.ofRequest(key, "other", id), "other",
                        new Response.Final(Sketch.text(id + n))));
            }
            driver.commit(driver.handmade(key,
                    new Write.MoveJoin(Driver.child("meet"), 2, Guid.ofRequest(key, "approval", "1"), false)));
        }
        keys.add(driver.key(7));

        Map<WorkflowKey, Snapshot> loaded = store().loadAhead(keys);

        assertThat(keys).containsAll(loaded.keySet());
        assertThat(loaded).allSatisfy((key, snapshot) -> assertThat(snapshot).isEqualTo(store().load(key)));
        assertThat(store().loadAhead(List.of())).isEmpty();
    }

    @Test
    default void workflowsAreListedNewestFirstThenById() {
        Driver driver = driver();
        driver.running(0);
        driver.running(1);
        driver.now = NOW.plusSeconds(1);
        driver.running(2);

        assertThat(ids(ALL)).containsExactly(driver.key(2).workflowId(), driver.key(0).workflowId(),
                driver.key(1).workflowId());
        assertThat(store().workflows(ALL, null, 100).next()).isNull();
    }

    @Test
    default void pagesShowEveryWorkflowOnceEvenOfTheSameInstant() {
        Driver driver = driver();
        for (int i = 0; i < 7; i++) {
            driver.now = NOW.plusSeconds(i / 4);
            driver.run(Driver.start(driver.key(i)));
        }

        List<String> paged = ids(pages(cursor -> store().workflows(ALL, cursor, 2)));

        assertThat(paged).isEqualTo(ids(ALL)).hasSize(7);
    }

    @Test
    default void pagesGoOnWhereTheyWereWhenTheLastRowHasLeftTheList() {
        Driver driver = driver();
        for (int i = 0; i < 4; i++) {
            driver.run(Driver.start(driver.key(i)));
        }
        Page<WorkflowRecord> first = store().workflows(ALL.inStatus(WorkflowStatus.RUNNING), null, 2);
        WorkflowKey last = first.items().getLast().key();
        driver.run(new Message.Interrupt(last, Guid.derive("test", "stop"), Ending.interrupted("stop", false)));

        Page<WorkflowRecord> second = store().workflows(ALL.inStatus(WorkflowStatus.RUNNING), first.next(), 2);

        assertThat(ids(second.items())).hasSize(2).doesNotContainAnyElementsOf(ids(first.items()));
    }

    /**
     * Before each page one commit is through and another one is under way: workflows that begin between the others, and workflows that
     * end and so leave one of the lists.
     */
    @Test
    default void pagesShowOnceWhatWasThereThroughoutWhileOthersWrite() throws Exception {
        int staying = 12;
        int ending = 40;
        Driver driver = driver();
        List<String> there = new ArrayList<>();
        for (int i = 0; i < staying + ending; i++) {
            driver.now = NOW.plusSeconds(i % 4);
            driver.run(Driver.start(driver.key(i)));
            if (i < staying) {
                there.add(driver.key(i).workflowId());
            }
        }
        Semaphore wanted = new Semaphore(0);
        Semaphore written = new Semaphore(0);
        try (ExecutorService writer = Executors.newSingleThreadExecutor()) {
            Future<?> writing = writer.submit(() -> {
                for (int i = 0; i < ending; i++) {
                    wanted.acquireUninterruptibly();
                    driver.now = NOW.plusSeconds(i % 4);
                    driver.run(Driver.start(driver.key(staying + ending + i)));
                    driver.run(new Message.Interrupt(driver.key(staying + i), Guid.derive("test", "stop", "" + i),
                            Ending.interrupted("stop", false)));
                    written.release();
                }
            });
            try {
                for (WorkflowQuery query : List.of(ALL, ALL.inStatus(WorkflowStatus.RUNNING))) {
                    List<String> shown = ids(pages(cursor -> {
                        wanted.release(2);
                        written.acquireUninterruptibly();
                        return store().workflows(query, cursor, 8);
                    }));
                    assertThat(shown).containsAll(there).doesNotHaveDuplicates();
                }
                assertThat(writing.isDone()).as("it wrote until the last page was read").isFalse();
            } finally {
                wanted.release(ending);
            }
            writing.get();
        }
    }

    @Test
    default void workflowsAreFiltered() {
        Driver driver = driver();
        WorkflowKey first = driver.running(0);
        driver.now = NOW.plusSeconds(1);
        driver.run(Driver.start(driver.key(1), "refund"));
        driver.run(new Message.Interrupt(first, Guid.derive("test", "stop"), Ending.interrupted("stop", false)));
        String second = driver.key(1).workflowId();

        assertThat(ids(ALL.ofDefinition("refund"))).containsExactly(second);
        assertThat(ids(ALL.ofDefinition("nothing"))).isEmpty();
        assertThat(ids(ALL.inStatus(WorkflowStatus.INTERRUPTED))).containsExactly(first.workflowId());
        assertThat(ids(ALL.inStatus(WorkflowStatus.RUNNING))).containsExactly(second);
        assertThat(ids(ALL.withIdPrefix(second))).containsExactly(second);
        assertThat(ids(ALL.withIdPrefix("W"))).isEmpty();
        assertThat(ids(ALL.createdBetween(NOW.plusSeconds(1), null))).containsExactly(second);
        assertThat(ids(ALL.createdBetween(null, NOW.plusSeconds(1)))).containsExactly(first.workflowId());
        assertThat(ids(WorkflowQuery.all("elsewhere"))).isEmpty();
    }

    @Test
    default void prefixIsTakenLiterally() {
        Driver driver = driver();
        driver.running(0);

        assertThat(ids(ALL.withIdPrefix("%"))).isEmpty();
        assertThat(ids(ALL.withIdPrefix("_"))).isEmpty();
    }

    @Test
    default void workflowsWithAWaitingHookAreListedOnceEachInPages() {
        Driver driver = driver(new Sketch().activity("wait", new Request.WebHook("approval"))
                .activity("wait2", new Request.WebHook("approval")).trigger("wait", "wait2"));
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            expected.add(driver.running(i).workflowId());
        }
        driver.run(new Message.Interrupt(driver.key(4), Guid.derive("test", "stop"),
                Ending.interrupted("stop", false)));
        expected.remove(driver.key(4).workflowId());
        expected.sort(null);

        List<Recipient> hooked = pages(cursor -> store().hooked(NAMESPACE, "approval", cursor, 2));

        assertThat(hooked).extracting(recipient -> recipient.workflow().workflowId()).isEqualTo(expected);
        assertThat(hooked).extracting(Recipient::group).containsOnly(GROUP);
        assertThat(store().hooked(NAMESPACE, "other", null, 10).items()).isEmpty();
        assertThat(store().hooked("elsewhere", "approval", null, 10).items()).isEmpty();
    }

    @Test
    default void givenUpMessagesAreListedInPages() {
        Driver driver = driver(Sketch.ofWorkers("a", "b", "c"));
        WorkflowKey key = driver.key(0);
        driver.run(Driver.start(key));
        driver.queue().forEach(delivery -> driver.commit(
                driver.handmade(key, new Write.GiveUp(delivery.place(), "poison"))));

        assertThat(pages(cursor -> store().givenUp(NAMESPACE, cursor, 2))).hasSize(3)
                .allMatch(givenUp -> givenUp.shard().equals(new ShardId(NAMESPACE, GROUP, 0)));
        assertThat(store().givenUp("elsewhere", null, 10).items()).isEmpty();
    }
}
