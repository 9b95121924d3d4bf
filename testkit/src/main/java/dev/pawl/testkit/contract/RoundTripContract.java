package dev.pawl.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.store.Commit;
import dev.pawl.engine.store.Rejection;
import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.WorkflowQuery;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.collation.Collation;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.DimensionalAddress;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.Recipient;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.ledger.GuidLedger;
import dev.pawl.kernel.lifecycle.WorkflowEvent;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Ending;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Origin;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.message.Sender;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.ActivityType;
import dev.pawl.kernel.workflow.GuidRecord;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.kernel.workflow.Waker;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What goes in comes out: every kind of message, waker and payload, also after the store was closed and opened again. */
interface RoundTripContract extends ContractWorld {

    /** Every byte there is, so that nobody keeps payloads as text. */
    private static Payload bytes() {
        byte[] all = new byte[256];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) i;
        }
        return Payload.of(all);
    }

    private static List<Message> messages(WorkflowKey key) {
        Recipient parent = new Recipient(GROUP, new WorkflowKey(NAMESPACE, "parent"));
        ActivityKey activity = new ActivityKey("a", new DimensionalAddress(",0,12,3"));
        Origin origin = new Origin(parent, activity, Guid.derive("test", "answer"), true);
        Message.Beginning child = new Message.Beginning(GROUP, "d", "2", "begin", 3, bytes(), origin);
        Sender sender = new Sender(parent, activity, Guid.derive("test", "receipt"));
        Ending ending = new Ending(WorkflowEvent.CANCEL, "because \u00e9 \ud83d\ude00", 418, true, bytes());
        return List.of(
                new Message.Start(key, child),
                new Message.Enter(key, Guid.derive("test", "enter"), activity),
                new Message.Reenter(key, Guid.derive("test", "reenter"), activity, bytes()),
                new Message.Signal(key, Guid.derive("test", "signal"), "topic", new Response.Pending(bytes())),
                new Message.Signal(key, Guid.derive("test", "told"), "topic", new Response.Final(bytes()), sender),
                new Message.Interrupt(key, Guid.derive("test", "interrupt"), ending),
                Message.Respond.answer(key, activity, 7, new Response.Failure(bytes())),
                Message.Respond.pending(key, activity, 7, 2, Payload.EMPTY),
                Message.Respond.wake(key, activity, NOW),
                origin.answer(new Response.Final(bytes())), sender.accepted(), sender.refused(Sender.CLOSED));
    }

    @Test
    default void everyMessageComesOutOfTheInboxAsItWentIn() {
        Driver driver = driver();
        messages(driver.key(0)).forEach(message -> store().post(GROUP, message));
        reopen();

        List<Message> expected = messages(driver.key(0)).stream()
                .filter(message -> message.workflow().equals(driver.key(0))).toList();
        assertThat(store().inbox(driver.shard, 100)).extracting(Delivery::message)
                .filteredOn(message -> message.workflow().equals(driver.key(0))).isEqualTo(expected);
    }

    @Test
    default void everyMessageComesOutOfTheQueueAsItWentIn() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        List<Message> messages = messages(key).stream().filter(message -> message.workflow().equals(key)).toList();
        long first = Objects.requireNonNull(store().load(key).workflow()).messages();
        Write[] enqueued = new Write[messages.size()];
        for (int i = 0; i < enqueued.length; i++) {
            enqueued[i] = new Write.Enqueue(first + i, messages.get(i));
        }
        driver.commit(driver.handmade(key, enqueued));
        reopen();

        assertThat(store().queue(driver.shard, null, 100)).extracting(Delivery::message).isEqualTo(messages);
    }

    @Test
    default void heldWorkflowIsReadBackAsItWas() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);

        driver.commit(driver.handmade(key, new Write.Hold(WorkflowStatus.PARKED, "why \u00e9")));
        reopen();

        assertThat(store().load(key).workflow()).isNotNull()
                .returns(WorkflowStatus.PARKED, WorkflowRecord::status)
                .returns("why \u00e9", WorkflowRecord::reason);

        driver.commit(driver.handmade(key, new Write.Hold(WorkflowStatus.RUNNING, null)));
        reopen();

        assertThat(store().load(key).workflow()).isNotNull()
                .returns(WorkflowStatus.RUNNING, WorkflowRecord::status)
                .returns(null, WorkflowRecord::reason);
    }

    @Test
    default void everyActivityIsReadBackAsItWas() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        Recipient child = new Recipient("other", new WorkflowKey(NAMESPACE, "child"));
        List<Waker> wakers = List.of(new Waker.None(), new Waker.Task("queue", bytes(), 42, NOW.plusMillis(1)),
                new Waker.Timer(NOW.plusMillis(2)), new Waker.Hook("topic", true), new Waker.Hook("topic", false),
                new Waker.Child(child), new Waker.FanOut("cursor \u00e9"), new Waker.Local(3, "process é"),
                new Waker.Code(7, true), new Waker.Code(7, false), new Waker.Receipt());
        for (int i = 0; i < wakers.size(); i++) {
            ActivityRecord activity = ActivityRecord
                    .entered(new ActivityKey("x" + i, new DimensionalAddress(",0,0," + i)), ActivityType.AWAIT, bytes())
                    .withChild(child).with(i % 2 == 0 ? bytes() : Payload.EMPTY).with(wakers.get(i));
            driver.commit(driver.handmade(key, new Write.PutActivity(activity)));
            reopen();
            assertThat(store().load(key).activity(activity.key())).isEqualTo(activity);
        }
    }

    @Test
    default void closedWorkflowIsReadBackWithItsResult() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        driver.now = NOW.plusMillis(7);
        driver.run(new Message.Interrupt(key, Guid.derive("test", "stop"),
                new Ending(WorkflowEvent.FAIL, "why \u00e9", 500, false, bytes())));
        reopen();

        WorkflowRecord closed = Objects.requireNonNull(store().load(key).workflow());
        assertThat(closed.status()).isEqualTo(WorkflowStatus.FAILED);
        assertThat(closed.output()).isEqualTo(bytes());
        assertThat(closed.reason()).isEqualTo("why \u00e9");
        assertThat(closed.createdAt()).isEqualTo(NOW);
        assertThat(closed.closedAt()).isEqualTo(NOW.plusMillis(7));
        assertThat(store().workflows(WorkflowQuery.all(NAMESPACE), null, 10).items())
                .containsExactly(closed);
    }

    @Test
    default void workflowWithAParentAndAThresholdIsReadBackAsItWas() {
        Driver driver = driver();
        Message.Start start = (Message.Start) messages(driver.key(0)).getFirst();
        driver.commit(Collation.inception(start, NOW));
        reopen();

        assertThat(Objects.requireNonNull(store().load(driver.key(0)).workflow()).beginning())
                .isEqualTo(start.beginning());
    }

    @Test
    default void batchOverSeveralWorkflowsClosesEachByItsOwnMessage() {
        Driver driver = driver();
        WorkflowKey one = driver.running(0);
        WorkflowKey two = driver.running(1);
        Bundle[] first = driver.batch(Driver.answer(one, "a"), Driver.answer(one, "b"));
        Bundle[] second = driver.batch(Driver.answer(two, "b"), Driver.answer(two, "a"));

        List<Commit.Applied> outcomes = driver.commit(first[0], second[0], second[1], first[1]);

        assertThat(outcomes).extracting(Commit.Applied::closedBy).containsExactly(null, null,
                Driver.answer(two, "a").guid(), Driver.answer(one, "b").guid());
        assertThat(outcomes).extracting(Commit.Applied::workflow).containsExactly(one, two, two, one);
        for (WorkflowKey key : List.of(one, two)) {
            WorkflowRecord closed = Objects.requireNonNull(store().load(key).workflow());
            assertThat(closed.status()).isEqualTo(WorkflowStatus.COMPLETED);
            assertThat(closed.output()).isEqualTo(Sketch.text("result"));
            assertThat(closed.version()).isEqualTo(5);
        }
    }

    @Test
    default void messagesPostedByOneCommitKeepTheirOrder() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        WorkflowKey target = driver.key(1);
        driver.commit(driver.handmade(key, new Write.Post(GROUP, Driver.start(target)),
                new Write.Post(GROUP, Driver.answer(target, "a")), new Write.Post(GROUP, Driver.answer(target, "b"))));

        assertThat(driver.inbox()).extracting(Delivery::message).containsExactly(Driver.start(target),
                Driver.answer(target, "a"), Driver.answer(target, "b"));
    }

    @Test
    default void numberOfAQueuedMessageIsNeverUsedAgain() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);

        assertThat(store().commit(driver.fence,
                List.of(driver.handmade(key, new Write.Enqueue(1, Driver.answer(key, "a"))))))
                .isEqualTo(new Commit.Rejected(0, new Rejection.NumberTaken(1)));
    }

    @Test
    default void semaphoreNeverFallsBelowZero() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        Guid mover = Guid.derive("test", "mover");
        Write seed = new Write.PutGuid(new GuidRecord(mover, Driver.child("a"), GuidLedger.parse("000011000000001")));

        assertThat(store().commit(driver.fence, List.of(driver.handmade(key, seed,
                new Write.MoveSemaphore(mover, -3, GuidLedger.CLOSER, false)))))
                .isInstanceOfSatisfying(Commit.Rejected.class,
                        rejected -> assertThat(rejected.why()).isInstanceOf(Rejection.Underflow.class));
    }

    @Test
    default void workflowIsCreatedInItsOwnShardOnly() {
        Driver driver = driver();
        ShardId other = new ShardId(NAMESPACE, GROUP, 1);

        assertThat(store().commit(driver.fence,
                List.of(Collation.inception(Driver.start(Driver.keyIn(other, 0)), NOW))))
                .isEqualTo(new Commit.Rejected(0, new Rejection.WrongShard(other)));
    }

    @Test
    default void inboxIsOpenedByTheFenceOfItsShardOnly() {
        Driver driver = driver();
        WorkflowKey elsewhere = Driver.keyIn(new ShardId(NAMESPACE, GROUP, 1), 0);
        store().post(GROUP, Driver.answer(elsewhere, "a"));
        Delivery foreign = store().inbox(new ShardId(NAMESPACE, GROUP, 1), 1).getFirst();

        assertThat(store().commit(driver.fence, List.of(Collation.misdirected(foreign))))
                .isInstanceOfSatisfying(Commit.Rejected.class,
                        rejected -> assertThat(rejected.why()).isInstanceOf(Rejection.MessageGone.class));
        assertThat(store().inbox(new ShardId(NAMESPACE, GROUP, 1), 1)).hasSize(1);
    }

    @Test
    default void refusedMessageIsTakenOutOnce() {
        Driver driver = driver();
        store().post(GROUP, Driver.answer(driver.key(0), "a"));
        Bundle refusal = driver.compute(driver.inbox().getFirst()).bundle();
        driver.commit(refusal);

        assertThat(store().commit(driver.fence, List.of(refusal))).isInstanceOf(Commit.Rejected.class);
    }

    @Test
    default void messageForAWorkflowOfAnotherGroupCanBeTakenOut() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        store().createShards(NAMESPACE, "other", 1);
        ShardId other = new ShardId(NAMESPACE, "other", 0);
        store().post("other", Driver.answer(key, "a"));
        long version = Objects.requireNonNull(store().load(key).workflow()).version();

        assertThat(store().commit(Driver.claim(store(), other),
                List.of(Collation.misdirected(store().inbox(other, 1).getFirst()))))
                .isInstanceOf(Commit.Committed.class);
        assertThat(store().inbox(other, 1)).isEmpty();
        assertThat(Objects.requireNonNull(store().load(key).workflow()).version()).isEqualTo(version);
    }

    @Test
    default void ordinalOfAMessageNeverChanges() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        Message answer = Driver.answer(key, "a");
        driver.run(answer);
        GuidRecord renumbered = new GuidRecord(answer.guid(), Driver.child("a"), GuidLedger.parse("000011000000002"));

        Snapshot before = store().load(key);

        CommitContract.requireNeverRead(store(), key,
                store().commit(driver.fence, List.of(driver.handmade(key, new Write.PutGuid(renumbered)))), before);
    }
}
