package dev.pawl.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.store.HeldSlot;
import dev.pawl.engine.store.PoolUse;
import dev.pawl.engine.store.SlotGrant;
import dev.pawl.engine.store.SlotHolder;
import dev.pawl.engine.store.SlotKey;
import dev.pawl.engine.store.SlotPool;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** How many may do something at a time. */
interface SlotContract extends ContractWorld {

    Duration LONG = Duration.ofMinutes(10);
    String POOL = "gateway";
    String PROCESS = "this one";

    private static SlotPool concurrent(int max, Duration ttl) {
        return new SlotPool(POOL, SlotPool.Kind.CONCURRENT, max, ttl);
    }

    private static SlotPool rate(int max, Duration period) {
        return new SlotPool(POOL, SlotPool.Kind.RATE, max, period);
    }

    private static List<SlotHolder> holders(String... names) {
        return Stream.of(names).map(name -> new SlotHolder(name, "key of " + name)).toList();
    }

    private static List<SlotKey> keys(String... names) {
        return Stream.of(names).map(name -> new SlotKey(POOL, name)).toList();
    }

    private SlotGrant acquire(SlotPool pool, String... names) {
        return store().acquireSlots(NAMESPACE, PROCESS, List.of(pool), holders(names));
    }

    private List<String> held() {
        return store().slots(NAMESPACE, POOL, 100).stream().map(slot -> slot.holder().name()).toList();
    }

    @Test
    default void thereAreAsManySlotsAsThePoolHas() {
        SlotPool pool = concurrent(3, LONG);

        assertThat(acquire(pool, "a", "b")).isEqualTo(new SlotGrant(2, null));
        SlotGrant third = acquire(pool, "c", "d", "e");

        assertThat(third.granted()).isEqualTo(1);
        assertThat(third.retryAfter()).isBetween(Duration.ofMinutes(9), LONG);
        assertThat(acquire(pool, "d").granted()).isZero();
        assertThat(held()).containsExactly("a", "b", "c");
        assertThat(acquire(concurrent(4, LONG), "d").granted()).as("who asks says how many").isEqualTo(1);
    }

    @RepeatedTest(5)
    default void neverMoreThanThePoolHasWhoeverAsksAtTheSameMoment() {
        SlotPool pool = concurrent(5, LONG);
        AtomicInteger number = new AtomicInteger();

        List<Integer> granted = ContractWorld.atOnce(8, () -> {
            String name = "h" + number.incrementAndGet();
            return acquire(pool, name, name + "-second").granted();
        });

        assertThat(granted.stream().mapToInt(each -> each).sum()).isEqualTo(5);
        assertThat(held()).hasSize(5);
    }

    @Test
    default void slotIsFreeAgainWhenItIsGivenBackAndGivingBackTwiceIsNothing() {
        SlotPool pool = concurrent(1, LONG);
        acquire(pool, "a");
        assertThat(acquire(pool, "b").granted()).isZero();

        store().releaseSlots(NAMESPACE, keys("a", "nobody"));
        assertThat(acquire(pool, "b").granted()).isEqualTo(1);
        store().releaseSlots(NAMESPACE, keys("a"));

        assertThat(held()).containsExactly("b");
    }

    @Test
    default void slotOfWhoIsGoneIsFreeWhenItsTimeIsUp() {
        SlotPool pool = concurrent(1, TTL);
        acquire(pool, "a");
        SlotGrant refused = acquire(pool, "b");
        assertThat(refused.granted()).isZero();
        assertThat(refused.retryAfter()).isLessThanOrEqualTo(TTL);
        pass(TTL.plusMillis(100));

        assertThat(held()).isEmpty();
        assertThat(store().pools(NAMESPACE)).extracting(PoolUse::held).containsExactly(0);
        assertThat(acquire(pool, "b").granted()).isEqualTo(1);
        assertThat(store().renewSlots(NAMESPACE, keys("a"), LONG)).as("somebody else has it").isEmpty();
    }

    @Test
    default void prolongedSlotStaysAndOneThatHasRunOutIsNotProlonged() {
        SlotPool pool = concurrent(2, TTL);
        acquire(pool, "a", "b");

        assertThat(store().renewSlots(NAMESPACE, keys("a", "nobody"), LONG)).isEqualTo(Set.copyOf(keys("a")));
        pass(TTL.plusMillis(100));

        assertThat(store().renewSlots(NAMESPACE, keys("a", "b"), LONG)).isEqualTo(Set.copyOf(keys("a")));
        assertThat(held()).containsExactly("a");
        assertThat(acquire(pool, "c", "d").granted()).isEqualTo(1);
    }

    @Test
    default void rateLetsSoManyBeginInAnySuchTimeWhateverBecomesOfThem() {
        // A busy machine may stand still for a moment, but not for half of this.
        Duration period = TTL.multipliedBy(2);
        SlotPool pool = rate(2, period);
        acquire(pool, "a");
        pass(period.dividedBy(2));
        acquire(pool, "b");

        store().releaseSlots(NAMESPACE, keys("a", "b"));
        assertThat(store().renewSlots(NAMESPACE, keys("a", "b"), LONG)).isEmpty();
        SlotGrant refused = acquire(pool, "c");
        assertThat(refused.granted()).isZero();
        assertThat(refused.retryAfter()).isLessThan(period);
        pass(period.dividedBy(2).plusMillis(50));

        assertThat(acquire(pool, "c", "d").granted()).as("only the first one is over").isEqualTo(1);
    }

    @Test
    default void slotsInSeveralPoolsAreTakenTogetherOrNotAtAll() {
        SlotPool other = new SlotPool("other", SlotPool.Kind.CONCURRENT, 2, LONG);
        store().acquireSlots(NAMESPACE, PROCESS, List.of(other), holders("x"));

        SlotGrant grant = store().acquireSlots(NAMESPACE, PROCESS, List.of(rate(5, LONG), other, concurrent(3, LONG)),
                holders("a", "b"));

        assertThat(grant.granted()).isEqualTo(1);
        assertThat(held()).containsExactly("a", "a");
        assertThat(store().slots(NAMESPACE, "other", 100)).extracting(slot -> slot.holder().name())
                .containsExactly("a", "x");
        assertThat(store().pools(NAMESPACE)).containsExactly(new PoolUse(concurrent(3, LONG), 1),
                new PoolUse(rate(5, LONG), 1), new PoolUse(other, 2));
    }

    /** The answer to the first question may have been lost. */
    @Test
    default void whoAsksAgainHasOneSlot() {
        SlotPool pool = concurrent(1, LONG);
        acquire(pool, "a");

        assertThat(acquire(pool, "a").granted()).isEqualTo(1);
        assertThat(held()).containsExactly("a");
    }

    private int acquire(String process, SlotPool pool, String... names) {
        return store().acquireSlots(NAMESPACE, process, List.of(pool), holders(names)).granted();
    }

    /** Or whoever gives back would always be the first to take. */
    @Test
    default void processThatGotNothingIsTheNextToGetSomething() {
        SlotPool pool = concurrent(2, LONG);
        acquire("busy", pool, "a", "b");
        SlotGrant refused = store().acquireSlots(NAMESPACE, "patient", List.of(pool), holders("x"));
        assertThat(refused.granted()).isZero();
        assertThat(refused.retryAfter()).as("it need not wait for a slot to run out").isLessThan(Duration.ofSeconds(1));
        assertThat(acquire("third", pool, "z")).as("comes after it").isZero();
        assertThat(acquire("busy", pool, "y")).as("has all there is").isZero();

        store().releaseSlots(NAMESPACE, keys("a", "b"));
        assertThat(acquire("busy", pool, "c", "d")).as("one is kept").isEqualTo(1);
        assertThat(acquire("patient", pool, "x")).isEqualTo(1);

        store().releaseSlots(NAMESPACE, keys("c", "x"));
        assertThat(acquire("busy", pool, "e", "f")).as("it had its turn").isEqualTo(2);
    }

    @Test
    default void nothingIsKeptForAProcessThatDoesNotAskAnyMore() {
        SlotPool pool = concurrent(1, LONG);
        acquire("busy", pool, "a");
        acquire("impatient", pool, "x");
        store().releaseSlots(NAMESPACE, keys("a"));
        assertThat(acquire("busy", pool, "b")).isZero();
        pass(Duration.ofMillis(1_100));

        assertThat(acquire("busy", pool, "b")).isEqualTo(1);
    }

    @Test
    default void poolsAndNamespacesAreApart() {
        acquire(concurrent(1, LONG), "a");

        assertThat(store().acquireSlots("elsewhere", PROCESS, List.of(concurrent(1, LONG)), holders("b")).granted())
                .isEqualTo(1);
        assertThat(store()
                .acquireSlots(NAMESPACE, PROCESS, List.of(new SlotPool("other", SlotPool.Kind.CONCURRENT, 1, LONG)),
                        holders("c"))
                .granted()).isEqualTo(1);
        assertThat(acquire(rate(1, LONG), "d").granted()).as("the same name, but another kind").isEqualTo(1);
        store().releaseSlots("elsewhere", keys("a"));
        assertThat(store().renewSlots("elsewhere", keys("a"), LONG)).isEmpty();
        assertThat(store().slots("elsewhere", POOL, 100)).extracting(slot -> slot.holder().name())
                .containsExactly("b");
        assertThat(held()).containsExactly("a", "d");
    }

    @Test
    default void slotSaysWhoHoldsItAndForWhom() {
        SlotHolder odd = new SlotHolder("order-42/charge's \"first\"/1", "Ünï\\code\0 \uD83D");
        store().acquireSlots(NAMESPACE, PROCESS, List.of(concurrent(1, LONG)), List.of(odd));

        HeldSlot slot = store().slots(NAMESPACE, POOL, 1).getFirst();

        assertThat(slot).isEqualTo(new HeldSlot(POOL, SlotPool.Kind.CONCURRENT, odd, PROCESS, slot.expiresAt()));
        assertThat(store().renewSlots(NAMESPACE, keys(odd.name()), LONG)).hasSize(1);
        store().releaseSlots(NAMESPACE, keys(odd.name()));
        assertThat(held()).isEmpty();
    }
}
