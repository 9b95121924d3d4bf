package dev.pawl.store.sqlite;

import dev.pawl.engine.store.Fence;
import dev.pawl.engine.store.ShardId;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.event.Event;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.Recipient;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Attribute;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Message.Beginning;
import dev.pawl.kernel.message.Origin;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.EffectRecord;
import dev.pawl.kernel.workflow.GuidRecord;
import dev.pawl.kernel.workflow.WorkflowRecord;
import dev.pawl.store.plan.Plan;
import dev.pawl.store.plan.WorkflowPlan;
import dev.pawl.store.row.AttributeRow;
import dev.pawl.store.row.EffectRow;
import dev.pawl.store.row.FreeText;
import dev.pawl.store.row.MessageRow;
import dev.pawl.store.row.WakerRow;
import dev.pawl.store.sql.Database.Verdict;
import dev.pawl.store.sql.Session;
import dev.pawl.store.sql.Shards;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Carries out a plan, row by row, in a transaction of the writer's. As soon as something does not fit it says so, and the caller
 * undoes what was written so far.
 */
final class SqliteCommit {

    private final Session session;
    private final Shards shards;
    private final WorkflowNumbers numbers;
    private final ShardId shard;
    private final String namespace;

    /** Where a workflow's rows are. */
    record Place(long workflowNo, long shardNo) {
    }

    SqliteCommit(Session session, Shards shards, WorkflowNumbers numbers, ShardId shard) {
        this.session = session;
        this.shards = shards;
        this.numbers = numbers;
        this.shard = shard;
        this.namespace = shard.namespace();
    }

    /** Whether the fence is the shard's latest, and somebody holds it. */
    boolean holds(Fence fence) throws SQLException {
        return shardNo("hold_fence", fence) != null;
    }

    private @Nullable Long shardNo(String statement, Fence fence) throws SQLException {
        return session.first(statement, row -> row.getLong(1), namespace, shard.group(), shard.number(), fence.epoch());
    }

    Verdict run(Fence fence, Plan plan) throws SQLException {
        Long shardNo = shardNo("fence", fence);
        if (shardNo == null) {
            return Verdict.STALE;
        }
        for (WorkflowKey absent : plan.mustNotExist()) {
            if (session.first("find_workflow", row -> true, namespace, absent.workflowId()) != null) {
                return Verdict.REFUSED;
            }
        }
        for (WorkflowPlan workflow : plan.workflows()) {
            if (!(workflow.created == null ? update(shardNo, workflow) : create(shardNo, workflow))) {
                return Verdict.REFUSED;
            }
        }
        return inbox(shardNo, plan) && posts(plan) ? Verdict.WRITTEN : Verdict.REFUSED;
    }

    /** Without a fence: an inception only inserts. False if the workflow is there already. */
    boolean start(long shardNo, WorkflowPlan plan) throws SQLException {
        return create(shardNo, plan);
    }

    private boolean create(long shardNo, WorkflowPlan plan) throws SQLException {
        WorkflowRecord record = java.util.Objects.requireNonNull(plan.created);
        Beginning beginning = record.beginning();
        Shards.Numbered home = shards.home(session, plan.key, beginning.group());
        if (home == null || home.shardNo() != shardNo) {
            return false;
        }
        Origin origin = beginning.origin();
        int created = session.update("create_workflow", namespace, plan.key.workflowId(), shardNo,
                beginning.group(), beginning.definition(), beginning.definitionVersion(), beginning.trigger(),
                beginning.threshold(), origin == null ? null : origin.parent().group(),
                origin == null ? null : origin.parent().workflow().namespace(),
                origin == null ? null : origin.parent().workflow().workflowId(),
                origin == null ? null : origin.activity().activity(),
                origin == null ? null : origin.activity().address().drawing(),
                origin == null ? null : origin.answer(),
                origin == null ? null : Integer.valueOf(origin.awaitsResult() ? 1 : 0), record.status().name(),
                plan.version, record.gate().semaphore().open(), plan.nextNumber == null ? 0L : plan.nextNumber,
                plan.chain, record.createdAt().toEpochMilli());
        numbers.forget(plan.key);
        Long workflowNo = created == 0 ? null : numbers.of(session, plan.key);
        return workflowNo != null && rows(plan, new Place(workflowNo, shardNo), plan.moves);
    }

    private boolean update(long shardNo, WorkflowPlan plan) throws SQLException {
        Long workflowNo = numbers.of(session, plan.key);
        if (workflowNo == null) {
            return false;
        }
        boolean moves = !plan.moves.isEmpty();
        int committed = session.update("commit_workflow", namespace, workflowNo, shardNo, plan.expectedVersion,
                plan.expectedChain, plan.firstNumber, plan.version, plan.chain,
                plan.nextNumber, moves ? plan.moves.getFirst().delta() : 0L,
                moves ? plan.moves.getFirst().by() : null, moves && plan.moves.getFirst().predictedHit() ? 1L : 0L);
        return committed == 1 && rows(plan, new Place(workflowNo, shardNo),
                moves ? plan.moves.subList(1, plan.moves.size()) : plan.moves);
    }

    private boolean rows(WorkflowPlan plan, Place place, List<WorkflowPlan.Move> moves) throws SQLException {
        long workflowNo = place.workflowNo();
        if (!ledgers(plan, place) || !move(workflowNo, moves) || !joins(plan, workflowNo)
                || !closers(plan, workflowNo)) {
            return false;
        }
        SqliteSignals signals = new SqliteSignals(session, plan, place);
        if (!signals.accept()) {
            return false;
        }
        queue(plan, place);
        for (Event event : plan.events) {
            session.update("append_event", namespace, workflowNo, event.number(), event.json());
        }
        for (EffectRecord effect : plan.effects.values()) {
            session.update("put_effect", EffectRow.columns(effect, namespace, workflowNo));
        }
        for (Write.PutAttribute put : plan.attributes.values()) {
            attribute(put, workflowNo);
        }
        signals.keepAndTake();
        if (plan.moves.stream().anyMatch(WorkflowPlan.Move::predictedHit)) {
            session.update("retire_activities", namespace, workflowNo);
        }
        Write.Hold hold = plan.hold;
        if (hold != null) {
            session.update("hold_workflow", namespace, workflowNo, hold.status().name(),
                    FreeText.columnOrNull(hold.reason()));
        }
        Write.CloseWorkflow close = plan.close;
        if (close != null) {
            session.update("close_workflow", namespace, workflowNo, close.status().name(), close.output(),
                    FreeText.columnOrNull(close.reason()), close.closedAt().toEpochMilli());
        }
        return true;
    }

    private void attribute(Write.PutAttribute put, long workflowNo) throws SQLException {
        Attribute.Key key = put.attribute().key();
        if (put.attribute() instanceof Attribute.Removed) {
            session.update("remove_attribute", namespace, workflowNo, key.memo() ? 1 : 0, key.name());
        } else {
            session.update("put_attribute", AttributeRow.columns(put, namespace, workflowNo, key.memo() ? 1 : 0));
        }
    }

    private boolean ledgers(WorkflowPlan plan, Place place) throws SQLException {
        Map<ActivityKey, GuidRecord> first = new HashMap<>();
        for (GuidRecord guid : plan.guids.values()) {
            if (WorkflowPlan.first(guid)) {
                first.put(guid.activity(), guid);
            } else if (session.update("put_guid", namespace, place.workflowNo(), guid.guid(),
                    guid.activity().address().drawing(), guid.activity().activity(), guid.ledger().digits()) == 0) {
                return false;
            }
        }
        for (ActivityRecord activity : plan.activities.values()) {
            put(place, activity, first.remove(activity.key()));
        }
        for (GuidRecord guid : first.values()) {
            if (session.update("put_first_guid", namespace, place.workflowNo(), guid.activity().address().drawing(),
                    guid.activity().activity(), guid.guid(), guid.ledger().digits()) == 0) {
                return false;
            }
        }
        return true;
    }

    private void put(Place place, ActivityRecord activity, @Nullable GuidRecord first) throws SQLException {
        WakerRow waker = WakerRow.of(activity.waker());
        Recipient child = WakerRow.child(namespace, activity);
        session.update("put_activity", namespace, place.workflowNo(), activity.key().address().drawing(),
                activity.key().activity(), place.shardNo(), activity.type().name(), activity.ledger().digits(),
                first == null ? null : first.guid(), first == null ? null : Long.valueOf(first.ledger().digits()),
                activity.input(), activity.output(), waker.waker(), waker.name(), waker.dueAt(),
                waker.attempt(), waker.taskInput(), child == null ? null : child.group(),
                child == null ? null : child.workflow().workflowId());
    }

    /** One move after the other: the database says which of them reached the threshold, and it must be the one foreseen. */
    private boolean move(long workflowNo, List<WorkflowPlan.Move> moves) throws SQLException {
        for (WorkflowPlan.Move move : moves) {
            if (session.update("move_semaphore", namespace, workflowNo, move.delta(), move.by(),
                    move.predictedHit() ? 1L : 0L) == 0) {
                return false;
            }
        }
        return true;
    }

    private boolean closers(WorkflowPlan plan, long workflowNo) throws SQLException {
        for (Map.Entry<Guid, Long> closer : plan.closers.entrySet()) {
            int marked = session.update("mark_first_closer", namespace, workflowNo, closer.getKey(), closer.getValue());
            if (marked + session.update("mark_closer", namespace, workflowNo, closer.getKey(),
                    closer.getValue()) != 1) {
                return false;
            }
        }
        return true;
    }

    private boolean joins(WorkflowPlan plan, long workflowNo) throws SQLException {
        for (Write.MoveJoin move : plan.joins) {
            boolean opened = Boolean.TRUE.equals(session.first("move_join", row -> row.getBoolean(1), namespace,
                    workflowNo, move.join().address().drawing(), move.join().activity(), move.arrivals(), move.by()));
            if (opened != move.predictedHit()) {
                return false;
            }
        }
        return true;
    }

    private void queue(WorkflowPlan plan, Place place) throws SQLException {
        long shardNo = place.shardNo();
        long workflowNo = place.workflowNo();
        for (Map.Entry<Long, Message> queued : plan.queued.entrySet()) {
            MessageRow row = MessageRow.of(queued.getValue());
            session.update("queue_message", namespace, shardNo, workflowNo, queued.getKey(), row.kind(), row.guid(),
                    row.activity(), row.address(), row.name(), row.source(), row.attempt(), row.response(),
                    row.payload(), row.details());
        }
        for (Map.Entry<Long, Integer> charged : plan.charged.entrySet()) {
            session.update("charge_message", namespace, shardNo, workflowNo, charged.getKey(), charged.getValue());
        }
        for (Map.Entry<Long, String> givenUp : plan.givenUp.entrySet()) {
            session.update("give_up_message", namespace, shardNo, workflowNo, givenUp.getKey(),
                    FreeText.column(givenUp.getValue()), plan.key.workflowId());
            session.update("acknowledge_message", namespace, shardNo, workflowNo, givenUp.getKey());
        }
        for (Long acknowledged : plan.acknowledged) {
            session.update("acknowledge_message", namespace, shardNo, workflowNo, acknowledged);
        }
    }

    private boolean inbox(long shardNo, Plan plan) throws SQLException {
        for (Long id : plan.mustLieInInbox()) {
            if (session.first("lies_in_inbox", row -> true, namespace, shardNo, id) == null) {
                return false;
            }
        }
        for (Map.Entry<Long, Integer> charged : plan.chargedInInbox().entrySet()) {
            session.update("charge_in_inbox", namespace, shardNo, charged.getKey(), charged.getValue());
        }
        for (Map.Entry<Long, String> givenUp : plan.givenUpInInbox().entrySet()) {
            session.update("give_up_in_inbox", namespace, shardNo, givenUp.getKey(),
                    FreeText.column(givenUp.getValue()));
            session.update("take_from_inbox", namespace, shardNo, givenUp.getKey());
        }
        for (Long taken : plan.takenFromInbox()) {
            session.update("take_from_inbox", namespace, shardNo, taken);
        }
        return true;
    }

    private boolean posts(Plan plan) throws SQLException {
        for (Write.Post post : plan.posts()) {
            if (shards.home(session, post.message().workflow(), post.group()) == null) {
                return false;
            }
            shards.post(session, "post_message", post.group(), post.message());
        }
        return true;
    }
}
