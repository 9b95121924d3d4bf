package dev.pawl.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.Waiting;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.collation.Request;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.DimensionalAddress;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Ending;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.ActivityType;
import dev.pawl.kernel.workflow.Waker;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Timers and open tasks: what a new owner must find again. */
interface WakerContract extends ContractWorld {

    Instant SOON = NOW.plusSeconds(10);
    Instant LATER = NOW.plusSeconds(20);

    private Driver sleepers() {
        return driver(new Sketch().activity("late", new Request.Sleep(LATER))
                .activity("soon", new Request.Sleep(SOON)).trigger("late", "soon"));
    }

    @Test
    default void timersAreDueWhenTheirTimeHasComeAndNeverEarlier() {
        Driver driver = sleepers();
        WorkflowKey key = driver.running(0);

        assertThat(store().due(driver.shard, SOON.minusMillis(1), 10)).isEmpty();
        assertThat(store().due(driver.shard, SOON, 10))
                .containsExactly(new Waiting(key, Driver.child("soon"), new Waker.Timer(SOON)));
    }

    @Test
    default void dueTimersComeEarliestFirst() {
        Driver driver = sleepers();
        driver.running(0);
        driver.running(1);

        List<Waiting> due = store().due(driver.shard, LATER, 10);

        assertThat(due).extracting(waiting -> waiting.activity().activity()).containsExactly("soon", "soon", "late",
                "late");
        assertThat(store().due(driver.shard, LATER, 3)).hasSize(3);
    }

    @Test
    default void nextDueIsTheEarliest() {
        Driver driver = sleepers();
        assertThat(store().nextDue(driver.shard)).isNull();
        WorkflowKey key = driver.running(0);
        assertThat(store().nextDue(driver.shard)).isEqualTo(SOON);

        driver.now = SOON;
        driver.run(Message.Respond.wake(key, Driver.child("soon"), SOON));

        assertThat(store().nextDue(driver.shard)).isEqualTo(LATER);
        assertThat(store().due(driver.shard, SOON, 10)).isEmpty();
    }

    @Test
    default void closedWorkflowWakesNobody() {
        Driver driver = sleepers();
        WorkflowKey key = driver.running(0);
        driver.run(new Message.Interrupt(key, Guid.derive("test", "stop"), Ending.interrupted("stop", false)));

        assertThat(store().due(driver.shard, LATER, 10)).isEmpty();
        assertThat(store().nextDue(driver.shard)).isNull();
    }

    @Test
    default void otherShardsHaveTimersOfTheirOwn() {
        Driver driver = sleepers();
        driver.running(0);

        assertThat(store().due(new ShardId(NAMESPACE, GROUP, 1), LATER, 10)).isEmpty();
    }

    @Test
    default void taskIsDueAtItsDeadline() {
        Driver driver = driver(Sketch.ofWorkers("a"));
        driver.running(0);
        Instant deadline = NOW.plusSeconds(300);

        assertThat(store().nextDue(driver.shard)).isEqualTo(deadline);
        assertThat(store().due(driver.shard, deadline.minusMillis(1), 10)).isEmpty();
        assertThat(store().due(driver.shard, deadline, 10)).hasSize(1);
    }

    @Test
    default void pagesOfTasksGoByAddressWhateverTheNames() {
        Driver driver = driver(Sketch.ofWorkers("zeta").activity("alpha",
                new Request.Task("queue", Sketch.text("x"), NOW.plusSeconds(300))).activity("pass",
                        new Request.Pass(false), "alpha")
                .trigger("zeta", "pass"));
        driver.running(0);

        List<Waiting> first = store().tasks(driver.shard, null, 1);
        assertThat(first).extracting(waiting -> waiting.activity().activity()).containsExactly("zeta");
        assertThat(store().tasks(driver.shard, first.getLast(), 1))
                .extracting(waiting -> waiting.activity().activity()).containsExactly("alpha");
    }

    @Test
    default void openTasksAreListedInPagesUntilAnswered() {
        Driver driver = driver(Sketch.ofWorkers("a", "b", "c"));
        WorkflowKey key = driver.running(0);
        driver.running(1);
        List<Waiting> all = store().tasks(driver.shard, null, 10);
        assertThat(all).hasSize(6).allMatch(waiting -> waiting.waker() instanceof Waker.Task);

        List<Waiting> first = store().tasks(driver.shard, null, 4);
        assertThat(first).isEqualTo(all.subList(0, 4));
        assertThat(store().tasks(driver.shard, first.getLast(), 4)).isEqualTo(all.subList(4, 6));

        driver.run(Driver.answer(key, "b"));
        assertThat(store().tasks(driver.shard, null, 10)).hasSize(5)
                .doesNotContain(new Waiting(key, Driver.child("b"), all.getFirst().waker()));
    }

    @Test
    default void flowsThatHaveToRunAreListedInPagesUntilTheyWait() {
        Driver driver = driver();
        List<WorkflowKey> keys = List.of(driver.running(0), driver.running(1), driver.running(2));
        ActivityKey flow = new ActivityKey("flow", DimensionalAddress.ROOT.child());
        keys.forEach(key -> driver.commit(driver.handmade(key, flow(flow, new Waker.Code(1, true)))));

        List<Waiting> all = store().awake(driver.shard, null, 10);
        assertThat(all).extracting(Waiting::workflow).containsExactlyInAnyOrderElementsOf(keys);
        assertThat(all).allMatch(waiting -> waiting.waker().equals(new Waker.Code(1, true)));
        List<Waiting> first = store().awake(driver.shard, null, 2);
        assertThat(first).isEqualTo(all.subList(0, 2));
        assertThat(store().awake(driver.shard, first.getLast(), 2)).isEqualTo(all.subList(2, 3));

        driver.commit(driver.handmade(keys.get(1), flow(flow, new Waker.Code(1, false))));

        assertThat(store().awake(driver.shard, null, 10)).hasSize(2)
                .noneMatch(waiting -> waiting.workflow().equals(keys.get(1)));
        assertThat(store().tasks(driver.shard, null, 10)).noneMatch(waiting -> waiting.activity().equals(flow));
    }

    private static Write flow(ActivityKey key, Waker waker) {
        return new Write.PutActivity(ActivityRecord.entered(key, ActivityType.WORKER, Payload.EMPTY).with(waker));
    }
}
