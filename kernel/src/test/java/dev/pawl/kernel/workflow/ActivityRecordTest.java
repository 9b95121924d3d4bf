package dev.pawl.kernel.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.DimensionalAddress;
import dev.pawl.kernel.id.Recipient;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.ledger.ActivityLedger;
import dev.pawl.kernel.lifecycle.ActivityEvent;
import dev.pawl.kernel.lifecycle.ActivityStatus;
import dev.pawl.kernel.message.Payload;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ActivityRecordTest {

    private static final ActivityKey PACK = new ActivityKey("pack", new DimensionalAddress(",0,0"));
    private static final Recipient CHILD = new Recipient("parcels", new WorkflowKey("shop", "parcel-1"));
    private static final Payload INPUT = Payload.of(new byte[] {1});
    private static final Payload OUTPUT = Payload.of(new byte[] {2});
    private static final Waker NONE = new Waker.None();
    private static final Waker TIMER = new Waker.Timer(Instant.EPOCH);

    @Test
    void anActivityIsCreatedWithItsFirstEntryCharged() {
        assertThat(entered()).isEqualTo(record("001000000000000", NONE));
    }

    @Test
    void aTriggerIsCreatedComplete() {
        ActivityKey key = ActivityKey.trigger("order");

        assertThat(ActivityRecord.trigger(key, INPUT)).isEqualTo(new ActivityRecord(key, ActivityType.TRIGGER,
                ActivityLedger.parse("101100000000001"), INPUT, Payload.EMPTY, NONE, null));
    }

    @Test
    void aPlaneHasStateButCountsNothing() {
        ActivityKey key = PACK.inDimension(1);

        assertThat(ActivityRecord.plane(key, ActivityType.HOOK, INPUT)).isEqualTo(new ActivityRecord(key,
                ActivityType.HOOK, ActivityLedger.parse("000000000000000"), INPUT, Payload.EMPTY, NONE, null));
    }

    @Test
    void eachWitherChangesOneThing() {
        ActivityLedger ledger = ActivityLedger.parse("001100000000000");
        ActivityRecord full = entered().withChild(CHILD).with(OUTPUT);

        assertThat(full.with(ledger)).isEqualTo(new ActivityRecord(PACK, ActivityType.WORKER, ledger, INPUT, OUTPUT,
                new Waker.Child(CHILD), CHILD));
        assertThat(full.with(TIMER)).isEqualTo(new ActivityRecord(PACK, ActivityType.WORKER, full.ledger(), INPUT,
                OUTPUT, TIMER, CHILD));
        assertThat(full.with(INPUT)).isEqualTo(new ActivityRecord(PACK, ActivityType.WORKER, full.ledger(), INPUT,
                INPUT, new Waker.Child(CHILD), CHILD));
    }

    @Test
    void anActivityWaitsForTheChildItStarted() {
        ActivityRecord started = entered().withChild(CHILD);

        assertThat(started.child()).isEqualTo(CHILD);
        assertThat(started.waker()).isEqualTo(new Waker.Child(CHILD));
    }

    @Test
    void theChildIsRememberedAfterItsAnswer() {
        ActivityRecord answered = entered().withChild(CHILD).waitingForNothing();

        assertThat(answered.child()).isEqualTo(CHILD);
        assertThat(answered.waker()).isEqualTo(NONE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"001000000000000", "099000000000000"})
    void beforeLegOneCommitsItIsEntered(String ledger) {
        assertThat(record(ledger, NONE).status()).isEqualTo(ActivityStatus.ENTERED);
    }

    @Test
    void aFanOutUnderWayIsStillEntered() {
        assertThat(record("001000000000000", new Waker.FanOut("1000")).status()).isEqualTo(ActivityStatus.ENTERED);
    }

    static List<Waker> wakersThatAnswer() {
        return List.of(new Waker.Task("parcels", INPUT, 1, Instant.EPOCH), TIMER, new Waker.Hook("paid", false),
                new Waker.Hook("paid", true), new Waker.Child(CHILD), new Waker.Receipt());
    }

    @ParameterizedTest
    @MethodSource("wakersThatAnswer")
    void afterLegOneItWaitsForItsWaker(Waker waker) {
        assertThat(record("001100000000000", waker).status()).isEqualTo(ActivityStatus.WAITING);
    }

    @ParameterizedTest
    @MethodSource("wakersThatAnswer")
    void aPendingResponseKeepsItWaiting(Waker waker) {
        assertThat(record("001100000000001", waker).status()).isEqualTo(ActivityStatus.WAITING);
    }

    @ParameterizedTest
    @ValueSource(strings = {"001100000000001", "001100000000002", "101100000000001", "101100000000002"})
    void whatCanBeEnteredAgainHasPassed(String ledger) {
        assertThat(record(ledger, NONE).status()).isEqualTo(ActivityStatus.PASSED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"201100000000000", "201100000000001"})
    void finalizedIsFinishedWhateverItWaitedFor(String ledger) {
        assertThat(record(ledger, NONE).status()).isEqualTo(ActivityStatus.FINISHED);
        assertThat(record(ledger, TIMER).status()).isEqualTo(ActivityStatus.FINISHED);
    }

    /** A crash after step 1 of a signal, an interrupt or a passthrough leaves this; a later step finalizes it. */
    @Test
    void betweenItsStepsAnActivityCanStillFinish() {
        ActivityStatus betweenSteps = record("001100000000000", NONE).status();

        assertThat(ActivityStatus.LIFECYCLE.allows(betweenSteps, ActivityEvent.FINISH)).as("%s", betweenSteps).isTrue();
    }

    /** A plane is written with the work of its round done; its ledger is 0 only because the base counts. */
    @Test
    void aPlaneHasPassed() {
        ActivityRecord plane = ActivityRecord.plane(PACK.inDimension(1), ActivityType.HOOK, INPUT);

        assertThat(plane.status()).isEqualTo(ActivityStatus.PASSED);
    }

    /** Its row holds the cursor of an end that descends in chunks: nothing will ever answer it. */
    @Test
    void aTriggerNeverWaits() {
        ActivityRecord trigger = ActivityRecord.trigger(ActivityKey.trigger("order"), INPUT);

        assertThat(trigger.with(new Waker.FanOut("1000")).status()).isEqualTo(ActivityStatus.PASSED);
    }

    private static ActivityRecord entered() {
        return ActivityRecord.entered(PACK, ActivityType.WORKER, INPUT);
    }

    private static ActivityRecord record(String ledger, Waker waker) {
        return new ActivityRecord(PACK, ActivityType.WORKER, ActivityLedger.parse(ledger), INPUT, Payload.EMPTY, waker,
                null);
    }
}
