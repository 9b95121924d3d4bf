package dev.pawl.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.store.Claim;
import dev.pawl.engine.store.Commit;
import dev.pawl.engine.store.Cutoffs;
import dev.pawl.engine.store.DecisionRecord;
import dev.pawl.engine.store.DecisionRequest;
import dev.pawl.engine.store.Fence;
import dev.pawl.engine.store.Presence;
import dev.pawl.engine.store.Rejection;
import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.SignalRequest;
import dev.pawl.engine.store.SlotHolder;
import dev.pawl.engine.store.SlotKey;
import dev.pawl.engine.store.SlotPool;
import dev.pawl.engine.store.StaleOwner;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.StoreCapabilities;
import dev.pawl.engine.store.StoreException;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.collation.Collation;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** What the simulated store does when it is told to fail: exactly that, and nothing half. */
class SimStoreFaultsTest {

    private static final WorkflowKey KEY = new WorkflowKey("test", "w");
    private static final Message.Start START = new Message.Start(KEY,
            new Message.Beginning("shop", "checkout", "1", "trigger", 0, Payload.EMPTY, null));
    private static final Bundle INCEPTION = Collation.inception(START, SimClock.EPOCH);

    private final SimClock clock = new SimClock();
    private final SimStore database = new SimStore(clock);
    private final Fence fence = owned(database);
    private SimLink link = database.connect(Faults.none());
    private Store store = link.store();

    private void strike(Faults faults) {
        link = database.connect(faults);
        store = link.store();
    }

    private static Fence owned(SimStore store) {
        store.createShards("test", "shop", 1);
        Claim claim = store.claim(new ShardId("test", "shop", 0), "me", Duration.ofMinutes(1), 1);
        return ((Claim.Claimed) claim).fence();
    }

    @ParameterizedTest
    @EnumSource(names = {"BUSY", "FULL", "UNAVAILABLE"})
    void commitThatFailsBeforeItIsWrittenWritesNothing(Fault fault) {
        strike(Faults.once(Operation.COMMIT, 1, fault));

        assertThatThrownBy(() -> store.commit(fence, List.of(INCEPTION))).isInstanceOf(StoreException.class);
        assertThat(store.load(KEY)).isEqualTo(Snapshot.ABSENT);
        assertThat(store.commit(fence, List.of(INCEPTION))).isInstanceOf(Commit.Committed.class);
    }

    @Test
    void commitWhoseAnswerIsLostIsWrittenAllTheSame() {
        strike(Faults.once(Operation.COMMIT, 1, Fault.LOST_ANSWER));

        assertThatThrownBy(() -> store.commit(fence, List.of(INCEPTION)))
                .isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.code()).isEqualTo("CommitUnknown"));
        assertThat(store.load(KEY).workflow()).isNotNull();
    }

    @ParameterizedTest
    @EnumSource(names = {"CRASH_BEFORE", "CRASH_AFTER"})
    void crashIsNothingThatCanBeCaughtByMistake(Fault fault) {
        strike(Faults.once(Operation.COMMIT, 1, fault));

        assertThatThrownBy(() -> store.commit(fence, List.of(INCEPTION))).isInstanceOf(Error.class);
        assertThat(store.load(KEY).workflow() != null).isEqualTo(fault == Fault.CRASH_AFTER);
    }

    @Test
    void lateCommitComesThroughAfterItsCallerHasGoneOn() {
        strike(Faults.once(Operation.COMMIT, 1, Fault.LATE));

        assertThatThrownBy(() -> store.commit(fence, List.of(INCEPTION)))
                .isInstanceOf(StoreException.CommitUnknown.class);
        assertThat(store.load(KEY)).isEqualTo(Snapshot.ABSENT);
        assertThat(link.deliverLate()).isEqualTo(SimLink.Arrival.TAKEN);
        assertThat(store.load(KEY).workflow()).isNotNull();
        assertThat(link.deliverLate()).isEqualTo(SimLink.Arrival.NONE);
    }

    @Test
    void lateCommitOfARaisedEpochIsRefused() {
        strike(Faults.once(Operation.COMMIT, 1, Fault.LATE));
        assertThatThrownBy(() -> store.commit(fence, List.of(INCEPTION))).isInstanceOf(StoreException.class);
        store.raise(fence, Duration.ofMinutes(1));

        assertThat(link.deliverLate()).isEqualTo(SimLink.Arrival.REFUSED);
        assertThat(store.load(KEY)).isEqualTo(Snapshot.ABSENT);
    }

    @Test
    void robbedOwnerIsStale() {
        strike(Faults.once(Operation.COMMIT, 1, Fault.STALE_FENCE));

        assertThat(store.commit(fence, List.of(INCEPTION))).isEqualTo(new StaleOwner(fence.epoch() + 1));
        assertThat(store.load(KEY)).isEqualTo(Snapshot.ABSENT);
        assertThat(store.claim(fence.shard(), "me", Duration.ofMinutes(1), 1)).isInstanceOf(Claim.Claimed.class);
    }

    @Test
    void wrongVersionIsRejected() {
        strike(Faults.once(Operation.COMMIT, 1, Fault.WRONG_VERSION));

        assertThat(store.commit(fence, List.of(INCEPTION)))
                .isEqualTo(new Commit.Rejected(0, new Rejection.VersionConflict(0, 1)));
        assertThat(store.load(KEY)).isEqualTo(Snapshot.ABSENT);
    }

    @Test
    void faultStrikesTheCallItNamesAndNoOther() {
        strike(Faults.once(Operation.LOAD, 2, Fault.BUSY));

        store.load(KEY);
        assertThatThrownBy(() -> store.load(KEY)).isInstanceOf(StoreException.Busy.class);
        store.load(KEY);
        assertThat(link.calls().of(Operation.LOAD)).isEqualTo(3);
        assertThat(link.calls().of(Operation.SIGNAL)).isZero();
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "COMMIT")
    void everyOperationCanFail(Operation operation) {
        strike((called, count) -> called == operation ? Fault.UNAVAILABLE : null);

        assertThatThrownBy(() -> call(operation).call()).isInstanceOf(StoreException.Unavailable.class);
    }

    private Callable<Object> call(Operation operation) {
        ShardId shard = fence.shard();
        Duration ttl = Duration.ofMinutes(1);
        return () -> switch (operation) {
            case CREATE_SHARDS -> store.createShards("test", "shop", 1);
            case LEASES -> store.leases("test", "shop");
            case CLAIM -> store.claim(shard, "me", ttl, 1);
            case TAKE_OVER -> store.takeOver(store.leases("test", "shop").getFirst(), "me", ttl, 1);
            case RENEW -> store.renewAll("test", "shop", "me", ttl, true);
            case PRESENCES -> store.presences("test", "shop");
            case FORGET -> {
                store.forget("test", "shop", new Presence("me", Instant.EPOCH, ttl, false, true));
                yield fence;
            }
            case ABANDON -> {
                store.abandon(fence);
                yield fence;
            }
            case RAISE -> store.raise(fence, ttl);
            case RELEASE -> {
                store.release(fence);
                yield fence;
            }
            case DEPART -> {
                store.depart("test", "shop", "me");
                yield fence;
            }
            case COMMIT -> store.commit(fence, List.of());
            case TRANSACT -> store.transact(fence, connection -> INCEPTION);
            case LOAD -> store.load(KEY);
            case START -> store.start(START, INCEPTION);
            case SIGNAL -> store.signal(signal(true));
            case POST -> {
                store.post("shop", START);
                yield fence;
            }
            case INBOX -> store.inbox(shard, 1);
            case QUEUE -> store.queue(shard, null, 1);
            case DUE -> store.due(shard, SimClock.EPOCH, 1);
            case NEXT_DUE -> String.valueOf(store.nextDue(shard));
            case TASKS -> store.tasks(shard, null, 1);
            case AWAKE -> store.awake(shard, null, 1);
            case WORKFLOWS -> store.workflows(dev.pawl.engine.store.WorkflowQuery.all("test"), null, 1);
            case HOOKED -> store.hooked("test", "topic", null, 1);
            case EVENTS -> store.events(KEY, 0, 1);
            case GIVEN_UP -> store.givenUp("test", null, 1);
            case SWEEP -> store.sweep("test", Cutoffs.NONE, SimClock.EPOCH, 1);
            case DECIDE -> store.decide(new DecisionRequest(
                    new DecisionRecord(KEY, "case", "retry", "me", "", SimClock.EPOCH, Payload.EMPTY),
                    new DecisionRequest.PutBack(1)));
            case DECISIONS -> store.decisions(KEY);
            case AWAITING -> store.awaiting("test", "topic", null, 1);
            case PARKED -> store.parked("test", null, 1);
            case ACQUIRE_SLOTS -> store.acquireSlots("test", "me",
                    List.of(new SlotPool("pool", SlotPool.Kind.CONCURRENT, 1, ttl)), List.of(new SlotHolder("me", "")));
            case RENEW_SLOTS -> store.renewSlots("test", List.of(new SlotKey("pool", "me")), ttl);
            case RELEASE_SLOTS -> {
                store.releaseSlots("test", List.of(new SlotKey("pool", "me")));
                yield fence;
            }
            case UNKNOWN_EFFECTS -> store.unknownEffects("test", null, 1);
            case ORPHANS -> store.orphans("test");
            case SWEEPABLE -> store.sweepable("test", Cutoffs.NONE, SimClock.EPOCH);
        };
    }

    @Test
    void keyedSignalFailsFastOnAStoreThatCannotDoItWithoutRacing() {
        SimStore weak = new SimStore(clock, new StoreCapabilities(true, false, true, true),
                EnumSet.noneOf(Flaw.class));
        owned(weak);
        weak.start(START, INCEPTION);

        assertThatThrownBy(() -> weak.signal(signal(true)))
                .isInstanceOf(StoreException.CapabilityMissing.class)
                .hasMessageContaining("conditionalBatch").hasMessageContaining("SimStore");
        assertThat(weak.inbox(fence.shard(), 10)).hasSize(1);
        weak.signal(signal(false));
        assertThat(weak.inbox(fence.shard(), 10)).hasSize(2);
    }

    private static SignalRequest signal(boolean keyed) {
        return new SignalRequest(KEY, "approval", "1", keyed, new Response.Final(Payload.EMPTY), SimClock.EPOCH,
                SimClock.EPOCH.plusSeconds(1));
    }

    @Test
    void clockMovesOnlyWhenTold() {
        assertThat(clock.instant()).isEqualTo(SimClock.EPOCH);
        clock.advance(Duration.ofHours(-1));
        assertThat(clock.instant()).isEqualTo(SimClock.EPOCH.minusSeconds(3600));
        clock.set(SimClock.EPOCH);
        assertThat(clock.instant()).isEqualTo(SimClock.EPOCH);
    }
}
