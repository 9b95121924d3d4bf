package dev.pawl.testkit.sim;

import dev.pawl.engine.store.AcceptedSignal;
import dev.pawl.engine.store.SignalRequest;
import dev.pawl.engine.store.SignalResult;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Message;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Acceptance of signals: insert-or-read. */
final class SimSignals {

    private final SimTables tables;
    private final Set<Flaw> flaws;

    SimSignals(SimTables tables, Set<Flaw> flaws) {
        this.tables = tables;
        this.flaws = flaws;
    }

    /** A duplicate is looked up before anything else, so it is answered even after the workflow closed. */
    SignalResult accept(SignalRequest request) {
        Message.Signal message = request.message();
        String key = storageKey(request.workflow(), request.accept());
        SimTables.Acceptance known = tables.acceptances.get(key);
        SimWorkflow workflow = tables.workflows.get(request.workflow());
        if (known != null && kept(known, workflow, request) && !flaws.contains(Flaw.ACCEPTS_SIGNAL_TWICE)) {
            return new SignalResult.Duplicate(known.signal());
        }
        if (workflow == null) {
            return new SignalResult.WorkflowMissing();
        }
        if (!workflow.open() && !flaws.contains(Flaw.SIGNALS_CLOSED_WORKFLOW)) {
            return new SignalResult.WorkflowClosed();
        }
        if (known == null && request.keyed() && present(workflow, message.guid())) {
            return new SignalResult.Indeterminate();
        }
        return insert(request, message, key, workflow.row.beginning().group());
    }

    /** What a commit inserts that accepts a signal; null if the signal is known. */
    SimTables.@Nullable Acceptance acceptance(SimWorkflow workflow, Write.Accept accept) {
        WorkflowKey workflowKey = workflow.row.key();
        String key = storageKey(workflowKey, accept);
        if (tables.acceptances.containsKey(key) && !flaws.contains(Flaw.JOINS_KNOWN_SIGNAL)) {
            return null;
        }
        if (accept.keyed() && present(workflow, accept.guid()) && !flaws.contains(Flaw.JOINS_UNSETTLED_SIGNAL)) {
            return null;
        }
        return new SimTables.Acceptance(new AcceptedSignal(workflowKey, accept.signalName(), accept.signalId(),
                accept.acceptedAt(), key), accept.expiresAt());
    }

    /** Writes the acceptance of a signal that is there without one; false if there is no such thing. */
    boolean settle(SignalRequest request) {
        Message.Signal message = request.message();
        String key = storageKey(request.workflow(), request.accept());
        SimWorkflow workflow = tables.workflows.get(request.workflow());
        if (workflow == null || tables.acceptances.containsKey(key) || !present(workflow, message.guid())) {
            return false;
        }
        tables.acceptances.put(key, new SimTables.Acceptance(new AcceptedSignal(request.workflow(),
                request.signalName(), request.signalId(), request.acceptedAt(), key), request.expiresAt()));
        return true;
    }

    /** As long as the workflow is open, whatever the expiry: it must not be applied again, so it is not accepted again. */
    private boolean kept(SimTables.Acceptance known, @Nullable SimWorkflow workflow, SignalRequest request) {
        boolean open = workflow != null && workflow.open() && !flaws.contains(Flaw.FORGETS_ACCEPTANCE);
        return open || request.acceptedAt().isBefore(known.expiresAt());
    }

    private SignalResult insert(SignalRequest request, Message.Signal message, String key, String group) {
        AcceptedSignal accepted = new AcceptedSignal(request.workflow(), request.signalName(), request.signalId(),
                request.acceptedAt(), key);
        tables.acceptances.put(key, new SimTables.Acceptance(accepted, request.expiresAt()));
        if (!flaws.contains(Flaw.ACCEPTS_WITHOUT_MESSAGE)) {
            SimTransaction transaction = new SimTransaction(tables);
            transaction.post(group, message);
            transaction.install();
        }
        return new SignalResult.Accepted(accepted);
    }

    /** On its way, kept, or applied. */
    private boolean present(SimWorkflow workflow, Guid guid) {
        if (workflow.guids.containsKey(guid) && !flaws.contains(Flaw.MISSES_APPLIED_SIGNAL)) {
            return true;
        }
        Stream<Guid> arriving = Stream.concat(tables.inbox.values().stream().map(SimTables.InboxRow::delivery),
                workflow.queue.values().stream()).map(delivery -> delivery.message().guid());
        Stream<Guid> kept = workflow.signals.stream().map(Message.Signal::guid);
        Stream<Guid> givenUp = tables.givenUp.stream().map(message -> message.delivery().message().guid());
        return (flaws.contains(Flaw.MISSES_GIVEN_UP_SIGNAL) ? Stream.of(arriving, kept)
                : Stream.of(arriving, kept, givenUp)).flatMap(each -> each).anyMatch(guid::equals);
    }

    boolean accepted(WorkflowKey workflow, String signalName, String signalId) {
        return tables.acceptances.containsKey(storageKey(workflow, signalName, signalId));
    }

    private String storageKey(WorkflowKey workflow, Write.Accept signal) {
        return storageKey(workflow, signal.signalName(), signal.signalId());
    }

    private String storageKey(WorkflowKey workflow, String signalName, String signalId) {
        if (flaws.contains(Flaw.FOLDS_SIGNAL_IDS)) {
            return workflow + signalName + signalId.toLowerCase(Locale.ROOT);
        }
        return Guid.ofRequest(workflow, signalName, signalId).toString();
    }
}
