package dev.pawl.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.store.Commit;
import dev.pawl.engine.store.Fence;
import dev.pawl.engine.store.GivenUp;
import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.SignalRequest;
import dev.pawl.engine.store.StoreException;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Overlay;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.collation.Collation;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.DimensionalAddress;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.ledger.GuidLedger;
import dev.pawl.kernel.ledger.LedgerViolation;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Delivery.Place;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.ActivityType;
import dev.pawl.kernel.workflow.GuidRecord;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.kernel.workflow.Waker;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What one statement must get right where many would have written a row twice, or seen each other's rows. */
class PostgresCommitTest {

    private final String schema = EmbeddedServer.freshSchema();
    private PostgresStore store;
    private Shop shop;
    private Fence fence;
    private WorkflowKey key;

    @BeforeEach
    void open() {
        store = EmbeddedServer.open(schema);
        shop = new Shop(store);
        fence = shop.claim(0);
        key = shop.running(fence, 0);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private void commit(Bundle... bundles) {
        assertThat(store.commit(fence, List.of(bundles))).isInstanceOf(Commit.Committed.class);
    }

    private Delivery posted() {
        store.post(Shop.GROUP, Shop.answer(key, Shop.FIRST));
        return store.inbox(fence.shard(), 10).getFirst();
    }

    @Test
    void wholeLifeOfAWorkflowInOneBatch() {
        WorkflowKey fresh = Shop.key(0, 1);
        Overlay overlay = new Overlay(Snapshot.ABSENT);
        List<Bundle> bundles = new ArrayList<>();
        for (Message message : List.of(Shop.start(fresh), enter(fresh, Shop.FIRST), enter(fresh, Shop.SECOND),
                Shop.answer(fresh, Shop.FIRST), Shop.answer(fresh, Shop.SECOND))) {
            Delivery delivery = message instanceof Message.Enter enter
                    ? Delivery.queued(enter.target().equals(Shop.FIRST) ? 0 : 1, message)
                    : Delivery.ofRow(message);
            bundles.add(Collation.transition(overlay, delivery, shop, Shop.NOW).bundle());
            overlay.apply(bundles.getLast());
        }
        commit(bundles.toArray(Bundle[]::new));

        Snapshot stored = store.load(fresh);
        assertThat(stored.workflow()).isEqualTo(overlay.workflow());
        assertThat(List.copyOf(stored.activities())).isEqualTo(List.copyOf(overlay.activities()));
        assertThat(stored.guid(Shop.answer(fresh, Shop.SECOND).guid()))
                .isEqualTo(overlay.guid(Shop.answer(fresh, Shop.SECOND).guid()));
        assertThat(store.queue(fence.shard(), null, 10)).isEmpty();
        assertThat(store.events(fresh, 0, 10)).hasSize(5);
        assertThat(store.due(fence.shard(), Shop.NOW.plusSeconds(1_000), 10))
                .allMatch(waiting -> waiting.workflow().equals(key));
    }

    private static Message.Enter enter(WorkflowKey key, ActivityKey target) {
        return new Message.Enter(key, Guid.ofStart(key).toChild(target), target);
    }

    @Test
    void chargedAndTakenInOneBatchIsTaken() {
        Place place = posted().place();
        commit(shop.handmade(key, new Write.Charge(place, 7), new Write.Acknowledge(place)));

        assertThat(store.inbox(fence.shard(), 10)).isEmpty();
    }

    @Test
    void chargedAndGivenUpInOneBatchIsShownWithItsCharge() {
        Place place = posted().place();
        commit(shop.handmade(key, new Write.Charge(place, 99), new Write.GiveUp(place, "poison")));

        assertThat(store.inbox(fence.shard(), 10)).isEmpty();
        assertThat(store.givenUp(Shop.NAMESPACE, null, 10).items()).singleElement()
                .extracting(GivenUp::delivery).extracting(Delivery::marks).isEqualTo(99);
    }

    @Test
    void queuedAndChargedInOneBatchHasItsCharge() {
        long number = Objects.requireNonNull(store.load(key).workflow()).messages();
        commit(shop.handmade(key, new Write.Enqueue(number, Shop.answer(key, Shop.FIRST)),
                new Write.Charge(new Place.Queue(number), 3)));

        assertThat(store.queue(fence.shard(), null, 10)).singleElement().extracting(Delivery::marks).isEqualTo(3);
    }

    @Test
    void queuedChargedAndGivenUpMessageIsShownWithItsCharge() {
        long number = Objects.requireNonNull(store.load(key).workflow()).messages();
        commit(shop.handmade(key, new Write.Enqueue(number, Shop.answer(key, Shop.FIRST))));
        commit(shop.handmade(key, new Write.Charge(new Place.Queue(number), 99),
                new Write.GiveUp(new Place.Queue(number), "poison")));

        assertThat(store.queue(fence.shard(), null, 10)).isEmpty();
        assertThat(store.givenUp(Shop.NAMESPACE, null, 10).items()).singleElement()
                .extracting(GivenUp::delivery).extracting(Delivery::marks).isEqualTo(99);
    }

    @Test
    void closerWhoseLedgerTheBatchDoesNotWriteGetsItsDigit() {
        Message.Respond first = Shop.answer(key, Shop.FIRST);
        commit(shop.compute(first));
        long open = Objects.requireNonNull(store.load(key).workflow()).gate().semaphore().open();
        commit(shop.handmade(key, new Write.MoveSemaphore(first.guid(), -open, GuidLedger.CLOSER, true)));

        assertThat(Objects.requireNonNull(store.load(key).guid(first.guid())).ledger().closer()).isTrue();
    }

    @Test
    void closerWithoutALedgerIsNeverRead() {
        Guid nobody = Guid.derive("test", "nobody");
        long open = Objects.requireNonNull(store.load(key).workflow()).gate().semaphore().open();

        store.commit(fence, List.of(
                shop.handmade(key, new Write.MoveSemaphore(nobody, -open, GuidLedger.CLOSER, true))));

        assertThatThrownBy(() -> store.load(key)).isInstanceOf(LedgerViolation.class)
                .hasMessageContaining("has no ledger");
    }

    @Test
    void whatWaitsInAWorkflowThatClosesIsNeverDue() {
        Message.Respond first = Shop.answer(key, Shop.FIRST);
        long open = Objects.requireNonNull(store.load(key).workflow()).gate().semaphore().open();
        GuidRecord ledger = new GuidRecord(first.guid(), Shop.FIRST, GuidLedger.parse("000011000000001"));
        commit(shop.handmade(key, new Write.PutGuid(ledger),
                new Write.MoveSemaphore(first.guid(), -open, GuidLedger.CLOSER, true)));

        assertThat(store.nextDue(fence.shard())).isNull();
        assertThat(Objects.requireNonNull(store.load(key).guid(first.guid())).ledger())
                .hasToString("000111000000001");
    }

    /** Of many different characters: a text that repeats itself would be made short. */
    private static String longText() {
        return IntStream.range(0, 500).mapToObj(i -> Guid.derive("test", String.valueOf(i)).toString())
                .collect(Collectors.joining());
    }

    @Test
    void topicOfAnyLengthIsFound() {
        ActivityRecord hook = ActivityRecord
                .entered(new ActivityKey("hook", new DimensionalAddress(",0,0")), ActivityType.HOOK, Shop.text("x"))
                .with(new Waker.Hook(longText(), false));
        commit(shop.handmade(key, new Write.PutActivity(hook)));

        assertThat(store.hooked(Shop.NAMESPACE, longText(), null, 10).items()).hasSize(1);
        assertThat(store.hooked(Shop.NAMESPACE, longText() + "!", null, 10).items()).isEmpty();
    }

    @Test
    void signalIdThatNoIndexTakesIsTheSendersFault() {
        SignalRequest request = new SignalRequest(key, "topic", longText(), true,
                new Response.Final(Shop.text("x")), Shop.NOW, Shop.NOW.plusSeconds(1));

        assertThatThrownBy(() -> store.signal(request)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("too long");
        assertThat(store.inbox(fence.shard(), 10)).isEmpty();
    }

    @Test
    void thousandWorkflowsGoInOneBatch() {
        List<Bundle> starts = new ArrayList<>();
        for (int i = 0; i < 4_000; i++) {
            WorkflowKey each = new WorkflowKey(Shop.NAMESPACE, "many-" + i);
            if (ShardId.of(each, Shop.GROUP, Shop.SHARDS).equals(fence.shard())) {
                starts.add(shop.compute(Shop.start(each)));
            }
        }
        commit(starts.toArray(Bundle[]::new));

        assertThat(store.queue(fence.shard(), null, 10_000)).hasSize(2 * starts.size());
    }

    @Test
    void fullDiskIsSaidAndWhenThereIsRoomEverythingGoesOn() throws SQLException {
        EmbeddedServer.run("create function " + schema + ".no_room() returns trigger language plpgsql as 'begin"
                + " raise exception ''could not extend file'' using errcode = ''disk_full''; end'");
        EmbeddedServer.run("create trigger no_room before insert on " + schema + ".event execute function " + schema
                + ".no_room()");
        Bundle bundle = shop.compute(Shop.answer(key, Shop.FIRST));
        Snapshot before = store.load(key);

        assertThatThrownBy(() -> store.commit(fence, List.of(bundle)))
                .isInstanceOfSatisfying(StoreException.Full.class, e -> assertThat(e.code()).isEqualTo("StoreFull"))
                .hasMessageContaining("schema " + schema).hasMessageContaining("make some");
        assertThat(store.load(key)).isEqualTo(before);

        EmbeddedServer.run("drop trigger no_room on " + schema + ".event");
        commit(bundle);
    }
}
