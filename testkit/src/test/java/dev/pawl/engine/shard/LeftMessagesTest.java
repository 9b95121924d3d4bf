package dev.pawl.engine.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.StoreException;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Message;
import dev.pawl.testkit.sim.SimClock;
import dev.pawl.testkit.sim.SimStore;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A new owner reads what the last one left in the queues page by page, and has not much more than a page of it in hand. */
class LeftMessagesTest {

    private static final ShardId SHARD = new ShardId("test", "shop", 0);
    private static final WorkflowKey KEY = new WorkflowKey("test", "w");
    private static final int HUNGRY_BELOW = 10;

    private final SimClock clock = new SimClock();
    private final Store simulated = new SimStore(clock);
    private final List<Delivery> queue = new ArrayList<>();
    private final List<Integer> limits = new ArrayList<>();
    private boolean away;
    /** Lists what lies in the queue; everything else is the simulated store, in which nothing does. */
    private final Store store =
            (Store) Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[] {Store.class},
                    (proxy, method, args) -> method.getName().equals("queue")
                            ? page((Delivery) args[1], (int) args[2])
                            : method.invoke(simulated, args));
    private final Backlog backlog =
            new Backlog(store, SHARD, new Inflow(store, SHARD, Duration.ofSeconds(1)), HUNGRY_BELOW);

    private static Delivery message(long number) {
        return Delivery.queued(number, new Message.Enter(KEY, Guid.derive("test", "m" + number),
                ActivityKey.trigger("begin")));
    }

    private static long number(Delivery delivery) {
        return ((Delivery.Place.Queue) delivery.place()).number();
    }

    private List<Delivery> page(Delivery after, int limit) {
        if (away) {
            throw new StoreException.Unavailable("away", null);
        }
        limits.add(limit);
        return queue.stream().filter(each -> after == null || number(each) > number(after)).limit(limit).toList();
    }

    @BeforeEach
    void fill() {
        simulated.createShards("test", "shop", 1);
        for (int i = 0; i < 4 * LeftMessages.PAGE; i++) {
            queue.add(message(i));
        }
    }

    /** As when its commit is durable: it is not in the store any more, and not in hand. */
    private void done(Delivery delivery) {
        queue.remove(delivery);
        backlog.letGo(delivery);
    }

    @Test
    void noReadIsLargerThanAPageAndNoMoreIsInHand() {
        int all = queue.size();
        int most = 0;
        List<Delivery> run = new ArrayList<>();
        backlog.recover(true, clock.instant());
        while (backlog.anyReady()) {
            most = Math.max(most, backlog.size());
            Delivery next = backlog.takeReady();
            run.add(next);
            done(next);
            backlog.takeIn(clock.instant());
        }
        assertThat(run).hasSize(all).doesNotHaveDuplicates();
        assertThat(limits).containsOnly(LeftMessages.PAGE).hasSize(5);
        assertThat(most).isLessThanOrEqualTo(LeftMessages.PAGE + HUNGRY_BELOW + 1);
        assertThat(backlog.size()).isZero();
    }

    @Test
    void whatIsQueuedMeanwhileIsNotHandedOnTwice() {
        backlog.recover(true, clock.instant());
        Delivery born = message(queue.size());
        queue.add(born);
        backlog.add(born);
        int count = 0;
        while (backlog.anyReady()) {
            done(backlog.takeReady());
            count++;
            backlog.takeIn(clock.instant());
        }
        assertThat(count).isEqualTo(4 * LeftMessages.PAGE + 1);
    }

    @Test
    void suspectsAreReadWhenThoseBeforeThemHaveHadTheirTurn() {
        Instant now = clock.instant();
        backlog.recover(false, now);
        backlog.takeIn(now);
        assertThat(limits).hasSize(1);
        assertThat(backlog.wakeAt()).isEqualTo(Instant.EPOCH);
        for (int i = 0; i < LeftMessages.PAGE; i++) {
            done(backlog.suspects().take(now).what());
        }
        assertThat(backlog.suspects().size()).isZero();
        assertThat(backlog.suspectsDue(now)).as("given back now, the shard would look clean").isTrue();

        backlog.takeIn(now);

        assertThat(backlog.suspects().size()).isEqualTo(LeftMessages.PAGE);
    }

    /** One that waits for its definition keeps no other from being read. */
    @Test
    void suspectThatWaitsForLongDoesNotHideTheNextPage() {
        Instant now = clock.instant();
        backlog.recover(false, now);
        for (int i = 0; i < LeftMessages.PAGE; i++) {
            backlog.suspects().failed(backlog.suspects().take(now).what(), Integer.MAX_VALUE, now);
        }
        backlog.takeIn(now);

        assertThat(backlog.suspects().take(now)).isNotNull();
        assertThat(backlog.suspects().size()).isEqualTo(2 * LeftMessages.PAGE - 1);
    }

    @Test
    void pageThatCouldNotBeReadIsReadAgain() {
        backlog.recover(true, clock.instant());
        while (backlog.anyReady()) {
            done(backlog.takeReady());
        }
        away = true;
        assertThatThrownBy(() -> backlog.takeIn(clock.instant())).isInstanceOf(StoreException.Unavailable.class);
        away = false;
        backlog.takeIn(clock.instant());

        assertThat(number(backlog.takeReady())).isEqualTo(LeftMessages.PAGE);
    }

    @Test
    void recoveryBeginsWithTheFirstPageAgain() {
        backlog.recover(true, clock.instant());
        backlog.recover(true, clock.instant());

        assertThat(backlog.size()).isEqualTo(LeftMessages.PAGE + 1);
        assertThat(number(backlog.takeReady())).isZero();
    }
}
