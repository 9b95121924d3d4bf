package dev.pawl;

import dev.pawl.engine.flow.DecisionKind;
import dev.pawl.engine.flow.FlowControl;
import dev.pawl.engine.store.DecisionRecord;
import dev.pawl.engine.store.DecisionRequest;
import dev.pawl.engine.store.DecisionRequest.Consequence;
import dev.pawl.engine.store.DecisionResult;
import dev.pawl.engine.store.GivenUp;
import dev.pawl.engine.store.Page;
import dev.pawl.engine.store.SignalRequest;
import dev.pawl.engine.store.Store;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What needs a person: operations whose outcome is not known or not confirmed, workflows whose code does not fit, messages that were given
 * up, effects of workflows that are over and may have happened or not, compensations that have failed for good. Each case is decided once, by somebody with a name, and stays recorded. Safe for use by many threads.
 */
public final class Attention {

    private static final int PAGE_MAX = 500;
    private static final int SUBJECT_MAX = 200;

    private final Pawl pawl;
    private final Store store;
    private final String namespace;
    private final Cases cases;

    Attention(Pawl pawl, Store store, String namespace) {
        this.pawl = pawl;
        this.store = store;
        this.namespace = namespace;
        this.cases = new Cases(store, namespace);
    }

    /** What has to be decided, in pages: after the given place, or from the beginning. */
    public Page<Case> list(@Nullable String after, int limit) {
        if (limit < 1 || limit > PAGE_MAX) {
            throw WorkflowError.validation("a page has 1 to " + PAGE_MAX + " cases, not " + limit);
        }
        return pawl.calling("list of cases", () -> cases.list(after, limit));
    }

    /** What was decided about a workflow, in order. */
    public List<DecisionRecord> decisions(String workflowId) {
        return pawl.calling("decisions about " + workflowId,
                () -> store.decisions(new WorkflowKey(namespace, workflowId)));
    }

    /**
     * Decides a case. The same decision again is answered like the first; another one is refused. What follows is durable when this
     * returns, and happens soon.
     */
    public DecisionRecord decide(String caseId, Decision decision, String subject) {
        CaseId id = CaseId.parse(caseId);
        DecisionRecord record = record(id, decision, subject);
        return pawl.calling("decision about " + caseId, () -> decide(id, decision, record));
    }

    private DecisionRecord decide(CaseId id, Decision decision, DecisionRecord record) {
        String caseId = id.text();
        DecisionRecord first = store.decisions(record.workflow()).stream()
                .filter(each -> each.caseId().equals(caseId)).findFirst().orElse(null);
        if (first != null) {
            return same(first, record);
        }
        Case open = cases.find(id).orElseThrow(() -> WorkflowError.undecided(caseId));
        if (!open.allowed().contains(decision.kind())) {
            throw WorkflowError.notAllowed(decision.kind().text(),
                    open.allowed().stream().map(DecisionKind::text).toList());
        }
        return decide(record, consequence(id, decision, record));
    }

    /**
     * Says, after a look, that a signal which is there without its acceptance was accepted: from now on whoever sends it again is
     * answered. See {@link SignalAcceptanceIndeterminate}.
     */
    public DecisionRecord settle(String workflowId, String signalName, String signalId, String subject) {
        WorkflowKey key = new WorkflowKey(namespace, workflowId);
        CaseId id = new CaseId(CaseId.Kind.SIGNAL, workflowId, Guid.ofRequest(key, signalName, signalId).toString());
        DecisionRecord record = record(id, Decision.accept(), subject);
        Consequence settled = new DecisionRequest.Settled(request(key, signalName, signalId, Payload.EMPTY));
        return pawl.calling("settling of a signal to " + workflowId, () -> decide(record, settled));
    }

    private DecisionRecord record(CaseId id, Decision decision, String subject) {
        if (subject.isBlank() || subject.length() > SUBJECT_MAX) {
            throw WorkflowError.validation("say who decides: a subject has 1 to " + SUBJECT_MAX + " characters");
        }
        Payload arguments = decision.kind() == DecisionKind.ACCEPT ? pawl.codec().encode(decision.result())
                : Payload.EMPTY;
        return new DecisionRecord(new WorkflowKey(namespace, id.workflowId()), id.text(), decision.kind().text(),
                subject, decision.note(), pawl.clock().instant(), arguments);
    }

    private DecisionRecord decide(DecisionRecord record, Consequence consequence) {
        return switch (store.decide(new DecisionRequest(record, consequence))) {
            case DecisionResult.Decided decided -> record;
            case DecisionResult.AlreadyDecided already -> same(already.first(), record);
            case DecisionResult.NothingToDecide nothing -> throw WorkflowError.undecided(record.caseId());
        };
    }

    private DecisionRecord same(DecisionRecord first, DecisionRecord second) {
        if (!first.decision().equals(second.decision())
                || !pawl.codec().same(first.arguments(), second.arguments())) {
            throw WorkflowError.decided(first.caseId(), first.decision(), first.subject());
        }
        return first;
    }

    private Consequence consequence(CaseId id, Decision decision, DecisionRecord record) {
        boolean abort = decision.kind() == DecisionKind.ABORT;
        return switch (id.kind()) {
            case OPERATION -> told(record, FlowControl.DECIDE_TOPIC + id.detail(), "decision", decision);
            case PARKED -> abort ? ended(record, null) : told(record, FlowControl.RETRY_TOPIC, id.detail(), decision);
            case MESSAGE -> {
                GivenUp message = cases.message(id);
                yield abort ? ended(record, message) : new DecisionRequest.PutBack(message.id());
            }
            case EFFECT -> new DecisionRequest.Noted();
            case SIGNAL -> throw new IllegalStateException("a signal is settled, not decided");
        };
    }

    private Consequence told(DecisionRecord record, String topic, String signalId, Decision decision) {
        Payload payload = FlowControl.decision(decision.kind(),
                decision.kind() == DecisionKind.ACCEPT ? record.arguments() : null, record.subject(), record.note(),
                record.decidedAt());
        return new DecisionRequest.Told(request(record.workflow(), topic, signalId, payload));
    }

    private SignalRequest request(WorkflowKey key, String topic, String signalId, Payload payload) {
        Instant now = pawl.clock().instant();
        return new SignalRequest(key, topic, signalId, true, new Response.Final(payload), now,
                now.plus(pawl.signalRetention()));
    }

    private Consequence ended(DecisionRecord record, @Nullable GivenUp message) {
        WorkflowRecord workflow = store.workflow(record.workflow());
        boolean open = workflow != null && !workflow.gate().closed();
        Message end = !open ? null
                : new Message.Interrupt(record.workflow(), Guid.ofRequest(record.workflow(), "abort", record.caseId()),
                        FlowControl.aborted(record.subject(), record.note()));
        String group = workflow != null ? workflow.beginning().group() : message == null ? "" : message.shard().group();
        return new DecisionRequest.Ended(group, end, message == null ? null : message.id());
    }
}
