package dev.pawl.engine.flow;

import dev.pawl.engine.limit.Pools;
import dev.pawl.engine.store.SignalRequest;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.StoreException;
import dev.pawl.engine.task.ProcessLease;
import dev.pawl.engine.task.Submission;
import dev.pawl.engine.task.Transaction;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Attribute;
import dev.pawl.kernel.workflow.EffectRecord;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The engine that a runtime works for, as seen from there. Immutable. */
final class EngineLink {

    /** As long as there is no engine, nothing is taken. */
    static final EngineLink NONE = new EngineLink(submission -> submission.outdated("there is no engine"),
            transaction -> transaction.outdated("there is no engine"), workflow -> {}, null, null, null);

    private final Consumer<Submission> submitting;
    private final Consumer<Transaction> transacting;
    private final Consumer<WorkflowKey> reviving;
    private final @Nullable ProcessLease lease;
    private final @Nullable Store store;
    private final @Nullable Pools pools;

    EngineLink(Consumer<Submission> submitting, Consumer<Transaction> transacting, Consumer<WorkflowKey> reviving,
            @Nullable ProcessLease lease, @Nullable Store store, @Nullable Pools pools) {
        this.submitting = submitting;
        this.transacting = transacting;
        this.reviving = reviving;
        this.lease = lease;
        this.store = store;
        this.pools = pools;
    }

    void submit(Submission submission) {
        submitting.accept(submission);
    }

    void transact(Transaction transaction) {
        transacting.accept(transaction);
    }

    /** Has the code of a workflow run anew. */
    void revive(WorkflowKey workflow) {
        reviving.accept(workflow);
    }

    /** The lease of the process that it all runs in. */
    ProcessLease lease() {
        return Objects.requireNonNull(lease, "there is no engine");
    }

    /** Leaves a signal to a workflow with the store, whichever engine owns it. */
    void signal(SignalRequest request) {
        store().signal(request);
    }

    /** Whether the store has taken a signal. */
    boolean accepted(WorkflowKey workflow, String topic, String signalId) {
        return store().accepted(workflow, topic, signalId);
    }

    List<EffectRecord> effects(WorkflowKey workflow) {
        return store().effects(workflow);
    }

    List<Attribute> attributes(WorkflowKey workflow) {
        return store().attributes(workflow);
    }

    private Store store() {
        return Objects.requireNonNull(store, "there is no engine");
    }

    Pools pools() {
        return Objects.requireNonNull(pools, "there is no engine");
    }

    /** An effect that two could record at once is recorded by nobody: refused before anything is done. */
    void requireConditional(String activity) {
        if (store != null && !store.capabilities().conditionalBatch()) {
            throw new StoreException.CapabilityMissing("conditionalBatch", "the activity " + activity
                    + ", which has a key,", store.getClass());
        }
    }
}
