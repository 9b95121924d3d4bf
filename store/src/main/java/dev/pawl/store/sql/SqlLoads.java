package dev.pawl.store.sql;

import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Gate;
import dev.pawl.kernel.workflow.GuidRecord;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Many workflows in as many statements as one takes: the trips to a server are most of what it costs. */
final class SqlLoads {

    /** One of them, as its rows come in. */
    private static final class Rows {

        private final WorkflowRecord record;
        private final NavigableMap<ActivityKey, ActivityRecord> activities = new TreeMap<>();
        private final Map<Guid, GuidRecord> guids = new HashMap<>();
        private final Map<ActivityKey, Gate> joins = new TreeMap<>();
        private final List<Message.Signal> signals = new ArrayList<>();

        Rows(WorkflowRecord record) {
            this.record = record;
        }

        void activity(ResultSet row) throws SQLException {
            GuidRecord first = Columns.firstGuid(row);
            if (first != null) {
                guids.put(first.guid(), first);
            }
            ActivityRecord activity = Columns.activity(record.key().namespace(), row);
            activities.put(activity.key(), activity);
        }

        void guid(ResultSet row) throws SQLException {
            GuidRecord guid = Columns.guid(row);
            guids.put(guid.guid(), guid);
        }

        void join(ResultSet row) throws SQLException {
            joins.put(Columns.key(row), Columns.gate(row));
        }

        void signal(ResultSet row) throws SQLException {
            signals.add(Columns.signal(record.key(), row));
        }

        Snapshot snapshot() {
            return new Snapshot(record, activities, guids, joins, signals);
        }
    }

    @FunctionalInterface
    private interface Adding {

        void add(Rows rows, ResultSet row) throws SQLException;
    }

    private final Session session;
    private final String namespace;
    private final Map<Long, Rows> found = new LinkedHashMap<>();

    private SqlLoads(Session session, String namespace) {
        this.session = session;
        this.namespace = namespace;
    }

    /** All of one namespace. */
    static Map<WorkflowKey, Snapshot> load(Session session, Collection<WorkflowKey> keys) throws SQLException {
        Map<WorkflowKey, Snapshot> loaded = new LinkedHashMap<>();
        if (!keys.isEmpty()) {
            keys.forEach(key -> loaded.put(key, Snapshot.ABSENT));
            SqlLoads loads = new SqlLoads(session, keys.iterator().next().namespace());
            loads.run(loaded.keySet());
            loads.found.values().forEach(rows -> loaded.put(rows.record.key(), rows.snapshot()));
        }
        return loaded;
    }

    private void run(Collection<WorkflowKey> keys) throws SQLException {
        // Ids need no escaping.
        String ids = keys.stream().map(WorkflowKey::workflowId).collect(Collectors.joining("\",\"", "[\"", "\"]"));
        session.query("load_workflows", row -> found.put(row.getLong("workflow_no"),
                new Rows(Columns.workflow(namespace, row))), namespace, ids);
        if (!found.isEmpty()) {
            add("load_activities_of", Rows::activity);
            add("load_guids_of", Rows::guid);
            add("load_joins_of", Rows::join);
            add("load_signals_of", Rows::signal);
        }
    }

    private void add(String statement, Adding adding) throws SQLException {
        session.query(statement, row -> {
            Rows rows = found.get(row.getLong("workflow_no"));
            if (rows != null) {
                adding.add(rows, row);
            }
            return true;
        }, namespace, found.keySet().stream().map(String::valueOf).collect(Collectors.joining(",", "[", "]")));
    }
}
