package dev.pawl.store.sql;

import dev.pawl.engine.store.AcceptedSignal;
import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.SignalRequest;
import dev.pawl.engine.store.SignalResult;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Message;
import dev.pawl.store.row.FreeText;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Acceptance of signals: insert-or-read. The workflow's row is locked first, so that it cannot close between the look at it and
 * the message; then whoever inserts the acceptance has accepted, and everybody else reads it.
 */
final class SqlSignals {

    private final Session session;
    private final Shards shards;
    private final SignalRequest request;
    private final Message.Signal message;

    private record Target(long workflowNo, long shardNo, String group, boolean open) {
    }

    private record Acceptance(AcceptedSignal signal, Instant expiresAt) {
    }

    /** What came of it, and the shard that has something in its inbox now. */
    record Outcome(SignalResult result, @Nullable ShardId posted) {
    }

    SqlSignals(Session session, Shards shards, SignalRequest request) {
        this.session = session;
        this.shards = shards;
        this.request = request;
        this.message = request.message();
    }

    Outcome accept() throws SQLException {
        Target target = target();
        // A duplicate is looked up before anything else is said, so that it is answered even after the workflow closed.
        Acceptance known = known();
        if (known != null && kept(known, target)) {
            return new Outcome(new SignalResult.Duplicate(known.signal()), null);
        }
        if (target == null) {
            return new Outcome(new SignalResult.WorkflowMissing(), null);
        }
        if (!target.open()) {
            return new Outcome(new SignalResult.WorkflowClosed(), null);
        }
        if (known == null && request.keyed() && isThere(target)) {
            // Acceptance and message come in one commit: if that happened between the two looks, the second look finds both.
            Acceptance meanwhile = known();
            return new Outcome(meanwhile == null ? new SignalResult.Indeterminate()
                    : new SignalResult.Duplicate(meanwhile.signal()), null);
        }
        return insert(target);
    }

    /** Whether a commit that accepts a signal is to be refused. Looks at the rows of the workflow, too, where its owner has looked. */
    static boolean known(Session session, Shards shards, WorkflowKey workflow, Write.Accept signal)
            throws SQLException {
        String namespace = workflow.namespace();
        if (accepted(session, workflow, signal.signalName(), signal.signalId())) {
            return true;
        }
        Long number = session.first("workflow_number", row -> row.getLong(1), namespace, workflow.workflowId());
        ShardId home = SqlReads.home(session, workflow);
        return signal.keyed() && number != null && home != null && Boolean.TRUE.equals(session.first("signal_is_there",
                row -> row.getBoolean(1), namespace, number, signal.guid(), shards.number(session, home)));
    }

    static boolean accepted(Session session, WorkflowKey workflow, String signalName, String signalId)
            throws SQLException {
        return session.first("find_acceptance", row -> true, workflow.namespace(), workflow.workflowId(),
                FreeText.column(signalName), FreeText.column(signalId)) != null;
    }

    /** Whether the workflow takes signals, and will until this transaction ends. */
    boolean open() throws SQLException {
        Target target = target();
        return target != null && target.open();
    }

    /** Whether the signal is there without its acceptance. */
    boolean unsettled() throws SQLException {
        Target target = target();
        return target != null && known() == null && isThere(target);
    }

    /** As long as the workflow is open, whatever the expiry: it must not be applied again, so it is not accepted again. */
    private boolean kept(Acceptance known, @Nullable Target target) {
        return (target != null && target.open()) || request.acceptedAt().isBefore(known.expiresAt());
    }

    private @Nullable Target target() throws SQLException {
        return session.first("lock_for_signal", row -> new Target(row.getLong("workflow_no"),
                row.getLong("shard_no"), row.getString("group_name"), Columns.guidOrNull(row, "closed_by") == null),
                request.workflow().namespace(), request.workflow().workflowId());
    }

    /** The acceptance alone; returns how many rows that was. */
    int accepts() throws SQLException {
        return session.update("accept_signal", request.workflow().namespace(), request.workflow().workflowId(),
                FreeText.column(request.signalName()), FreeText.column(request.signalId()), message.guid(),
                request.acceptedAt().toEpochMilli(), request.expiresAt().toEpochMilli());
    }

    private Outcome insert(Target target) throws SQLException {
        if (accepts() == 0) {
            // Somebody else was quicker; its transaction is over, or this statement would still wait for it.
            return new Outcome(new SignalResult.Duplicate(Objects.requireNonNull(known()).signal()), null);
        }
        ShardId posted = shards.post(session, target.group(), message);
        return new Outcome(new SignalResult.Accepted(accepted(request.acceptedAt())), posted);
    }

    private @Nullable Acceptance known() throws SQLException {
        return session.first("find_acceptance", row -> new Acceptance(accepted(Columns.instant(row, "accepted_at")),
                Columns.instant(row, "expires_at")), request.workflow().namespace(), request.workflow().workflowId(),
                FreeText.column(request.signalName()), FreeText.column(request.signalId()));
    }

    private AcceptedSignal accepted(Instant at) {
        return new AcceptedSignal(request.workflow(), request.signalName(), request.signalId(), at,
                message.guid().toString());
    }

    private boolean isThere(Target target) throws SQLException {
        Guid guid = message.guid();
        return Boolean.TRUE.equals(session.first("signal_is_there", row -> row.getBoolean(1),
                request.workflow().namespace(), target.workflowNo(), guid, target.shardNo()));
    }
}
