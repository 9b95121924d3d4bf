package dev.pawl.engine.store;

import dev.pawl.kernel.workflow.WorkflowRecord;

/** What came of starting a workflow: insert-or-read, never both. */
public sealed interface StartResult {

    /** It exists now, and its start lies in its shard's inbox. */
    record Started() implements StartResult {
    }

    /** It existed before; nothing was written. Whether the two starts agree is for the caller to see. */
    record AlreadyStarted(WorkflowRecord workflow) implements StartResult {
    }
}
