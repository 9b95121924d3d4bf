package dev.pawl.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.store.Claim;
import dev.pawl.engine.store.Fence;
import dev.pawl.engine.store.Lease;
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
                .containsExactly(
                        new Lease(new ShardId(NAMESPACE, GROUP, 0), null, 0, null, Duration.ofSeconds(15), false, 0));
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
        claimed("one", TTL);
        store().renewAll(NAMESPACE, GROUP, "one", LONG, true);
        pass(PAST_TTL);

        assertThat(claim("two", LONG)).isInstanceOf(Claim.Held.class);
    }

    @Test
    default void expiredLeaseThatNobodyTookCanBeRenewed() {
        claimed("one", TTL);
        pass(PAST_TTL);
        store().renewAll(NAMESPACE, GROUP, "one", LONG, true);

        assertThat(claim("two", LONG)).isInstanceOf(Claim.Held.class);
    }

    @Test
    default void replacedOwnerCanNeitherRenewNorRaiseNorRelease() {
        Fence first = claimed("one", TTL);
        pass(PAST_TTL);
        Fence second = claimed("two", LONG);

        store().renewAll(NAMESPACE, GROUP, "one", LONG.multipliedBy(2), true);
        assertThat(store().leases(NAMESPACE, GROUP).get(1)).as("the new owner's lease is not touched")
                .extracting(Lease::owner, Lease::ttl).containsExactly("two", LONG);
        assertThat(store().raise(first, LONG)).isEqualTo(new StaleOwner(second.epoch()));
        store().release(first);
        assertThat(store().leases(NAMESPACE, GROUP).get(1).owner()).isEqualTo("two");
        assertThat(store().commit(first, List.of())).isEqualTo(new StaleOwner(second.epoch()));
    }

    @Test
    default void whoReleasedAShardOwnsItNoMore() {
        Fence fence = claimed("one", LONG);
        store().release(fence);

        store().renewAll(NAMESPACE, GROUP, "one", LONG, true);
        assertThat(store().leases(NAMESPACE, GROUP).get(1).owner()).isNull();
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
        });
        assertThat(claim("two", LONG)).isInstanceOf(Claim.Held.class);
    }

    /** By its own clock the caller knows that the owner is silent; the store's clock may say what it likes. */
    @Test
    default void leaseIsTakenOverWhileItIsAsItWasSeen() {
        Fence first = claimed("one", LONG);
        Lease seen = store().leases(NAMESPACE, GROUP).get(1);

        assertThat(store().takeOver(seen, "two", LONG, 1)).isInstanceOfSatisfying(Claim.Claimed.class, claimed -> {
            assertThat(claimed.fence().epoch()).isGreaterThan(first.epoch());
            assertThat(claimed.clean()).isFalse();
        });
        assertThat(store().commit(first, List.of())).isInstanceOf(StaleOwner.class);
    }

    @Test
    default void leaseThatWasRenewedSinceItWasSeenIsNotTakenOver() {
        claimed("one", TTL);
        Lease seen = store().leases(NAMESPACE, GROUP).get(1);
        store().renewAll(NAMESPACE, GROUP, "one", LONG, true);

        assertThat(store().takeOver(seen, "two", LONG, 1)).isInstanceOf(Claim.Held.class);
        assertThat(store().leases(NAMESPACE, GROUP).get(1).owner()).isEqualTo("one");
    }

    @Test
    default void leaseThatAnotherEngineHasTakenSinceItWasSeenIsNotTakenOver() {
        Fence first = claimed("one", LONG);
        Lease seen = store().leases(NAMESPACE, GROUP).get(1);
        store().release(first);
        claimed("two", LONG);

        assertThat(store().takeOver(seen, "three", LONG, 1)).isInstanceOf(Claim.Held.class);
        assertThat(store().takeOver(store().leases(NAMESPACE, GROUP).get(1), "newer", LONG, 7))
                .isInstanceOf(Claim.Claimed.class);
        assertThat(store().takeOver(store().leases(NAMESPACE, GROUP).get(1), "older", LONG, 6))
                .isEqualTo(new Claim.FormatTooNew(7));
    }

    @Test
    default void renewalProlongsEveryLeaseOfAnOwnerAndNoOther() {
        store().createShards(NAMESPACE, GROUP, 4);
        store().createShards(NAMESPACE, "other", 4);
        for (int shard = 0; shard < 4; shard++) {
            store().claim(new ShardId(NAMESPACE, GROUP, shard), shard == 3 ? "two" : "one", TTL, 1);
        }
        store().claim(new ShardId(NAMESPACE, "other", 0), "one", TTL, 1);
        store().renewAll(NAMESPACE, GROUP, "one", LONG, true);
        pass(PAST_TTL);

        assertThat(store().leases(NAMESPACE, GROUP)).extracting(Lease::live).containsExactly(true, true, true, false);
        assertThat(store().leases(NAMESPACE, GROUP)).extracting(Lease::ttl).containsExactly(LONG, LONG, LONG, TTL);
        assertThat(store().leases(NAMESPACE, "other").getFirst().live()).isFalse();
    }

    @Test
    default void abandonedShardIsTakenAtOnceAndUncleanlyAndNoRenewalBringsItBack() {
        Fence fence = claimed("one", LONG);
        store().abandon(fence);
        store().renewAll(NAMESPACE, GROUP, "one", LONG, true);

        assertThat(store().leases(NAMESPACE, GROUP).get(1).over()).isTrue();
        assertThat(claim("two", LONG)).isInstanceOfSatisfying(Claim.Claimed.class, claimed -> {
            assertThat(claimed.fence().epoch()).isGreaterThan(fence.epoch());
            assertThat(claimed.clean()).isFalse();
        });
        store().abandon(fence);
        assertThat(store().leases(NAMESPACE, GROUP).get(1).over()).as("not by who owns it no more").isFalse();
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
