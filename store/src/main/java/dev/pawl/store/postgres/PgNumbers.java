package dev.pawl.store.postgres;

import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.store.sql.Database.Work;
import dev.pawl.store.sql.Session;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The numbers by which rows of workflows are found: those that were committed lately, and new ones for workflows to be created. So a commit
 * need not look for its workflows. Safe for use by many threads.
 *
 * <p>A workflow's number and shard never change. If it is deleted and its id is used again, the number kept here is an old one: then no
 * event has it, the commit is refused, and {@link #forget} has it looked up anew.
 */
final class PgNumbers {

    private static final int KEPT_MAX = 65_536;
    /** So many numbers are drawn at once. Those that are left when the process ends belong to no workflow. */
    private static final long DRAWN = 1_000;

    private final ReentrantLock lock = new ReentrantLock();
    // Under the lock.
    private final Map<WorkflowKey, Place> known = new Latest();
    private final Queue<Long> fresh = new ArrayDeque<>();

    /** Where the rows of a workflow are. */
    record Place(long workflowNo, long shardNo) {
    }

    /** Runs something that reads, or draws numbers, on a connection. */
    @FunctionalInterface
    interface Access {

        <T> T run(Work<T> work) throws SQLException;
    }

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

    /** Where these workflows are, all of one namespace; those that do not exist are left out. */
    Map<WorkflowKey, Place> of(Collection<WorkflowKey> workflows, Access access) throws SQLException {
        Map<WorkflowKey, Place> places = new HashMap<>();
        List<WorkflowKey> unknown = new ArrayList<>();
        lock.lock();
        try {
            for (WorkflowKey workflow : workflows) {
                Place place = known.get(workflow);
                if (place == null) {
                    unknown.add(workflow);
                } else {
                    places.put(workflow, place);
                }
            }
        } finally {
            lock.unlock();
        }
        if (!unknown.isEmpty()) {
            Map<WorkflowKey, Place> found = access.run(session -> locate(session, unknown));
            found.forEach(this::located);
            places.putAll(found);
        }
        return places;
    }

    private static Map<WorkflowKey, Place> locate(Session session, List<WorkflowKey> workflows) throws SQLException {
        String namespace = workflows.getFirst().namespace();
        Map<WorkflowKey, Place> found = new HashMap<>();
        // Ids need no escaping.
        session.query("locate_workflows",
                row -> found.put(new WorkflowKey(namespace, row.getString("workflow_id")),
                        new Place(row.getLong("workflow_no"), row.getLong("shard_no"))),
                namespace, workflows.stream().map(WorkflowKey::workflowId)
                        .collect(Collectors.joining("\",\"", "[\"", "\"]")));
        return found;
    }

    /** A number that no workflow has. */
    long next(Access access) throws SQLException {
        Long next = poll();
        if (next == null) {
            // Without the lock: a caller that waits for it may hold the connection that this one waits for.
            List<Long> drawn = access.run(session -> session.query("draw_numbers", row -> row.getLong(1), DRAWN));
            next = drawn.getFirst();
            lock.lock();
            try {
                fresh.addAll(drawn.subList(1, drawn.size()));
            } finally {
                lock.unlock();
            }
        }
        return next;
    }

    private @Nullable Long poll() {
        lock.lock();
        try {
            return fresh.poll();
        } finally {
            lock.unlock();
        }
    }

    /** A workflow that exists, durably, has its rows there. */
    void located(WorkflowKey workflow, Place place) {
        lock.lock();
        try {
            known.put(workflow, place);
        } finally {
            lock.unlock();
        }
    }

    /** What is kept of a workflow may be old. */
    void forget(WorkflowKey workflow) {
        lock.lock();
        try {
            known.remove(workflow);
        } finally {
            lock.unlock();
        }
    }
}
