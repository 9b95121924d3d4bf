package dev.pawl.store.sqlite;

import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.store.sql.Session;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the tables call the workflows that were written to lately, so that a commit need not look it up. Not thread-safe; the
 * writer's thread alone asks.
 *
 * <p>A number is given once and never changes. One that was given in a transaction that came to nothing may be here still; it
 * does no harm, because a commit names the last event of its workflow too, and no other workflow has that one.
 */
final class WorkflowNumbers {

    private static final int KEPT_MAX = 16_384;

    private final Map<WorkflowKey, Long> byKey = new Latest();

    private static final class Latest extends LinkedHashMap<WorkflowKey, Long> {

        private static final long serialVersionUID = 1L;

        Latest() {
            super(16, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<WorkflowKey, Long> eldest) {
            return size() > KEPT_MAX;
        }
    }

    /** The number of a workflow, or null if there is no such workflow. */
    @Nullable Long of(Session session, WorkflowKey workflow) throws SQLException {
        Long known = byKey.get(workflow);
        if (known != null) {
            return known;
        }
        Long found = session.first("find_workflow", row -> row.getLong(1), workflow.namespace(), workflow.workflowId());
        if (found != null) {
            byKey.put(workflow, found);
        }
        return found;
    }

    /** The workflow is created, perhaps not for the first time. */
    void forget(WorkflowKey workflow) {
        byKey.remove(workflow);
    }
}
