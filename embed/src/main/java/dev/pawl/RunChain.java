package dev.pawl;

import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The runs of a workflow that continues as new: each run that has ended that way names the next one. Remembers the latest run it has seen, so
 * that a long chain is walked once. Safe for use by many threads.
 */
final class RunChain {

    private final Pawl pawl;
    private final WorkflowKey first;
    private volatile WorkflowKey latest;

    RunChain(Pawl pawl, WorkflowKey first) {
        this.pawl = pawl;
        this.first = first;
        this.latest = first;
    }

    /** The run that a run has continued in; null if it has not. */
    static @Nullable WorkflowKey next(WorkflowRecord run) {
        return run.status() == WorkflowStatus.CONTINUED_AS_NEW && run.reason() != null
                ? new WorkflowKey(run.key().namespace(), run.reason())
                : null;
    }

    /** The latest run that was seen; later ones may have begun since. */
    WorkflowKey known() {
        return latest;
    }

    /** A later run was seen. */
    void seen(WorkflowKey run) {
        latest = run;
    }

    /** The row of the run that is open, or of the last one; null if there is no such workflow. */
    @Nullable WorkflowRecord current() {
        WorkflowRecord run = pawl.store().workflow(latest);
        while (run != null) {
            WorkflowKey next = next(run);
            WorkflowRecord successor = next == null ? null : begun(next);
            if (next == null || successor == null) {
                return run;
            }
            latest = next;
            run = successor;
        }
        return null;
    }

    /** A run whose start is durable, but may still be in the inbox of its shard. */
    private @Nullable WorkflowRecord begun(WorkflowKey run) {
        WorkflowRecord found = pawl.store().workflow(run);
        for (long pause = 1; found == null && pause <= EndWait.LOOK_MILLIS_MAX; pause *= 2) {
            pawl.pause(pause, "latest run of " + first.workflowId());
            found = pawl.store().workflow(run);
        }
        return found;
    }

    /** The ids of all runs, first to last. */
    List<String> ids() {
        List<String> ids = new ArrayList<>();
        WorkflowKey key = first;
        while (key != null) {
            ids.add(key.workflowId());
            WorkflowRecord run = pawl.store().workflow(key);
            key = run == null ? null : next(run);
        }
        return ids;
    }
}
