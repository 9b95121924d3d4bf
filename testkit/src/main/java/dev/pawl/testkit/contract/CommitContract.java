package dev.pawl.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.store.Commit;
import dev.pawl.engine.store.Fence;
import dev.pawl.engine.store.Rejection;
import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.StaleOwner;
import dev.pawl.engine.store.Store;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Overlay;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.ledger.ActivityLedger;
import dev.pawl.kernel.ledger.GuidLedger;
import dev.pawl.kernel.ledger.LedgerViolation;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.GuidRecord;
import dev.pawl.kernel.workflow.Snapshot;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Commit: all or nothing, under a fence and at a version. */
interface CommitContract extends ContractWorld {

    @Test
    default void whatWasCommittedIsReadBackAsItWas() {
        Driver driver = driver();
        WorkflowKey key = driver.key(0);
        Bundle bundle = driver.compute(Driver.start(key)).bundle();
        Overlay expected = new Overlay(Snapshot.ABSENT).apply(bundle);
        driver.commit(bundle);

        Snapshot stored = store().load(key);

        assertThat(stored.workflow()).isEqualTo(expected.workflow());
        assertThat(List.copyOf(stored.activities())).isEqualTo(List.copyOf(expected.activities()));
        assertThat(stored.guid(Driver.start(key).guid())).isEqualTo(expected.guid(Driver.start(key).guid()));
        assertThat(stored.signals()).isEmpty();
    }

    @Test
    default void workflowThatWasNeverStartedIsAbsent() {
        driver();

        assertThat(store().load(ContractWorld.key("nobody"))).isEqualTo(Snapshot.ABSENT);
    }

    @Test
    default void everyBundleIsOneVersion() {
        Driver driver = driver();
        WorkflowKey key = driver.key(0);

        assertThat(driver.run(Driver.start(key)).version()).isEqualTo(1);
        assertThat(driver.run(driver.queue().getFirst()).version()).isEqualTo(2);
        assertThat(version(key)).isEqualTo(2);
    }

    @Test
    default void emptyBatchIsCommitted() {
        Driver driver = driver();

        assertThat(store().commit(driver.fence, List.of())).isEqualTo(new Commit.Committed(List.of()));
    }

    @Test
    default void staleFenceWritesNothing() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        Snapshot before = store().load(key);
        Bundle bundle = driver.compute(Driver.answer(key, "a")).bundle();
        store().raise(driver.fence, Duration.ofMinutes(10));

        assertThat(store().commit(driver.fence, List.of(bundle)))
                .isEqualTo(new StaleOwner(driver.fence.epoch() + 1));
        assertThat(store().load(key)).isEqualTo(before);
    }

    @Test
    default void fenceOfAnEpochStillToComeWritesNothing() {
        Driver driver = driver();
        Bundle bundle = driver.compute(Driver.start(driver.key(0))).bundle();

        assertThat(store().commit(new Fence(driver.shard, driver.fence.epoch() + 1), List.of(bundle)))
                .isInstanceOf(StaleOwner.class);
        assertThat(store().load(driver.key(0))).isEqualTo(Snapshot.ABSENT);
    }

    @Test
    default void bundleComputedFromAnOlderVersionIsRejected() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        Bundle late = driver.compute(Driver.answer(key, "a")).bundle();
        driver.run(Driver.answer(key, "b"));
        Snapshot before = store().load(key);

        assertThat(store().commit(driver.fence, List.of(late))).isEqualTo(new Commit.Rejected(0,
                new Rejection.VersionConflict(late.expectedVersion(), late.expectedVersion() + 1)));
        assertThat(store().load(key)).isEqualTo(before);
    }

    @Test
    default void rejectedBundleTakesTheWholeBatchWithIt() {
        Driver driver = driver();
        WorkflowKey good = driver.running(0);
        WorkflowKey bad = driver.running(1);
        Bundle goodBundle = driver.compute(Driver.answer(good, "a")).bundle();
        Bundle badBundle = driver.compute(Driver.answer(bad, "a")).bundle();
        driver.run(Driver.answer(bad, "b"));
        Snapshot before = store().load(good);

        assertThat(store().commit(driver.fence, List.of(goodBundle, badBundle)))
                .isInstanceOfSatisfying(Commit.Rejected.class, rejected -> assertThat(rejected.bundle()).isEqualTo(1));
        assertThat(store().load(good)).isEqualTo(before);
    }

    @Test
    default void whatIsHandedInTogetherComesToWhatItWouldComeToAlone() {
        Driver driver = driver();
        List<WorkflowKey> keys = List.of(driver.running(0), driver.running(1), driver.running(2), driver.running(3));
        List<Bundle> bundles = keys.stream().map(key -> driver.compute(Driver.answer(key, "a")).bundle()).toList();
        driver.run(Driver.answer(keys.get(1), "b"));
        Fence stale = new Fence(driver.shard, driver.fence.epoch() - 1);

        Store.HandedIn first = store().handIn(driver.fence, List.of(bundles.get(0)));
        Store.HandedIn late = store().handIn(driver.fence, List.of(bundles.get(1)));
        Store.HandedIn fenced = store().handIn(stale, List.of(bundles.get(2)));
        Store.HandedIn last = store().handIn(driver.fence, List.of(bundles.get(3)));

        assertThat(last.answer()).isInstanceOf(Commit.Committed.class);
        assertThat(first.answer()).isInstanceOf(Commit.Committed.class);
        assertThat(late.answer()).isInstanceOf(Commit.Rejected.class);
        assertThat(fenced.answer()).isInstanceOf(StaleOwner.class);
        assertThat(keys.stream().map(this::version).toList()).containsExactly(
                bundles.get(0).expectedVersion() + 1, bundles.get(1).expectedVersion() + 1,
                bundles.get(2).expectedVersion(), bundles.get(3).expectedVersion() + 1);
    }

    @Test
    default void shardsThatCommitTogetherDoSoEachUnderItsOwnFence() {
        Driver driver = driver();
        ShardId other = new ShardId(NAMESPACE, GROUP, 1);
        Fence there = Driver.claim(store(), other);
        List<WorkflowKey> keys = List.of(driver.key(0), Driver.keyIn(other, 0), driver.key(1), Driver.keyIn(other, 1));
        List<Bundle> bundles = keys.stream().map(key -> driver.compute(Driver.start(key)).bundle()).toList();

        Store.HandedIn first = store().handIn(driver.fence, List.of(bundles.get(0)));
        Store.HandedIn second = store().handIn(there, List.of(bundles.get(1)));
        assertThat(first.answer()).isInstanceOf(Commit.Committed.class);
        assertThat(second.answer()).isInstanceOf(Commit.Committed.class);
        assertThat(store().queue(driver.shard, null, 10)).extracting(each -> each.message().workflow())
                .containsOnly(keys.get(0));
        assertThat(store().queue(other, null, 10)).extracting(each -> each.message().workflow())
                .containsOnly(keys.get(1));

        store().raise(there, Duration.ofMinutes(10));
        Store.HandedIn holds = store().handIn(driver.fence, List.of(bundles.get(2)));
        Store.HandedIn stale = store().handIn(there, List.of(bundles.get(3)));
        assertThat(stale.answer()).isInstanceOf(StaleOwner.class);
        assertThat(holds.answer()).isInstanceOf(Commit.Committed.class);
        assertThat(store().load(keys.get(3))).isEqualTo(Snapshot.ABSENT);
    }

    @Test
    default void rejectedCommitAcknowledgesNothing() {
        Driver driver = driver();
        WorkflowKey key = driver.key(0);
        driver.run(Driver.start(key));
        Bundle acknowledging = driver.compute(driver.queue().getFirst()).bundle();
        driver.run(driver.queue().getLast());
        assertThat(store().commit(driver.fence, List.of(acknowledging))).isInstanceOf(Commit.Rejected.class);
        assertThat(driver.queue()).hasSize(1);

        driver.drain(key);
        store().post(GROUP, Driver.answer(key, "a"));
        Bundle consuming = driver.compute(driver.inbox().getFirst()).bundle();
        driver.run(Driver.answer(key, "b"));
        assertThat(store().commit(driver.fence, List.of(consuming))).isInstanceOf(Commit.Rejected.class);
        assertThat(driver.inbox()).hasSize(1);
    }

    @Test
    default void startOfAnExistingWorkflowIsRejected() {
        Driver driver = driver();
        WorkflowKey key = driver.key(0);
        Bundle start = driver.compute(Driver.start(key)).bundle();
        driver.commit(start);
        Snapshot before = store().load(key);

        assertThat(store().commit(driver.fence, List.of(start)))
                .isEqualTo(new Commit.Rejected(0, new Rejection.WorkflowExists()));
        assertThat(store().load(key)).isEqualTo(before);
    }

    @Test
    default void writeToAWorkflowThatWasNeverStartedIsRejected() {
        Driver driver = driver();
        WorkflowKey key = driver.key(0);
        ActivityRecord activity = ActivityRecord.trigger(Driver.child("a"), Sketch.text("x"));

        assertThat(store().commit(driver.fence, List.of(driver.handmade(key, new Write.PutActivity(activity)))))
                .isEqualTo(new Commit.Rejected(0, new Rejection.WorkflowMissing()));
        assertThat(store().load(key)).isEqualTo(Snapshot.ABSENT);
    }

    @Test
    default void fenceOpensItsOwnShardOnly() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        ShardId other = new ShardId(NAMESPACE, GROUP, 1);
        Fence otherFence = Driver.claim(store(), other);
        Snapshot before = store().load(key);

        assertThat(store().commit(otherFence, List.of(driver.compute(Driver.answer(key, "a")).bundle())))
                .isEqualTo(new Commit.Rejected(0, new Rejection.WrongShard(driver.shard)));
        assertThat(store().load(key)).isEqualTo(before);
    }

    /** A store that keeps the ledger may refuse the commit; one that keeps the journal alone must refuse to read it. */
    static void requireNeverRead(Store store, WorkflowKey key, Commit commit, Snapshot before) {
        if (commit instanceof Commit.Rejected rejected) {
            assertThat(rejected.why()).isInstanceOf(Rejection.LedgerShrinks.class);
            assertThat(store.load(key)).isEqualTo(before);
        } else {
            assertThatThrownBy(() -> store.load(key)).isInstanceOf(LedgerViolation.class);
        }
    }

    @Test
    default void activityLedgerNeverShrinks() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        Snapshot before = store().load(key);
        ActivityRecord waiting = Objects.requireNonNull(before.activity(Driver.child("a")));
        ActivityRecord shrunk = waiting.with(ActivityLedger.parse("002000000000000"));

        requireNeverRead(store(), key,
                store().commit(driver.fence, List.of(driver.handmade(key, new Write.PutActivity(shrunk)))), before);
    }

    @Test
    default void guidLedgerNeverShrinks() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        Message answer = Driver.answer(key, "a");
        driver.run(answer);
        Snapshot before = store().load(key);
        GuidRecord shrunk = new GuidRecord(answer.guid(), Driver.child("a"), GuidLedger.parse("000010000000001"));

        requireNeverRead(store(), key,
                store().commit(driver.fence, List.of(driver.handmade(key, new Write.PutGuid(shrunk)))), before);
    }

    @Test
    default void oneOfManyCommitsFromTheSameVersionSucceeds() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        Bundle bundle = driver.compute(Driver.answer(key, "a")).bundle();

        List<Commit> commits = ContractWorld.atOnce(8, () -> store().commit(driver.fence, List.of(bundle)));

        assertThat(commits.stream().filter(Commit.Committed.class::isInstance)).hasSize(1);
        assertThat(version(key)).isEqualTo(bundle.expectedVersion() + 1);
    }

    private long version(WorkflowKey key) {
        return Objects.requireNonNull(store().load(key).workflow()).version();
    }
}
