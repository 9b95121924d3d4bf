package dev.pawl.store.sqlite;

import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.message.Message;
import dev.pawl.store.plan.WorkflowPlan;
import dev.pawl.store.row.FreeText;
import dev.pawl.store.row.MessageRow;
import dev.pawl.store.sql.Session;
import java.sql.SQLException;

/** What a commit does about the signals of one workflow. */
final class SqliteSignals {

    private final Session session;
    private final WorkflowPlan plan;
    private final SqliteCommit.Place place;
    private final String namespace;

    SqliteSignals(Session session, WorkflowPlan plan, SqliteCommit.Place place) {
        this.session = session;
        this.plan = plan;
        this.place = place;
        this.namespace = plan.key.namespace();
    }

    /** False if one of them is known. Before the queue is written: a signal that lies there must have been there. */
    boolean accept() throws SQLException {
        for (Write.Accept accept : plan.accepted.values()) {
            if (!accept(accept, FreeText.column(accept.signalName()), FreeText.column(accept.signalId()))) {
                return false;
            }
        }
        return true;
    }

    private boolean accept(Write.Accept accept, String name, String id) throws SQLException {
        boolean known = accept.keyed() && Boolean.TRUE.equals(session.first("signal_is_known",
                row -> row.getBoolean(1), namespace, plan.key.workflowId(), name, id, place.shardNo(),
                place.workflowNo(), accept.guid()));
        return !known && session.update("accept_in_commit", namespace, plan.key.workflowId(), name, id, accept.guid(),
                accept.acceptedAt().toEpochMilli(), accept.expiresAt().toEpochMilli()) == 1;
    }

    void keepAndTake() throws SQLException {
        for (Message.Signal signal : plan.kept.values()) {
            session.update("keep_signal", namespace, place.workflowNo(), signal.guid(),
                    FreeText.column(signal.topic()), MessageRow.kind(signal.response()), signal.response().payload());
        }
        for (Guid taken : plan.taken) {
            session.update("take_signal", namespace, place.workflowNo(), taken);
        }
    }
}
