package dev.pawl.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.store.Presence;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Delivery;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The leases of engines, and listeners for messages. */
interface PresenceContract extends ContractWorld {

    Duration OUTLASTS_THE_TEST = Duration.ofMinutes(10);
    Duration UNTIL_GONE = TTL.plusMillis(100);

    private List<String> renew(String owner, Duration ttl) {
        return store().renewAll(NAMESPACE, GROUP, owner, ttl, true).stream().map(Presence::owner).toList();
    }

    private Presence presence(String owner) {
        return store().presences(NAMESPACE, GROUP).stream().filter(each -> each.owner().equals(owner)).findFirst()
                .orElseThrow();
    }

    @Test
    default void enginesThatAreThereAreListedByName() {
        assertThat(renew("engine-b", OUTLASTS_THE_TEST)).containsExactly("engine-b");
        assertThat(renew("engine-c", OUTLASTS_THE_TEST)).containsExactly("engine-b", "engine-c");
        assertThat(renew("engine-a", OUTLASTS_THE_TEST)).containsExactly("engine-a", "engine-b", "engine-c");
        assertThat(store().presences(NAMESPACE, GROUP)).extracting(Presence::owner)
                .containsExactly("engine-a", "engine-b", "engine-c");
    }

    @Test
    default void engineThatSaysItAgainIsListedOnce() {
        renew("engine-a", OUTLASTS_THE_TEST);

        assertThat(renew("engine-a", OUTLASTS_THE_TEST)).containsExactly("engine-a");
    }

    /** Whether it is gone is for the others to judge, by their own clocks: it stays listed. */
    @Test
    default void engineThatIsSilentIsNotLiveWhenItsTimeIsUp() {
        renew("engine-a", TTL);
        assertThat(presence("engine-a").live()).isTrue();
        assertThat(presence("engine-a").ttl()).isEqualTo(TTL);
        pass(UNTIL_GONE);

        assertThat(renew("engine-b", OUTLASTS_THE_TEST)).containsExactly("engine-a", "engine-b");
        assertThat(presence("engine-a").live()).isFalse();
        renew("engine-a", OUTLASTS_THE_TEST);
        assertThat(presence("engine-a").live()).as("back again").isTrue();
    }

    @Test
    default void engineThatWantsNoShareSaysSo() {
        store().renewAll(NAMESPACE, GROUP, "engine-a", OUTLASTS_THE_TEST, false);
        assertThat(presence("engine-a").shares()).isFalse();
        store().renewAll(NAMESPACE, GROUP, "engine-a", OUTLASTS_THE_TEST, true);
        assertThat(presence("engine-a").shares()).isTrue();
    }

    @Test
    default void engineThatDepartsIsGoneAtOnce() {
        renew("engine-a", OUTLASTS_THE_TEST);
        renew("engine-b", OUTLASTS_THE_TEST);
        store().depart(NAMESPACE, GROUP, "engine-a");
        store().depart(NAMESPACE, GROUP, "unknown");

        assertThat(renew("engine-b", OUTLASTS_THE_TEST)).containsExactly("engine-b");
    }

    @Test
    default void engineIsForgottenUnlessItWasRenewedSinceItWasSeen() {
        renew("engine-a", TTL);
        Presence seen = presence("engine-a");
        renew("engine-a", OUTLASTS_THE_TEST);
        store().forget(NAMESPACE, GROUP, seen);
        assertThat(store().presences(NAMESPACE, GROUP)).hasSize(1);

        store().forget(NAMESPACE, GROUP, presence("engine-a"));
        assertThat(store().presences(NAMESPACE, GROUP)).isEmpty();
    }

    @Test
    default void groupsAndNamespacesDoNotSeeEachOther() {
        renew("engine-a", OUTLASTS_THE_TEST);

        assertThat(store().renewAll(NAMESPACE, "other", "engine-b", OUTLASTS_THE_TEST, true))
                .extracting(Presence::owner).containsExactly("engine-b");
        assertThat(store().renewAll("elsewhere", GROUP, "engine-c", OUTLASTS_THE_TEST, true))
                .extracting(Presence::owner).containsExactly("engine-c");
        store().depart(NAMESPACE, "other", "engine-a");
        store().depart("elsewhere", GROUP, "engine-a");
        assertThat(renew("engine-d", OUTLASTS_THE_TEST)).containsExactly("engine-a", "engine-d");
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
