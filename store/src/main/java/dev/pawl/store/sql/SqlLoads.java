package dev.pawl.store.sql;

import dev.pawl.kernel.bundle.Fold;
import dev.pawl.kernel.event.JournalEntry;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.ledger.LedgerViolation;
import dev.pawl.kernel.workflow.Gate;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Loads workflows: the row of each, and what its events fold to. The two must agree, or one of them was changed, and so must its joins. Many
 * take as many statements as one: the trips to a server are most of what they cost.
 */
final class SqlLoads {

    /** One of them, as its events come in. */
    private static final class Loading {

        private final WorkflowRecord row;
        private final Fold fold;
        private final Map<ActivityKey, Gate> joins = new TreeMap<>();

        Loading(WorkflowRecord row) {
            this.row = row;
            this.fold = new Fold(row.key(), row.beginning().input(), row.output());
        }

        void add(JournalEntry entry) {
            fold.add(entry);
        }

        boolean hasJoins() {
            return fold.hasJoins();
        }

        Snapshot snapshot() {
            Snapshot folded = fold.snapshot();
            if (!row.equals(folded.workflow())) {
                throw new LedgerViolation(
                        "the row of " + row.key() + " is not what its events come to: one of them was changed");
            }
            if (!joins.equals(folded.joins())) {
                throw new LedgerViolation("the joins of " + row.key() + " are " + joins + ", but its events come to "
                        + folded.joins());
            }
            return folded;
        }
    }

    private SqlLoads() {
    }

    static Snapshot load(Session session, WorkflowKey key) throws SQLException {
        return load(session, List.of(key)).getOrDefault(key, Snapshot.ABSENT);
    }

    /** All of one namespace. */
    static Map<WorkflowKey, Snapshot> load(Session session, Collection<WorkflowKey> keys) throws SQLException {
        Map<WorkflowKey, Snapshot> loaded = new LinkedHashMap<>();
        if (!keys.isEmpty()) {
            keys.forEach(key -> loaded.put(key, Snapshot.ABSENT));
            loading(session, keys.iterator().next().namespace(), loaded.keySet()).values()
                    .forEach(each -> loaded.put(each.row.key(), each.snapshot()));
        }
        return loaded;
    }

    private static Map<Long, Loading> loading(Session session, String namespace, Collection<WorkflowKey> keys)
            throws SQLException {
        Map<Long, Loading> found = new LinkedHashMap<>();
        if (keys.size() == 1) {
            session.query("load_workflow", row -> add(found, namespace, row), namespace,
                    keys.iterator().next().workflowId());
        } else {
            // Ids need no escaping.
            session.query("load_workflows", row -> add(found, namespace, row), namespace, keys.stream()
                    .map(WorkflowKey::workflowId).collect(Collectors.joining("\",\"", "[\"", "\"]")));
        }
        if (found.size() == 1) {
            Map.Entry<Long, Loading> only = found.entrySet().iterator().next();
            session.query("load_events", row -> {
                only.getValue().add(Columns.entry(row));
                return true;
            }, only.getKey());
        } else if (!found.isEmpty()) {
            session.query("load_events_of", row -> {
                Loading of = found.get(row.getLong("workflow_no"));
                if (of != null) {
                    of.add(Columns.entry(row));
                }
                return true;
            }, numbers(found.keySet().stream()));
        }
        if (found.values().stream().anyMatch(Loading::hasJoins)) {
            session.query("load_joins_of", row -> Objects.requireNonNull(found.get(row.getLong("workflow_no"))).joins
                    .put(Columns.key(row), Columns.gate(row)), namespace,
                    numbers(found.entrySet().stream().filter(each -> each.getValue().hasJoins())
                            .map(Map.Entry::getKey)));
        }
        return found;
    }

    private static String numbers(Stream<Long> numbers) {
        return numbers.map(String::valueOf).collect(Collectors.joining(",", "[", "]"));
    }

    private static boolean add(Map<Long, Loading> found, String namespace, ResultSet row) throws SQLException {
        found.put(row.getLong("workflow_no"), new Loading(Columns.workflow(namespace, row)));
        return true;
    }
}
