package dev.pawl.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Delivery;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who is there and wants a share, and who wants to hear of messages. */
interface PresenceContract extends ContractWorld {

    Duration OUTLASTS_THE_TEST = Duration.ofMinutes(10);
    Duration UNTIL_GONE = TTL.plusMillis(100);

    private List<String> announce(String owner, Duration ttl) {
        return store().announce(NAMESPACE, GROUP, owner, ttl);
    }

    @Test
    default void everybodyWhoIsThereIsListedByName() {
        assertThat(announce("engine-b", OUTLASTS_THE_TEST)).containsExactly("engine-b");
        assertThat(announce("engine-c", OUTLASTS_THE_TEST)).containsExactly("engine-b", "engine-c");
        assertThat(announce("engine-a", OUTLASTS_THE_TEST)).containsExactly("engine-a", "engine-b", "engine-c");
    }

    @Test
    default void whoSaysItAgainIsListedOnce() {
        announce("engine-a", OUTLASTS_THE_TEST);

        assertThat(announce("engine-a", OUTLASTS_THE_TEST)).containsExactly("engine-a");
    }

    @Test
    default void whoSaysNothingAnyMoreIsGoneWhenTheTimeIsUp() {
        announce("engine-a", TTL);
        assertThat(announce("engine-b", OUTLASTS_THE_TEST)).containsExactly("engine-a", "engine-b");
        pass(UNTIL_GONE);

        assertThat(announce("engine-b", OUTLASTS_THE_TEST)).containsExactly("engine-b");
        assertThat(announce("engine-a", TTL)).as("back again").containsExactly("engine-a", "engine-b");
    }

    @Test
    default void whoSaysItAgainHasMoreTime() {
        announce("engine-a", TTL);
        announce("engine-a", OUTLASTS_THE_TEST);
        pass(UNTIL_GONE);

        assertThat(announce("engine-b", OUTLASTS_THE_TEST)).containsExactly("engine-a", "engine-b");
    }

    @Test
    default void whoDepartsIsGoneAtOnce() {
        announce("engine-a", OUTLASTS_THE_TEST);
        announce("engine-b", OUTLASTS_THE_TEST);
        store().depart(NAMESPACE, GROUP, "engine-a");
        store().depart(NAMESPACE, GROUP, "nobody");

        assertThat(announce("engine-b", OUTLASTS_THE_TEST)).containsExactly("engine-b");
    }

    @Test
    default void groupsAndNamespacesDoNotSeeEachOther() {
        announce("engine-a", OUTLASTS_THE_TEST);

        assertThat(store().announce(NAMESPACE, "other", "engine-b", OUTLASTS_THE_TEST)).containsExactly("engine-b");
        assertThat(store().announce("elsewhere", GROUP, "engine-c", OUTLASTS_THE_TEST)).containsExactly("engine-c");
        store().depart(NAMESPACE, "other", "engine-a");
        store().depart("elsewhere", GROUP, "engine-a");
        assertThat(announce("engine-d", OUTLASTS_THE_TEST)).containsExactly("engine-a", "engine-d");
    }

    /** That anybody is told is not promised; that a message is there for whoever looks is. */
    @Test
    default void messageIsThereWhoeverListens() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        store().listen(shard -> {});
        store().post(GROUP, Driver.answer(key, "a"));

        assertThat(driver.inbox()).extracting(Delivery::message).containsExactly(Driver.answer(key, "a"));
    }
}
