package dev.pawl.testkit.sim;

import dev.pawl.engine.store.DecisionRecord;
import dev.pawl.engine.store.DecisionRequest;
import dev.pawl.engine.store.DecisionResult;
import dev.pawl.engine.store.GivenUp;
import dev.pawl.engine.store.SignalResult;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Message;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Decisions: insert-or-read, and what follows from one. */
final class SimDecisions {

    private final SimTables tables;
    private final SimSignals signals;
    private final Set<Flaw> flaws;

    SimDecisions(SimTables tables, SimSignals signals, Set<Flaw> flaws) {
        this.tables = tables;
        this.signals = signals;
        this.flaws = flaws;
    }

    DecisionResult decide(DecisionRequest request) {
        String key = request.decision().workflow() + " " + request.decision().caseId();
        DecisionRecord known = tables.decisions.get(key);
        if (known != null && !flaws.contains(Flaw.DECIDES_TWICE)) {
            return new DecisionResult.AlreadyDecided(known);
        }
        boolean done = switch (request.consequence()) {
            case DecisionRequest.Told told -> signals.accept(told.signal()) instanceof SignalResult.Accepted;
            case DecisionRequest.PutBack back -> putBack(back.givenUpId());
            case DecisionRequest.Ended ended -> ended(ended);
            case DecisionRequest.Settled settled -> signals.settle(settled.signal());
            case DecisionRequest.Noted noted -> over(request.decision().workflow());
        };
        if (!done) {
            return new DecisionResult.NothingToDecide();
        }
        tables.decisions.put(key, request.decision());
        return new DecisionResult.Decided();
    }

    private boolean over(WorkflowKey key) {
        SimWorkflow workflow = tables.workflows.get(key);
        return workflow != null && (!workflow.open() || flaws.contains(Flaw.NOTES_WHAT_IS_OPEN));
    }

    private boolean putBack(long id) {
        GivenUp message = givenUp(id);
        if (message == null) {
            return false;
        }
        tables.givenUp.remove(message);
        long inboxId = tables.nextInboxId++;
        tables.inbox.put(inboxId, new SimTables.InboxRow(message.shard(),
                Delivery.inbox(inboxId, message.delivery().message())));
        return true;
    }

    private boolean ended(DecisionRequest.Ended ended) {
        if (ended.givenUpId() != null) {
            GivenUp message = givenUp(ended.givenUpId());
            if (message == null) {
                return false;
            }
            tables.givenUp.remove(message);
        }
        Message message = ended.message();
        if (message != null) {
            SimTransaction transaction = new SimTransaction(tables);
            transaction.post(ended.group(), message);
            transaction.install();
        }
        return true;
    }

    private @Nullable GivenUp givenUp(long id) {
        return tables.givenUp.stream().filter(each -> each.id() == id).findFirst().orElse(null);
    }

    List<DecisionRecord> decisions(WorkflowKey workflow) {
        return tables.decisions.values().stream().filter(each -> each.workflow().equals(workflow)).toList();
    }
}
