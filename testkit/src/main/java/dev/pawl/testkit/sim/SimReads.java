package dev.pawl.testkit.sim;

import dev.pawl.engine.store.AttributeCondition;
import dev.pawl.engine.store.GivenUp;
import dev.pawl.engine.store.Page;
import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.Waiting;
import dev.pawl.engine.store.WorkflowQuery;
import dev.pawl.kernel.event.Event;
import dev.pawl.kernel.event.JournalEntry;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Recipient;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.message.Attribute;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Effect;
import dev.pawl.kernel.workflow.EffectRecord;
import dev.pawl.kernel.workflow.EffectStatus;
import dev.pawl.kernel.workflow.Waker;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Scans over the tables. */
final class SimReads {

    private static final Comparator<WorkflowRecord> NEWEST_FIRST = Comparator.comparing(WorkflowRecord::createdAt)
            .reversed().thenComparing(WorkflowRecord::key);

    private final SimTables tables;
    private final Set<Flaw> flaws;
    private long highestAcknowledged;

    SimReads(SimTables tables, Set<Flaw> flaws) {
        this.tables = tables;
        this.flaws = flaws;
    }

    List<Delivery> inbox(ShardId shard, int limit) {
        long from = flaws.contains(Flaw.READS_INBOX_FROM_MARK) ? highestAcknowledged + 1 : 0;
        return tables.inbox.isEmpty() ? List.of() : tables.inbox.tailMap(from).values().stream()
                .filter(row -> row.shard().equals(shard))
                .map(SimTables.InboxRow::delivery)
                .limit(limit)
                .toList();
    }

    void acknowledged(long inboxId) {
        highestAcknowledged = Math.max(highestAcknowledged, inboxId);
    }

    List<Delivery> queue(ShardId shard, @Nullable Delivery after, int limit) {
        Stream<Delivery> all = in(shard).flatMap(workflow -> workflow.queue.values().stream());
        return after(all, after, BY_PLACE).limit(limit).toList();
    }

    List<Waiting> due(ShardId shard, Instant now, int limit) {
        Instant until = flaws.contains(Flaw.FIRES_EARLY) ? now.plus(Duration.ofSeconds(1)) : now;
        return timed(shard)
                .filter(waiting -> !dueAt(waiting).isAfter(until))
                .sorted(Comparator.comparing(SimReads::dueAt))
                .limit(limit)
                .toList();
    }

    @Nullable Instant nextDue(ShardId shard) {
        return timed(shard).map(SimReads::dueAt).min(Comparator.naturalOrder()).orElse(null);
    }

    List<Waiting> tasks(ShardId shard, @Nullable Waiting after, int limit) {
        Stream<Waiting> all = waiting(shard).filter(waiting -> waiting.waker() instanceof Waker.Task);
        return after(all, after, BY_ACTIVITY).limit(limit).toList();
    }

    List<Waiting> awake(ShardId shard, @Nullable Waiting after, int limit) {
        Stream<Waiting> all = waiting(shard)
                .filter(waiting -> waiting.waker() instanceof Waker.Code code && code.awake());
        return after(all, after, BY_ACTIVITY).limit(limit).toList();
    }

    Page<WorkflowRecord> workflows(WorkflowQuery query, @Nullable String cursor, int limit) {
        List<WorkflowRecord> rest = tables.workflows.values().stream()
                .filter(workflow -> matches(query, workflow.row) && query.attributes().stream()
                        .allMatch(condition -> matches(condition, workflow)))
                .map(workflow -> workflow.row)
                .sorted(NEWEST_FIRST)
                .filter(row -> cursor == null || flaws.contains(Flaw.COUNTS_ROWS_BETWEEN_PAGES) || after(row, cursor))
                .toList();
        if (flaws.contains(Flaw.COUNTS_ROWS_BETWEEN_PAGES)) {
            int shown = cursor == null ? 0 : Math.min(Integer.parseInt(cursor), rest.size());
            return page(rest.subList(shown, rest.size()), limit, row -> String.valueOf(shown + limit));
        }
        return page(rest, limit, row -> row.createdAt() + " " + row.key().workflowId());
    }

    /** By place in the order, whether the row the cursor was made of still belongs to the list or not. */
    private boolean after(WorkflowRecord row, String cursor) {
        String[] last = cursor.split(" ", 2);
        int byTime = Instant.parse(last[0]).compareTo(row.createdAt());
        boolean tie = byTime == 0 && !flaws.contains(Flaw.LOSES_TIES_BETWEEN_PAGES);
        return byTime > 0 || (tie && row.key().workflowId().compareTo(last[1]) > 0);
    }

    private boolean matches(AttributeCondition condition, SimWorkflow workflow) {
        Attribute found = workflow.attributes.get(new Attribute.Key(false, condition.name()));
        return flaws.contains(Flaw.IGNORES_ATTRIBUTE_VALUES) ? found != null
                : found != null && condition.matches(found);
    }

    List<Attribute> attributes(WorkflowKey key) {
        SimWorkflow rows = tables.workflows.get(key);
        return rows == null ? List.of() : List.copyOf(rows.attributes.values());
    }

    private static boolean matches(WorkflowQuery query, WorkflowRecord row) {
        return row.key().namespace().equals(query.namespace())
                && (query.definition() == null || query.definition().equals(row.beginning().definition()))
                && (query.status() == null || query.status() == row.status())
                && (query.idPrefix() == null || row.key().workflowId().startsWith(query.idPrefix()))
                && (query.createdAfter() == null || !row.createdAt().isBefore(query.createdAfter()))
                && (query.createdBefore() == null || row.createdAt().isBefore(query.createdBefore()));
    }

    Page<Recipient> hooked(String namespace, String topic, @Nullable String cursor, int limit) {
        List<Recipient> rest = tables.workflows.entrySet().stream()
                .filter(entry -> entry.getKey().namespace().equals(namespace))
                .filter(entry -> entry.getValue().open() && waitsOn(entry.getValue(), topic))
                .filter(entry -> cursor == null || entry.getKey().workflowId().compareTo(cursor) > 0)
                .map(entry -> new Recipient(entry.getValue().row.beginning().group(), entry.getKey()))
                .toList();
        return page(rest, limit, recipient -> recipient.workflow().workflowId());
    }

    /** Hooks by the beginning of their topics, in the order of workflows and activities. */
    Page<Waiting> awaiting(String namespace, String prefix, @Nullable String cursor, int limit) {
        List<Waiting> rest = tables.shards.keySet().stream()
                .filter(shard -> shard.namespace().equals(namespace))
                .flatMap(this::waiting)
                .filter(waiting -> waiting.waker() instanceof Waker.Hook hook && !hook.taken()
                        && hook.topic().startsWith(prefix))
                .filter(waiting -> cursor == null || place(waiting).compareTo(cursor) > 0)
                .sorted(Comparator.comparing(SimReads::place))
                .toList();
        return page(rest, limit, SimReads::place);
    }

    private static String place(Waiting waiting) {
        return waiting.workflow().workflowId() + " " + waiting.activity().activity();
    }

    Page<WorkflowRecord> parked(String namespace, @Nullable String cursor, int limit) {
        List<WorkflowRecord> rest = tables.shards.keySet().stream()
                .filter(shard -> shard.namespace().equals(namespace))
                .flatMap(this::waiting)
                .filter(waiting -> waiting.waker() instanceof Waker.Code code && code.awake())
                .map(waiting -> java.util.Objects.requireNonNull(tables.workflows.get(waiting.workflow())).row)
                .filter(row -> row.status() == WorkflowStatus.PARKED)
                .filter(row -> cursor == null || row.key().workflowId().compareTo(cursor) > 0)
                .sorted(Comparator.comparing(row -> row.key().workflowId()))
                .toList();
        return page(rest, limit, row -> row.key().workflowId());
    }

    Page<EffectRecord> unknownEffects(String namespace, @Nullable String cursor, int limit) {
        List<EffectRecord> rest = tables.workflows.values().stream()
                .filter(workflow -> workflow.row.key().namespace().equals(namespace))
                .filter(workflow -> workflow.row.closedAt() != null || flaws.contains(Flaw.LISTS_WHAT_IS_UNDER_WAY))
                .flatMap(workflow -> workflow.effects.values().stream())
                .filter(each -> each.effect().status() == EffectStatus.INDETERMINATE)
                .filter(each -> cursor == null || place(each).compareTo(cursor) > 0)
                .sorted(Comparator.comparing(SimReads::place))
                .toList();
        return page(rest, limit, SimReads::place);
    }

    private static String place(EffectRecord effect) {
        Effect.Key key = effect.effect().key();
        return String.join(" ", effect.workflow().workflowId(), key.operationId(), key.activityName(),
                key.idempotencyKey());
    }

    private static boolean waitsOn(SimWorkflow workflow, String topic) {
        return workflow.activities.values().stream()
                .anyMatch(activity -> activity.waker() instanceof Waker.Hook hook && hook.awaits(topic));
    }

    Page<GivenUp> givenUp(String namespace, @Nullable String cursor, int limit) {
        List<GivenUp> all = tables.givenUp.stream()
                .filter(message -> message.shard().namespace().equals(namespace))
                .filter(message -> cursor == null || message.id() > Long.parseLong(cursor))
                .toList();
        return page(all, limit, message -> String.valueOf(message.id()));
    }

    List<Event> events(WorkflowKey key, long after, int limit) {
        SimWorkflow rows = tables.workflows.get(key);
        return rows == null ? List.of()
                : rows.journal.stream().map(JournalEntry::event).filter(event -> event.number() > after).limit(limit)
                        .toList();
    }

    List<JournalEntry> journal(WorkflowKey key, long after, int limit) {
        SimWorkflow rows = tables.workflows.get(key);
        return rows == null ? List.of()
                : rows.journal.stream().filter(entry -> entry.event().number() > after).limit(limit).toList();
    }

    /** As the port says it: found by what events tell, not by what is kept. */
    @Nullable ActivityRecord activity(WorkflowKey key, ActivityKey activity, long after) {
        SimWorkflow rows = tables.workflows.get(key);
        if (rows == null || rows.journal.stream().noneMatch(entry -> entry.event().number() > after
                && entry.event().json()
                        .contains("\"key\":\"" + activity.activity() + activity.address().drawing() + '"'))) {
            return null;
        }
        return rows.activities.get(activity);
    }

    List<Waiting> waiting(WorkflowKey key) {
        SimWorkflow rows = tables.workflows.get(key);
        return rows == null || !rows.open() ? List.of()
                : rows.activities.values().stream().filter(activity -> activity.waker().open())
                        .map(activity -> new Waiting(key, activity.key(), activity.waker()))
                        .sorted(Comparator.comparing((Waiting each) -> each.activity().address().drawing())
                                .thenComparing(each -> each.activity().activity()))
                        .toList();
    }

    List<EffectRecord> effects(WorkflowKey key) {
        SimWorkflow rows = tables.workflows.get(key);
        return rows == null ? List.of()
                : rows.effects.values().stream().sorted(Comparator.comparing(each -> each.effect().key())).toList();
    }

    private Stream<SimWorkflow> in(ShardId shard) {
        return tables.workflows.values().stream().filter(workflow -> workflow.shard.equals(shard));
    }

    private Stream<Waiting> waiting(ShardId shard) {
        return in(shard)
                .filter(SimWorkflow::open)
                .flatMap(workflow -> workflow.activities.values().stream()
                        .map(activity -> new Waiting(workflow.row.key(), activity.key(), activity.waker())));
    }

    private Stream<Waiting> timed(ShardId shard) {
        return waiting(shard).filter(
                waiting -> waiting.waker() instanceof Waker.Timer || waiting.waker() instanceof Waker.Task);
    }

    private static Instant dueAt(Waiting waiting) {
        return switch (waiting.waker()) {
            case Waker.Timer timer -> timer.dueAt();
            case Waker.Task task -> task.deadline();
            default -> throw new IllegalArgumentException(waiting + " is not woken by time");
        };
    }

    private static final Comparator<Delivery> BY_PLACE = Comparator
            .comparing((Delivery delivery) -> delivery.message().workflow())
            .thenComparing(delivery -> delivery.place() instanceof Delivery.Place.Queue queue ? queue.number() : 0L);

    private static final Comparator<Waiting> BY_ACTIVITY = Comparator.comparing(Waiting::workflow)
            .thenComparing(Waiting::activity);

    /** The rows after the given one, whether that one is still there or not. */
    private static <T> Stream<T> after(Stream<T> all, @Nullable T after, Comparator<T> order) {
        return after == null ? all : all.filter(each -> order.compare(each, after) > 0);
    }

    private static <T> Page<T> page(List<T> rest, int limit, Function<T, String> place) {
        List<T> items = rest.subList(0, Math.min(limit, rest.size()));
        return new Page<>(items, items.size() < rest.size() ? place.apply(items.getLast()) : null);
    }
}
