package dev.pawl.kernel.workflow;

import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Recipient;
import dev.pawl.kernel.ledger.ActivityLedger;
import dev.pawl.kernel.lifecycle.ActivityStatus;
import dev.pawl.kernel.message.Payload;
import org.jspecify.annotations.Nullable;

/**
 * One activity as it is stored: its ledger and the work the ledger certifies, in one row.
 *
 * <p>A plane of a re-entered activity (an address that does not end in {@code ,0}) is a record too, with the state of
 * that plane; its ledger stays 0, because the entries are counted at the base address.
 *
 * @param child the workflow this activity started, kept after the answer so that an interrupt can descend
 */
public record ActivityRecord(ActivityKey key, ActivityType type, ActivityLedger ledger, Payload input, Payload output,
        Waker waker, @Nullable Recipient child) {

    private static final Waker NONE = new Waker.None();

    /** A new activity, its first entry charged by the commit that sends its message. */
    public static ActivityRecord entered(ActivityKey key, ActivityType type, Payload input) {
        return created(key, type, ActivityLedger.NEW.enterLegOne(), input);
    }

    public static ActivityRecord trigger(ActivityKey key, Payload input) {
        return created(key, ActivityType.TRIGGER, ActivityLedger.TRIGGER, input);
    }

    public static ActivityRecord plane(ActivityKey key, ActivityType type, Payload input) {
        return created(key, type, ActivityLedger.NEW, input);
    }

    private static ActivityRecord created(ActivityKey key, ActivityType type, ActivityLedger ledger, Payload input) {
        return new ActivityRecord(key, type, ledger, input, Payload.EMPTY, NONE, null);
    }

    public ActivityRecord with(ActivityLedger ledger) {
        return new ActivityRecord(key, type, ledger, input, output, waker, child);
    }

    public ActivityRecord with(Waker waker) {
        return new ActivityRecord(key, type, ledger, input, output, waker, child);
    }

    public ActivityRecord with(Payload output) {
        return new ActivityRecord(key, type, ledger, input, output, waker, child);
    }

    public ActivityRecord withChild(Recipient child) {
        return new ActivityRecord(key, type, ledger, input, output, new Waker.Child(child), child);
    }

    public ActivityRecord waitingForNothing() {
        return with(NONE);
    }

    public ActivityStatus status() {
        if (ledger.finalized()) {
            return ActivityStatus.FINISHED;
        }
        if (ledger.trigger() || key.address().dimension() > 0) {
            return ActivityStatus.PASSED;
        }
        if (!ledger.legOneComplete()) {
            return ActivityStatus.ENTERED;
        }
        if (!(waker instanceof Waker.None)) {
            return ActivityStatus.WAITING;
        }
        // What stays open for cycles has counted its first pass; without that count it is between two of its steps.
        return ledger.legTwoEntries() > 0 ? ActivityStatus.PASSED : ActivityStatus.ENTERED;
    }
}
