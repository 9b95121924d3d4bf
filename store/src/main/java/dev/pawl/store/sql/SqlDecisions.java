package dev.pawl.store.sql;

import dev.pawl.engine.store.DecisionRecord;
import dev.pawl.engine.store.DecisionRequest;
import dev.pawl.engine.store.DecisionResult;
import dev.pawl.engine.store.Page;
import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.Waiting;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.workflow.Effect;
import dev.pawl.kernel.workflow.EffectRecord;
import dev.pawl.kernel.workflow.WorkflowRecord;
import dev.pawl.store.row.FreeText;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decisions: insert-or-read, and what follows from one in the same transaction. What is looked up before the insert can only vanish by a
 * decision of the same case, and the second of two waits at the insert for the first.
 */
final class SqlDecisions {

    private static final String CURSOR = " ";
    private static final int PLACE_PARTS = 4;

    private final Session session;
    private final Shards shards;
    private final DecisionRecord decision;
    private @Nullable ShardId posted;

    SqlDecisions(Session session, Shards shards, DecisionRecord decision) {
        this.session = session;
        this.shards = shards;
        this.decision = decision;
    }

    /** The shard that has something in its inbox now. */
    @Nullable ShardId posted() {
        return posted;
    }

    DecisionResult decide(DecisionRequest.Consequence consequence) throws SQLException {
        DecisionRecord known = known();
        if (known != null) {
            return new DecisionResult.AlreadyDecided(known);
        }
        return switch (consequence) {
            case DecisionRequest.Told told -> told(told);
            case DecisionRequest.PutBack back -> putBack(back.givenUpId());
            case DecisionRequest.Ended ended -> ended(ended);
            case DecisionRequest.Settled settled -> settled(settled);
            case DecisionRequest.Noted noted -> noted();
        };
    }

    private DecisionResult told(DecisionRequest.Told told) throws SQLException {
        SqlSignals signals = new SqlSignals(session, shards, told.signal());
        if (!signals.open()) {
            return nothing();
        }
        // First, because another decision of the same case may have another consequence.
        DecisionResult result = record();
        if (result instanceof DecisionResult.Decided) {
            posted = signals.accept().posted();
        }
        return result;
    }

    private DecisionResult settled(DecisionRequest.Settled settled) throws SQLException {
        SqlSignals signals = new SqlSignals(session, shards, settled.signal());
        if (!signals.unsettled()) {
            return nothing();
        }
        DecisionResult result = record();
        if (result instanceof DecisionResult.Decided) {
            signals.accepts();
        }
        return result;
    }

    /** The workflow's row is locked, so that it cannot be swept in between. */
    private DecisionResult noted() throws SQLException {
        Boolean closed = session.first("lock_for_signal", row -> Columns.guidOrNull(row, "closed_by") != null,
                namespace(), decision.workflow().workflowId());
        return Boolean.TRUE.equals(closed) ? record() : nothing();
    }

    private DecisionResult putBack(long givenUpId) throws SQLException {
        ShardId shard = givenUp(givenUpId);
        if (shard == null) {
            return nothing();
        }
        DecisionResult result = record();
        if (result instanceof DecisionResult.Decided) {
            session.update("put_back", namespace(), givenUpId);
            session.update("forget_given_up", namespace(), givenUpId);
            posted = shard;
        }
        return result;
    }

    private DecisionResult ended(DecisionRequest.Ended ended) throws SQLException {
        Long givenUpId = ended.givenUpId();
        if (givenUpId != null && givenUp(givenUpId) == null) {
            return nothing();
        }
        DecisionResult result = record();
        if (result instanceof DecisionResult.Decided) {
            if (givenUpId != null) {
                session.update("forget_given_up", namespace(), givenUpId);
            }
            if (ended.message() != null) {
                posted = shards.post(session, ended.group(), ended.message());
            }
        }
        return result;
    }

    private @Nullable ShardId givenUp(long id) throws SQLException {
        return session.first("find_given_up",
                row -> new ShardId(namespace(), row.getString("group_name"), row.getInt("shard_number")), namespace(),
                id);
    }

    private DecisionResult record() throws SQLException {
        int inserted = session.update("record_decision", namespace(), decision.workflow().workflowId(),
                FreeText.column(decision.caseId()), decision.decision(), FreeText.column(decision.subject()),
                FreeText.column(decision.note()), decision.decidedAt().toEpochMilli(), decision.arguments());
        return inserted == 1 ? new DecisionResult.Decided() : nothing();
    }

    /** Unless somebody else has decided in the meantime. */
    private DecisionResult nothing() throws SQLException {
        DecisionRecord known = known();
        return known == null ? new DecisionResult.NothingToDecide() : new DecisionResult.AlreadyDecided(known);
    }

    private @Nullable DecisionRecord known() throws SQLException {
        return session.first("find_decision", row -> record(decision.workflow(), row), namespace(),
                decision.workflow().workflowId(), FreeText.column(decision.caseId()));
    }

    private String namespace() {
        return decision.workflow().namespace();
    }

    private static DecisionRecord record(WorkflowKey workflow, ResultSet row) throws SQLException {
        return new DecisionRecord(workflow, FreeText.text(row.getString("case_id")), row.getString("decision"),
                FreeText.text(row.getString("subject")), FreeText.text(row.getString("note")),
                Columns.instant(row, "decided_at"), Columns.payload(row, "arguments"));
    }

    static List<DecisionRecord> decisions(Session session, WorkflowKey workflow) throws SQLException {
        return session.query("decisions", row -> record(workflow, row), workflow.namespace(), workflow.workflowId());
    }

    static Page<Waiting> awaiting(Session session, String namespace, String prefix, @Nullable String cursor, int limit)
            throws SQLException {
        String[] last = cursor == null ? new String[] {"", ""} : cursor.split(CURSOR, 2);
        String from = FreeText.column(prefix);
        String to = from.substring(0, from.length() - 1) + (char) (from.charAt(from.length() - 1) + 1);
        List<Waiting> rows = session.query("awaiting", row -> SqlReads.waiting(namespace, row), namespace, from, to,
                last[0], last[1], limit + 1);
        return SqlReads.page(rows, limit, row -> row.workflow().workflowId() + CURSOR + row.activity().activity());
    }

    static Page<WorkflowRecord> parked(Session session, String namespace, @Nullable String cursor, int limit)
            throws SQLException {
        List<WorkflowRecord> rows = session.query("parked", row -> Columns.workflow(namespace, row), namespace,
                cursor == null ? "" : cursor, limit + 1);
        return SqlReads.page(rows, limit, row -> row.key().workflowId());
    }

    private record Unknown(long workflowNo, EffectRecord effect) {

        /** The key last, because it is the only one that may have spaces. */
        String place() {
            Effect.Key key = effect.effect().key();
            return String.join(CURSOR, String.valueOf(workflowNo), key.operationId(), key.activityName(),
                    key.idempotencyKey());
        }
    }

    static Page<EffectRecord> unknownEffects(Session session, String namespace, @Nullable String cursor, int limit)
            throws SQLException {
        String[] last = cursor == null ? new String[] {"0", "", "", ""} : cursor.split(CURSOR, PLACE_PARTS);
        if (last.length < PLACE_PARTS) {
            throw new IllegalArgumentException("this is no place in a list of effects");
        }
        List<Unknown> rows = session.query("unknown_effects", row -> new Unknown(row.getLong("workflow_no"),
                Columns.effect(new WorkflowKey(namespace, row.getString("workflow_id")), row)), namespace,
                Long.parseLong(last[0]), last[1], last[2], FreeText.column(last[PLACE_PARTS - 1]), limit + 1);
        Page<Unknown> page = SqlReads.page(rows, limit, Unknown::place);
        return new Page<>(page.items().stream().map(Unknown::effect).toList(), page.next());
    }
}
