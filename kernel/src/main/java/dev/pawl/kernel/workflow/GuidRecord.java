package dev.pawl.kernel.workflow;

import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.ledger.GuidLedger;

/** The ledger of one message, and the activity that took it. */
public record GuidRecord(Guid guid, ActivityKey activity, GuidLedger ledger) {

    public GuidRecord with(GuidLedger ledger) {
        return new GuidRecord(guid, activity, ledger);
    }
}
