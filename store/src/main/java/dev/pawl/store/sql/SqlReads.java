package dev.pawl.store.sql;

import dev.pawl.engine.store.GivenUp;
import dev.pawl.engine.store.Page;
import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.Waiting;
import dev.pawl.engine.store.WorkflowQuery;
import dev.pawl.kernel.bundle.Fold;
import dev.pawl.kernel.event.Event;
import dev.pawl.kernel.event.JournalEntry;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Recipient;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Attribute;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Delivery.Place;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.EffectRecord;
import dev.pawl.kernel.workflow.WorkflowRecord;
import dev.pawl.store.row.AttributeFilter;
import dev.pawl.store.row.FreeText;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Everything that is read, each method in a transaction of the caller's that sees one state throughout. */
final class SqlReads {

    private SqlReads() {
    }

    /** Ids need no escaping. */
    static Set<String> existing(Session session, String namespace, Collection<String> workflowIds)
            throws SQLException {
        String json = workflowIds.stream().collect(Collectors.joining("\",\"", "[\"", "\"]"));
        return workflowIds.isEmpty() ? Set.of()
                : Set.copyOf(session.query("existing_workflows", row -> row.getString(1), namespace, json));
    }

    static @Nullable WorkflowRecord workflow(Session session, WorkflowKey key) throws SQLException {
        return session.first("load_workflow", row -> Columns.workflow(key.namespace(), row), key.namespace(),
                key.workflowId());
    }

    /** A record of the journal that is only a part of it: what input and output of the workflow are, it does not hold itself. */
    private record Told(Payload input, Payload output, JournalEntry entry) {
    }

    static @Nullable ActivityRecord activity(Session session, WorkflowKey workflow, ActivityKey activity, long after)
            throws SQLException {
        List<Told> told = session.query("load_activity",
                row -> new Told(Columns.payload(row, "input"), Columns.payload(row, "output"), Columns.entry(row)),
                workflow.namespace(), workflow.workflowId(), after,
                "\"key\":\"" + activity.activity() + activity.address().drawing() + '"');
        return told.isEmpty() ? null
                : new Fold(workflow, told.getFirst().input(), told.getFirst().output()).activity(activity,
                        told.stream().map(Told::entry).toList());
    }

    static List<Waiting> waiting(Session session, WorkflowKey workflow) throws SQLException {
        return session.query("waiting", row -> waiting(workflow.namespace(), row), workflow.namespace(),
                workflow.workflowId());
    }

    static @Nullable ShardId home(Session session, WorkflowKey key) throws SQLException {
        return session.first("home_of_workflow",
                row -> new ShardId(key.namespace(), row.getString("group_name"), row.getInt("shard_number")),
                key.namespace(), key.workflowId());
    }

    static List<Delivery> inbox(Session session, String namespace, long shardNo, int limit) throws SQLException {
        return session.query("inbox", row -> new Delivery(new Place.Inbox(row.getLong("inbox_id")),
                Columns.message(namespace, row), row.getInt("marks")), namespace, shardNo, limit);
    }

    static List<Delivery> queue(Session session, String namespace, long shardNo, @Nullable Delivery after, int limit)
            throws SQLException {
        long workflowNo = after == null ? -1 : number(session, after.message().workflow());
        long number = after != null && after.place() instanceof Place.Queue queue ? queue.number() : -1;
        return session.query("queue", row -> new Delivery(new Place.Queue(row.getLong("number")),
                Columns.message(namespace, row), row.getInt("marks")), namespace, shardNo, workflowNo, number, limit);
    }

    /** Where a workflow stands in the order of the queues; what has been deleted stands before everything. */
    private static long number(Session session, WorkflowKey key) throws SQLException {
        Long number = session.first("workflow_number", row -> row.getLong("workflow_no"), key.namespace(),
                key.workflowId());
        return number == null ? -1 : number;
    }

    static List<Waiting> due(Session session, String namespace, long shardNo, Instant now, int limit)
            throws SQLException {
        return session.query("due", row -> waiting(namespace, row), shardNo, now.toEpochMilli(), limit);
    }

    static @Nullable Instant nextDue(Session session, long shardNo) throws SQLException {
        return session.first("next_due", row -> Columns.instant(row, "due_at"), shardNo);
    }

    static List<Waiting> tasks(Session session, String namespace, long shardNo, @Nullable Waiting after, int limit)
            throws SQLException {
        if (after == null) {
            return session.query("tasks", row -> waiting(namespace, row), shardNo, Long.MIN_VALUE, 0L, "", "", limit);
        }
        return session.query("tasks", row -> waiting(namespace, row), shardNo, deadline(after),
                number(session, after.workflow()), after.activity().address().drawing(), after.activity().activity(),
                limit);
    }

    static List<Waiting> awake(Session session, String namespace, long shardNo, @Nullable Waiting after, int limit)
            throws SQLException {
        return after == null
                ? session.query("awake", row -> waiting(namespace, row), shardNo, 0L, "", "", limit)
                : session.query("awake", row -> waiting(namespace, row), shardNo,
                        number(session, after.workflow()), after.activity().address().drawing(),
                        after.activity().activity(), limit);
    }

    private static long deadline(Waiting waiting) {
        return waiting.waker() instanceof dev.pawl.kernel.workflow.Waker.Task task
                ? task.deadline().toEpochMilli()
                : Long.MIN_VALUE;
    }

    static Waiting waiting(String namespace, ResultSet row) throws SQLException {
        return new Waiting(new WorkflowKey(namespace, row.getString("workflow_id")), Columns.key(row),
                Columns.waker(row));
    }

    static Page<WorkflowRecord> workflows(Session session, WorkflowQuery query, @Nullable String cursor, int limit)
            throws SQLException {
        String[] last = cursor == null ? new String[0] : cursor.split(" ", 2);
        boolean plain = query.attributes().isEmpty();
        AttributeFilter.Lead lead = AttributeFilter.lead(query.attributes());
        List<WorkflowRecord> rows = session.query(plain ? "workflows" : lead.statement(),
                row -> Columns.workflow(query.namespace(), row), query.namespace(), query.definition(),
                query.status() == null ? null : query.status().name(),
                query.idPrefix(), millis(query.createdAfter()), millis(query.createdBefore()),
                last.length < 2 ? null : Long.valueOf(last[0]), last.length < 2 ? null : last[1], limit + 1,
                plain ? null : AttributeFilter.json(query.attributes()), lead.name(), lead.value(), lead.type());
        return page(rows, limit, row -> row.createdAt().toEpochMilli() + " " + row.key().workflowId());
    }

    private static @Nullable Long millis(@Nullable Instant instant) {
        return instant == null ? null : instant.toEpochMilli();
    }

    static Page<Recipient> hooked(Session session, String namespace, String topic, @Nullable String cursor, int limit)
            throws SQLException {
        List<Recipient> rows = session.query("hooked", row -> new Recipient(row.getString("group_name"),
                new WorkflowKey(namespace, row.getString("workflow_id"))), namespace, FreeText.column(topic),
                cursor == null ? "" : cursor, limit + 1);
        return page(rows, limit, recipient -> recipient.workflow().workflowId());
    }

    static Page<GivenUp> givenUp(Session session, String namespace, @Nullable String cursor, int limit)
            throws SQLException {
        List<GivenUp> rows = session.query("given_up", row -> givenUp(namespace, row), namespace,
                cursor == null ? 0L : Long.parseLong(cursor), limit + 1);
        return page(rows, limit, row -> String.valueOf(row.id()));
    }

    private static GivenUp givenUp(String namespace, ResultSet row) throws SQLException {
        long number = row.getLong("place_no");
        Place place = row.getString("place").equals("QUEUE") ? new Place.Queue(number) : new Place.Inbox(number);
        return new GivenUp(row.getLong("given_up_id"),
                new ShardId(namespace, row.getString("group_name"), row.getInt("shard_number")),
                new Delivery(place, Columns.message(namespace, row), row.getInt("marks")),
                FreeText.text(row.getString("reason")));
    }

    static List<Event> events(Session session, WorkflowKey key, long after, int limit) throws SQLException {
        return session.query("events", row -> Event.of(row.getLong("number"), row.getString("body")), key.namespace(),
                key.workflowId(), after, limit);
    }

    static List<JournalEntry> journal(Session session, WorkflowKey key, long after, int limit) throws SQLException {
        return session.query("events", Columns::entry, key.namespace(), key.workflowId(), after, limit);
    }

    static List<EffectRecord> effects(Session session, WorkflowKey key) throws SQLException {
        return session.query("effects", row -> Columns.effect(key, row), key.namespace(), key.workflowId());
    }

    static List<Attribute> attributes(Session session, WorkflowKey key) throws SQLException {
        return session.query("attributes", Columns::attribute, key.namespace(), key.workflowId());
    }

    /** One row more than asked for was read, to know whether there is a next page. */
    static <T> Page<T> page(List<T> rows, int limit, Function<T, String> place) {
        boolean more = rows.size() > limit;
        List<T> items = more ? rows.subList(0, limit) : rows;
        return new Page<>(items, more ? place.apply(items.getLast()) : null);
    }
}
