package dev.pawl.engine.store;

import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.workflow.EffectRecord;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What people have to decide, and what they have decided. It needs no fence: a decision only inserts, and the owner acts on it. */
public interface Decisions {

    /** Records a decision and does what follows from it, unless the case was decided before. One transaction. */
    DecisionResult decide(DecisionRequest request);

    /** The decisions about a workflow, in the order they were made. They are kept as long as their workflow. */
    List<DecisionRecord> decisions(WorkflowKey workflow);

    /** Hooks of open workflows that wait on a topic with this beginning, by workflow and activity. */
    Page<Waiting> awaiting(String namespace, String topicPrefix, @Nullable String cursor, int limit);

    /** Parked workflows whose code has to run and cannot, by id. */
    Page<WorkflowRecord> parked(String namespace, @Nullable String cursor, int limit);

    /**
     * Effects of closed workflows that may have happened or not, by workflow and operation. Whatever an open workflow has under way is
     * not among them.
     */
    Page<EffectRecord> unknownEffects(String namespace, @Nullable String cursor, int limit);
}
