package dev.pawl.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.store.Claim;
import dev.pawl.engine.store.Fence;
import dev.pawl.engine.store.Lease;
import dev.pawl.engine.store.Renewal;
import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.StaleOwner;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Leases, epochs and fences. */
interface OwnershipContract extends ContractWorld {

    ShardId SHARD = new ShardId(NAMESPACE, GROUP, 1);
    Duration LONG = Duration.ofMinutes(10);
    Duration PAST_TTL = TTL.plusMillis(100);

    private Claim claim(String owner, Duration ttl) {
        store().createShards(NAMESPACE, GROUP, 4);
        return store().claim(SHARD, owner, ttl, 1);
    }

    private Fence claimed(String owner, Duration ttl) {
        Claim claim = claim(owner, ttl);
        assertThat(claim).isInstanceOf(Claim.Claimed.class);
        return ((Claim.Claimed) claim).fence();
    }

    @Test
    default void numberOfShardsIsFixedAtCreation() {
        assertThat(store().createShards(NAMESPACE, GROUP, 4)).isEqualTo(4);
        assertThat(store().createShards(NAMESPACE, GROUP, 9)).isEqualTo(4);
        assertThat(store().leases(NAMESPACE, GROUP)).hasSize(4);
    }

    @Test
    default void groupsAndNamespacesHaveShardsOfTheirOwn() {
        store().createShards(NAMESPACE, GROUP, 2);
        store().createShards(NAMESPACE, "other", 3);
        store().createShards("elsewhere", GROUP, 5);

        assertThat(store().leases(NAMESPACE, GROUP)).hasSize(2);
        assertThat(store().leases("elsewhere", GROUP)).hasSize(5);
        assertThat(store().leases(NAMESPACE, "nobody")).isEmpty();
    }

    @Test
    default void newShardBelongsToNobody() {
        store().createShards(NAMESPACE, GROUP, 1);

        assertThat(store().leases(NAMESPACE, GROUP))
                .containsExactly(new Lease(new ShardId(NAMESPACE, GROUP, 0), null, 0, null, false, 0));
    }

    @Test
    default void firstClaimIsCleanAndInEpochOne() {
        assertThat(claim("one", LONG)).isInstanceOfSatisfying(Claim.Claimed.class, claimed -> {
            assertThat(claimed.fence()).isEqualTo(new Fence(SHARD, 1));
            assertThat(claimed.clean()).isTrue();
        });
        Lease lease = store().leases(NAMESPACE, GROUP).get(1);
        assertThat(lease.owner()).isEqualTo("one");
        assertThat(lease.live()).isTrue();
    }

    @Test
    default void liveLeaseIsNotTakenNotEvenByItsHolder() {
        claimed("one", LONG);

        assertThat(claim("two", LONG)).isInstanceOfSatisfying(Claim.Held.class,
                held -> assertThat(held.owner()).isEqualTo("one"));
        assertThat(claim("one", LONG)).isInstanceOf(Claim.Held.class);
    }

    @Test
    default void expiredLeaseIsTakenOverUncleanlyInAHigherEpoch() {
        Fence first = claimed("one", TTL);
        pass(PAST_TTL);

        assertThat(claim("two", LONG)).isInstanceOfSatisfying(Claim.Claimed.class, claimed -> {
            assertThat(claimed.fence().epoch()).isGreaterThan(first.epoch());
            assertThat(claimed.clean()).isFalse();
        });
    }

    @Test
    default void takeoverByTheSameNameIsUncleanToo() {
        claimed("one", TTL);
        pass(PAST_TTL);

        assertThat(claim("one", LONG)).isInstanceOfSatisfying(Claim.Claimed.class,
                claimed -> assertThat(claimed.clean()).isFalse());
    }

    @Test
    default void releasedShardIsTakenAtOnceAndCleanlyInAHigherEpoch() {
        Fence first = claimed("one", LONG);
        store().release(first);
        assertThat(store().leases(NAMESPACE, GROUP).get(1).owner()).isNull();

        assertThat(claim("two", LONG)).isInstanceOfSatisfying(Claim.Claimed.class, claimed -> {
            assertThat(claimed.fence().epoch()).isGreaterThan(first.epoch());
            assertThat(claimed.clean()).isTrue();
        });
    }

    @Test
    default void epochsOnlyGrow() {
        long last = 0;
        for (int round = 0; round < 5; round++) {
            Fence fence = claimed("owner " + round, LONG);
            assertThat(fence.epoch()).isGreaterThan(last);
            last = fence.epoch();
            store().release(fence);
        }
    }

    @Test
    default void renewalProlongsTheLease() {
        Fence fence = claimed("one", TTL);
        assertThat(store().renew(fence, LONG)).isInstanceOf(Renewal.Renewed.class);
        pass(PAST_TTL);

        assertThat(claim("two", LONG)).isInstanceOf(Claim.Held.class);
    }

    @Test
    default void expiredLeaseThatNobodyTookCanBeRenewed() {
        Fence fence = claimed("one", TTL);
        pass(PAST_TTL);

        assertThat(store().renew(fence, LONG)).isInstanceOf(Renewal.Renewed.class);
        assertThat(claim("two", LONG)).isInstanceOf(Claim.Held.class);
    }

    @Test
    default void replacedOwnerCanNeitherRenewNorRaiseNorRelease() {
        Fence first = claimed("one", TTL);
        pass(PAST_TTL);
        Fence second = claimed("two", LONG);

        assertThat(store().renew(first, LONG)).isEqualTo(new StaleOwner(second.epoch()));
        assertThat(store().raise(first, LONG)).isEqualTo(new StaleOwner(second.epoch()));
        store().release(first);
        assertThat(store().leases(NAMESPACE, GROUP).get(1).owner()).isEqualTo("two");
        assertThat(store().commit(first, List.of())).isEqualTo(new StaleOwner(second.epoch()));
    }

    @Test
    default void whoReleasedAShardOwnsItNoMore() {
        Fence fence = claimed("one", LONG);
        store().release(fence);

        assertThat(store().renew(fence, LONG)).isInstanceOf(StaleOwner.class);
        assertThat(store().raise(fence, LONG)).isEqualTo(new StaleOwner(fence.epoch()));
        assertThat(store().commit(fence, List.of())).isInstanceOf(StaleOwner.class);
    }

    @Test
    default void raisedEpochShutsOutTheOldFenceOfTheSameOwner() {
        Fence old = claimed("one", LONG);
        Claim raised = store().raise(old, LONG);

        assertThat(raised).isInstanceOfSatisfying(Claim.Claimed.class, claimed -> {
            assertThat(claimed.fence().epoch()).isGreaterThan(old.epoch());
            assertThat(claimed.clean()).isFalse();
            assertThat(store().commit(old, List.of())).isEqualTo(new StaleOwner(claimed.fence().epoch()));
            assertThat(store().renew(old, LONG)).isInstanceOf(StaleOwner.class);
        });
        assertThat(claim("two", LONG)).isInstanceOf(Claim.Held.class);
    }

    @Test
    default void olderEngineIsRefusedWhatANewerOneHasWritten() {
        store().createShards(NAMESPACE, GROUP, 4);
        Claim newer = store().claim(SHARD, "newer", LONG, 7);
        store().release(((Claim.Claimed) newer).fence());

        assertThat(store().claim(SHARD, "older", LONG, 6)).isEqualTo(new Claim.FormatTooNew(7));
        assertThat(store().claim(SHARD, "same", LONG, 7)).isInstanceOf(Claim.Claimed.class);
        assertThat(store().leases(NAMESPACE, GROUP).get(1).format()).isEqualTo(7);
    }

    @Test
    default void oneOfManyClaimsAtOnceSucceeds() {
        store().createShards(NAMESPACE, GROUP, 4);

        List<Claim> claims = ContractWorld.atOnce(8,
                () -> store().claim(SHARD, Thread.currentThread().getName(), LONG, 1));

        assertThat(claims.stream().filter(Claim.Claimed.class::isInstance)).hasSize(1);
        assertThat(store().leases(NAMESPACE, GROUP).get(1).epoch()).isEqualTo(1);
    }
}
