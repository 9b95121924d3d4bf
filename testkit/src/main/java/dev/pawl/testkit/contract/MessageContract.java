package dev.pawl.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.store.Commit;
import dev.pawl.engine.store.GivenUp;
import dev.pawl.engine.store.Rejection;
import dev.pawl.engine.store.ShardId;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Step;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.collation.Request;
import dev.pawl.kernel.id.Recipient;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Delivery.Place;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.workflow.Snapshot;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Queues and inboxes: nothing is lost, nothing comes twice, nothing is passed over. */
interface MessageContract extends ContractWorld {

    @Test
    default void queuedMessagesComeBackInTheirOrder() {
        Driver driver = driver(Sketch.ofWorkers("a", "b", "c"));
        WorkflowKey key = driver.key(0);
        driver.run(Driver.start(key));

        assertThat(driver.queue()).extracting(Delivery::place).containsExactly(new Place.Queue(0), new Place.Queue(1),
                new Place.Queue(2));
        assertThat(driver.queue()).extracting(delivery -> ((Message.Enter) delivery.message()).target().activity())
                .containsExactly("a", "b", "c");
        assertThat(driver.queue()).extracting(Delivery::marks).containsOnly(1);
    }

    @Test
    default void queueIsReadInPagesAcrossWorkflows() {
        Driver driver = driver(Sketch.ofWorkers("a", "b", "c"));
        driver.run(Driver.start(driver.key(0)));
        driver.run(Driver.start(driver.key(1)));
        List<Delivery> all = driver.queue();

        List<Delivery> first = store().queue(driver.shard, null, 4);
        List<Delivery> second = store().queue(driver.shard, first.getLast(), 4);

        assertThat(all).hasSize(6);
        assertThat(first).isEqualTo(all.subList(0, 4));
        assertThat(second).isEqualTo(all.subList(4, 6));
    }

    @Test
    default void queueOfAnotherShardIsNotShown() {
        Driver driver = driver();
        driver.run(Driver.start(driver.key(0)));

        assertThat(store().queue(new ShardId(NAMESPACE, GROUP, 1), null, 10)).isEmpty();
    }

    @Test
    default void acknowledgedMessageIsGone() {
        Driver driver = driver();
        driver.run(Driver.start(driver.key(0)));
        driver.run(driver.queue().getFirst());

        assertThat(driver.queue()).extracting(Delivery::place).containsExactly(new Place.Queue(1));
    }

    @Test
    default void messageBornAndConsumedInOneBatchIsGone() {
        Driver driver = driver(new Sketch().activity("a", new Request.Pass(false)).trigger("a"));
        WorkflowKey key = driver.key(0);
        Bundle start = driver.compute(Driver.start(key)).bundle();
        Message.Enter enter = start.writes().stream().filter(Write.Enqueue.class::isInstance)
                .map(write -> (Message.Enter) ((Write.Enqueue) write).message()).findFirst().orElseThrow();
        Bundle[] batch = driver.batch(Driver.start(key), enter);
        Bundle second = new Bundle(key, 1, batch[1].parts().stream()
                .map(part -> part.step() == Step.ACK
                        ? Bundle.Part.of(Step.ACK, new Write.Acknowledge(new Place.Queue(0)))
                        : part)
                .toList(), batch[1].seal());

        driver.commit(batch[0], second);

        assertThat(driver.queue()).isEmpty();
        assertThat(store().load(key).workflow()).isNotNull();
    }

    @Test
    default void chargesOfAQueuedMessageAreKept() {
        Driver driver = driver();
        WorkflowKey key = driver.key(0);
        driver.run(Driver.start(key));
        driver.commit(driver.handmade(key, new Write.Charge(new Place.Queue(0), 42)));

        assertThat(driver.queue()).extracting(Delivery::marks).containsExactly(42, 1);
    }

    @Test
    default void givenUpMessageIsOutOfDeliveryAndShown() {
        Driver driver = driver();
        WorkflowKey key = driver.key(0);
        driver.run(Driver.start(key));
        Delivery poison = driver.queue().getFirst();
        driver.commit(driver.handmade(key, new Write.GiveUp(poison.place(), "poison")));

        assertThat(driver.queue()).doesNotContain(poison).hasSize(1);
        assertThat(store().givenUp(NAMESPACE, null, 10).items())
                .singleElement().usingRecursiveComparison().ignoringFields("id")
                .isEqualTo(new GivenUp(0, driver.shard, poison, "poison"));
    }

    @Test
    default void postedMessagesWaitInTheInboxOfTheirShardInOrder() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        store().post(GROUP, Driver.answer(key, "b"));
        store().post(GROUP, Driver.answer(key, "a"));
        store().post(GROUP, Driver.answer(Driver.keyIn(new ShardId(NAMESPACE, GROUP, 1), 0), "a"));

        assertThat(driver.inbox()).extracting(Delivery::message).containsExactly(Driver.answer(key, "b"),
                Driver.answer(key, "a"));
        assertThat(store().inbox(driver.shard, 1)).hasSize(1);
        assertThat(store().inbox(new ShardId(NAMESPACE, GROUP, 1), 10)).hasSize(1);
    }

    @Test
    default void postedMessageDoesNotNeedItsWorkflowToExist() {
        Driver driver = driver();
        store().post(GROUP, Driver.answer(driver.key(0), "a"));

        Delivery early = driver.inbox().getFirst();
        driver.run(early);

        assertThat(driver.inbox()).isEmpty();
        assertThat(store().load(driver.key(0))).isEqualTo(Snapshot.ABSENT);
    }

    @Test
    default void consumedInboxMessageIsGone() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        store().post(GROUP, Driver.answer(key, "a"));
        driver.run(driver.inbox().getFirst());

        assertThat(driver.inbox()).isEmpty();
        assertThat(store().load(key).guid(Driver.answer(key, "a").guid())).isNotNull();
    }

    @Test
    default void messageConsumedBeforeAnEarlierOneDoesNotHideIt() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        store().post(GROUP, Driver.answer(key, "a"));
        store().post(GROUP, Driver.answer(key, "b"));
        driver.run(driver.inbox().getLast());

        assertThat(driver.inbox()).extracting(Delivery::message).containsExactly(Driver.answer(key, "a"));
    }

    @Test
    default void chargedAndGivenUpInboxMessages() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        store().post(GROUP, Driver.answer(key, "a"));
        Place place = driver.inbox().getFirst().place();
        driver.commit(driver.handmade(key, new Write.Charge(place, 99)));
        assertThat(driver.inbox()).extracting(Delivery::marks).containsExactly(99);

        driver.commit(driver.handmade(key, new Write.GiveUp(place, "poison")));

        assertThat(driver.inbox()).isEmpty();
        assertThat(store().givenUp(NAMESPACE, null, 10).items()).singleElement()
                .satisfies(givenUp -> assertThat(givenUp.delivery().message()).isEqualTo(Driver.answer(key, "a")));
    }

    @Test
    default void messageToAnotherWorkflowIsPostedInTheCommitOfItsDigit() {
        WorkflowKey target = Driver.keyIn(new ShardId(NAMESPACE, GROUP, 2), 0);
        Driver driver = driver(new Sketch().activity("tell",
                new Request.SignalOne(new Recipient(GROUP, target), "approval", Sketch.text("yes"))).trigger("tell"));
        driver.running(0);

        assertThat(store().inbox(new ShardId(NAMESPACE, GROUP, 2), 10)).singleElement()
                .satisfies(delivery -> assertThat(delivery.message()).isInstanceOf(Message.Signal.class));
        assertThat(driver.inbox()).isEmpty();
    }

    @Test
    default void messageToAGroupWithoutShardsIsRejected() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        Snapshot before = store().load(key);
        Write nowhere = new Write.Post("nobody", Driver.answer(key, "a"));

        assertThat(store().commit(driver.fence, List.of(driver.handmade(key, nowhere))))
                .isEqualTo(new Commit.Rejected(0, new Rejection.UnknownGroup("nobody")));
        assertThat(store().load(key)).isEqualTo(before);
    }

    @Test
    default void keptSignalsAreReadBackInOrderUntilTaken() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        Message.Signal first = SignalContract.request(key, "approval", "1").message();
        Message.Signal second = SignalContract.request(key, "approval", "2").message();
        driver.run(first);
        driver.run(second);
        assertThat(store().load(key).signals()).containsExactly(first, second);

        driver.commit(driver.handmade(key, new Write.TakeSignal(first.guid())));

        assertThat(store().load(key).signals()).containsExactly(second);
    }
}
