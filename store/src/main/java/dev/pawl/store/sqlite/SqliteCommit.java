package dev.pawl.store.sqlite;

import dev.pawl.engine.store.Fence;
import dev.pawl.engine.store.ShardId;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Hash;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Attribute;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Message.Beginning;
import dev.pawl.kernel.message.Origin;
import dev.pawl.kernel.workflow.EffectRecord;
import dev.pawl.kernel.workflow.Waker;
import dev.pawl.kernel.workflow.WorkflowRecord;
import dev.pawl.store.plan.Plan;
import dev.pawl.store.plan.WorkflowPlan;
import dev.pawl.store.row.AttributeRow;
import dev.pawl.store.row.EffectRow;
import dev.pawl.store.row.EventRow;
import dev.pawl.store.row.FreeText;
import dev.pawl.store.row.MessageRow;
import dev.pawl.store.row.WakerRow;
import dev.pawl.store.sql.Database.Verdict;
import dev.pawl.store.sql.Session;
import dev.pawl.store.sql.Shards;
import java.sql.SQLException;
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
                record.gate().semaphore().open(), plan.nextNumber == null ? 0L : plan.nextNumber, beginning.input(),
                record.createdAt().toEpochMilli());
        numbers.forget(plan.key);
        Place place = created == 0 ? null : numbers.of(session, plan.key);
        return place != null && rows(plan, place, plan.moves);
    }

    private boolean update(long shardNo, WorkflowPlan plan) throws SQLException {
        Place place = numbers.of(session, plan.key);
        if (place == null || place.shardNo() != shardNo) {
            return false;
        }
        boolean moves = !plan.moves.isEmpty();
        boolean committed =
                !plan.changesRow() || session.update("commit_workflow", place.workflowNo(), shardNo, plan.firstNumber,
                        plan.nextNumber, moves ? plan.moves.getFirst().delta() : 0L,
                        moves ? plan.moves.getFirst().by() : null,
                        moves && plan.moves.getFirst().predictedHit() ? 1L : 0L) == 1;
        return committed && rows(plan, place, moves ? plan.moves.subList(1, plan.moves.size()) : plan.moves);
    }

    private boolean rows(WorkflowPlan plan, Place place, List<WorkflowPlan.Move> moves) throws SQLException {
        long workflowNo = place.workflowNo();
        if (!move(workflowNo, moves) || !joins(plan, workflowNo) || !accept(plan, place)) {
            return false;
        }
        queue(plan, place);
        events(plan, workflowNo);
        waiting(plan, place);
        for (EffectRecord effect : plan.effects.values()) {
            session.update("put_effect", EffectRow.columns(effect, namespace, workflowNo));
        }
        for (Write.PutAttribute put : plan.attributes.values()) {
            attribute(put, workflowNo);
        }
        Write.Hold hold = plan.hold;
        if (hold != null) {
            session.update("hold_workflow", workflowNo, hold.status().name(), FreeText.columnOrNull(hold.reason()));
        }
        Write.CloseWorkflow close = plan.close;
        if (close != null) {
            session.update("close_workflow", workflowNo, close.status().name(), close.output(),
                    FreeText.columnOrNull(close.reason()), close.closedAt().toEpochMilli());
        }
        return true;
    }

    /** Fails if the first one does not follow the last event of the workflow. */
    private void events(WorkflowPlan plan, long workflowNo) throws SQLException {
        Hash previous = plan.created == null ? plan.expectedChain : null;
        for (EventRow event : EventRow.of(plan)) {
            if (previous == null) {
                session.update("append_event", workflowNo, event.number(), event.hash(), event.signalGuid(),
                        event.body(), event.payloads());
            } else {
                session.update("append_event_after", workflowNo, event.number(), event.hash(), event.signalGuid(),
                        event.body(), event.payloads(), previous);
            }
            // Those after it were found to follow when the batch was planned.
            previous = null;
        }
    }

    /** False if a signal that is accepted here is known. Before the queue is written: one that lies there must have been there. */
    private boolean accept(WorkflowPlan plan, Place place) throws SQLException {
        for (Write.Accept accept : plan.accepted.values()) {
            String name = FreeText.column(accept.signalName());
            String id = FreeText.column(accept.signalId());
            boolean known = accept.keyed() && Boolean.TRUE.equals(session.first("signal_is_known",
                    row -> row.getBoolean(1), namespace, plan.key.workflowId(), name, id, place.shardNo(),
                    place.workflowNo(), accept.guid()));
            if (known || session.update("accept_in_commit", namespace, plan.key.workflowId(), name, id, accept.guid(),
                    accept.acceptedAt().toEpochMilli(), accept.expiresAt().toEpochMilli()) == 0) {
                return false;
            }
        }
        return true;
    }

    private void waiting(WorkflowPlan plan, Place place) throws SQLException {
        long workflowNo = place.workflowNo();
        if (plan.closes() && plan.created == null) {
            session.update("end_all_waiting", workflowNo);
        }
        for (ActivityKey ended : plan.ended()) {
            session.update("end_waiting", workflowNo, ended.address().drawing(), ended.activity());
        }
        for (Map.Entry<ActivityKey, Waker> opened : plan.opened().entrySet()) {
            WakerRow waker = WakerRow.of(opened.getValue());
            session.update("put_waiting", workflowNo, opened.getKey().address().drawing(),
                    opened.getKey().activity(), namespace, place.shardNo(), waker.waker(), waker.name(),
                    waker.dueAt(), waker.attempt(), waker.taskInput());
        }
    }

    private void attribute(Write.PutAttribute put, long workflowNo) throws SQLException {
        Attribute.Key key = put.attribute().key();
        if (put.attribute() instanceof Attribute.Removed) {
            session.update("remove_attribute", namespace, workflowNo, key.memo() ? 1 : 0, key.name());
        } else {
            session.update("put_attribute", AttributeRow.columns(put, namespace, workflowNo, key.memo() ? 1 : 0));
        }
    }

    /** One move after the other: the database says which of them reached the threshold, and it must be the one foreseen. */
    private boolean move(long workflowNo, List<WorkflowPlan.Move> moves) throws SQLException {
        for (WorkflowPlan.Move move : moves) {
            if (session.update("move_semaphore", workflowNo, move.delta(), move.by(),
                    move.predictedHit() ? 1L : 0L) == 0) {
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
