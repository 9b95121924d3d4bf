package dev.pawl.store.sqlite;

import dev.pawl.engine.store.Fence;
import dev.pawl.engine.store.ShardId;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.event.Event;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.Hash;
import dev.pawl.kernel.id.Recipient;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Message.Beginning;
import dev.pawl.kernel.message.Origin;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.GuidRecord;
import dev.pawl.kernel.workflow.WorkflowRecord;
import dev.pawl.store.plan.Plan;
import dev.pawl.store.plan.WorkflowPlan;
import dev.pawl.store.row.FreeText;
import dev.pawl.store.row.MessageRow;
import dev.pawl.store.row.WakerRow;
import dev.pawl.store.sql.Database.Verdict;
import dev.pawl.store.sql.Session;
import dev.pawl.store.sql.Shards;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Carries out a plan, row by row, in a transaction of the writer's. As soon as something does not fit it says so, and the caller
 * undoes what was written so far.
 */
final class SqliteCommit {

    private final Session session;
    private final Shards shards;
    private final ShardId shard;
    private final String namespace;

    private record Stored(long workflowNo, long shardNo, long version, boolean closed, long messages, Hash chain) {
    }

    SqliteCommit(Session session, Shards shards, ShardId shard) {
        this.session = session;
        this.shards = shards;
        this.shard = shard;
        this.namespace = shard.namespace();
    }

    Verdict run(Fence fence, Plan plan) throws SQLException {
        Long shardNo = session.first("fence", row -> row.getLong(1), namespace, shard.group(), shard.number(),
                fence.epoch());
        if (shardNo == null) {
            return Verdict.STALE;
        }
        for (WorkflowKey absent : plan.mustNotExist()) {
            if (find(absent) != null) {
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

    private @Nullable Stored find(WorkflowKey key) throws SQLException {
        return session.first("find_workflow", row -> new Stored(row.getLong("workflow_no"), row.getLong("shard_no"),
                row.getLong("version"), row.getBytes("closed_by") != null, row.getLong("messages"),
                Hash.ofDigest(row.getBytes("chain"))), key.namespace(), key.workflowId());
    }

    private boolean create(long shardNo, WorkflowPlan plan) throws SQLException {
        WorkflowRecord record = java.util.Objects.requireNonNull(plan.created);
        Beginning beginning = record.beginning();
        Shards.Numbered home = shards.home(session, plan.key, beginning.group());
        if (home == null || home.shardNo() != shardNo) {
            return false;
        }
        Origin origin = beginning.origin();
        Long workflowNo = session.first("create_workflow", row -> row.getLong(1), namespace, plan.key.workflowId(),
                shardNo, beginning.group(), beginning.definition(), beginning.definitionVersion(), beginning.trigger(),
                beginning.threshold(), origin == null ? null : origin.parent().group(),
                origin == null ? null : origin.parent().workflow().namespace(),
                origin == null ? null : origin.parent().workflow().workflowId(),
                origin == null ? null : origin.activity().activity(),
                origin == null ? null : origin.activity().address().drawing(),
                origin == null ? null : origin.answer(),
                origin == null ? null : Integer.valueOf(origin.awaitsResult() ? 1 : 0), record.status().name(),
                plan.version, record.gate().semaphore().open(), plan.nextNumber == null ? 0L : plan.nextNumber,
                plan.chain, record.createdAt().toEpochMilli());
        return workflowNo != null && rows(plan, new Stored(workflowNo, shardNo, 0, false, 0, Hash.NONE));
    }

    private boolean update(long shardNo, WorkflowPlan plan) throws SQLException {
        Stored stored = find(plan.key);
        if (stored == null || stored.shardNo() != shardNo || stored.version() != plan.expectedVersion
                || !stored.chain().equals(plan.expectedChain)
                || (plan.firstNumber != null && plan.firstNumber < stored.messages())) {
            return false;
        }
        session.update("commit_workflow", namespace, stored.workflowNo(), plan.version, plan.nextNumber, plan.chain);
        return rows(plan, stored);
    }

    private boolean rows(WorkflowPlan plan, Stored stored) throws SQLException {
        long workflowNo = stored.workflowNo();
        if (!ledgers(plan, stored) || !moves(plan, stored) || !joins(plan, workflowNo) || !closers(plan, workflowNo)) {
            return false;
        }
        queue(plan, stored);
        for (Event event : plan.events) {
            session.update("append_event", namespace, workflowNo, event.number(), event.json());
        }
        for (Message.Signal signal : plan.kept.values()) {
            session.update("keep_signal", namespace, workflowNo, signal.guid(), FreeText.column(signal.topic()),
                    MessageRow.kind(signal.response()), signal.response().payload());
        }
        for (Guid taken : plan.taken) {
            session.update("take_signal", namespace, workflowNo, taken);
        }
        Write.CloseWorkflow close = plan.close;
        if (close != null) {
            session.update("close_workflow", namespace, workflowNo, close.status().name(), close.output(),
                    FreeText.columnOrNull(close.reason()), close.closedAt().toEpochMilli());
        }
        return true;
    }

    private boolean ledgers(WorkflowPlan plan, Stored stored) throws SQLException {
        Map<ActivityKey, GuidRecord> first = new HashMap<>();
        for (GuidRecord guid : plan.guids.values()) {
            if (WorkflowPlan.first(guid)) {
                first.put(guid.activity(), guid);
            } else if (session.update("put_guid", namespace, stored.workflowNo(), guid.guid(),
                    guid.activity().address().drawing(), guid.activity().activity(), guid.ledger().digits()) == 0) {
                return false;
            }
        }
        for (ActivityRecord activity : plan.activities.values()) {
            put(stored, activity, first.remove(activity.key()));
        }
        for (GuidRecord guid : first.values()) {
            if (session.update("put_first_guid", namespace, stored.workflowNo(), guid.activity().address().drawing(),
                    guid.activity().activity(), guid.guid(), guid.ledger().digits()) == 0) {
                return false;
            }
        }
        return true;
    }

    private void put(Stored stored, ActivityRecord activity, @Nullable GuidRecord first) throws SQLException {
        WakerRow waker = WakerRow.of(activity.waker());
        Recipient child = WakerRow.child(namespace, activity);
        session.update("put_activity", namespace, stored.workflowNo(), activity.key().address().drawing(),
                activity.key().activity(), stored.shardNo(), activity.type().name(), activity.ledger().digits(),
                first == null ? null : first.guid(), first == null ? null : Long.valueOf(first.ledger().digits()),
                activity.input(), activity.output(), waker.waker(), waker.name(), waker.dueAt(),
                waker.attempt(), waker.taskInput(), child == null ? null : child.group(),
                child == null ? null : child.workflow().workflowId());
    }

    /** One move after the other: the database says which of them reached the threshold, and it must be the one foreseen. */
    private boolean moves(WorkflowPlan plan, Stored stored) throws SQLException {
        boolean closed = stored.closed();
        for (WorkflowPlan.Move move : plan.moves) {
            boolean after = Boolean.TRUE.equals(session.first("move_semaphore", row -> row.getBytes(1) != null,
                    namespace, stored.workflowNo(), move.delta(), move.by()));
            if ((after && !closed) != move.predictedHit()) {
                return false;
            }
            closed = after;
        }
        if (closed && !stored.closed()) {
            session.update("retire_activities", namespace, stored.workflowNo());
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

    private void queue(WorkflowPlan plan, Stored stored) throws SQLException {
        long shardNo = stored.shardNo();
        long workflowNo = stored.workflowNo();
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
