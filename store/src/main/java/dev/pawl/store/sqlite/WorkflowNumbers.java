package dev.pawl.store.sqlite;

import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.store.sql.Session;
import dev.pawl.store.sqlite.SqliteCommit.Place;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where the rows of workflows are that were written to lately, so that a commit need not look it up. Not thread-safe; the
 * writer's thread alone asks.
 *
 * <p>A number is given once and never changes, and neither does a workflow's shard. One that was given in a transaction that came to nothing may be here still; it
 * does no harm, because a commit names the last event of its workflow too, and no other workflow has that one.
 */
final class WorkflowNumbers {

    private static final int KEPT_MAX = 16_384;

    private final Map<WorkflowKey, Place> byKey = new Latest();

    private static final class Latest extends LinkedHashMap<WorkflowKey, Place> {

        private static final long serialVersionUID = 1L;

        Latest() {
            super(16, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<WorkflowKey, Place> eldest) {
            return size() > KEPT_MAX;
        }
    }

    /** Where the rows of a workflow are, or null if there is no such workflow. */
    @Nullable Place of(Session session, WorkflowKey workflow) throws SQLException {
        Place known = byKey.get(workflow);
        if (known != null) {
            return known;
        }
        Place found = session.first("find_workflow", row -> new Place(row.getLong(1), row.getLong(2)),
                workflow.namespace(), workflow.workflowId());
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
