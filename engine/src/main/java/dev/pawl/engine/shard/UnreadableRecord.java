package dev.pawl.engine.shard;

import dev.pawl.engine.PawlException;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.ledger.LedgerViolation;

/**
 * The record of one workflow is not as it was written: an event or a payload was changed, or is missing. Nothing can be computed from it, so
 * this workflow stands still; the others of its shard go on.
 */
final class UnreadableRecord extends PawlException {

    private static final long serialVersionUID = 1L;

    UnreadableRecord(WorkflowKey workflow, LedgerViolation cause) {
        super("RecordUnreadable", "the record of " + workflow + " cannot be read: " + cause.getMessage(), cause);
    }
}
