package dev.pawl.engine.task;

import dev.pawl.engine.store.ShardId;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Runs the code of flows. Everything it is told is durable. Its methods are called by the loops that drive the shards, by several
 * threads at once but for one shard by one at a time; they must not block.
 */
public interface FlowHost {

    /** An engine that has no flows. */
    FlowHost NONE = new FlowHost() {

        @Override
        public void awake(News news) {}

        @Override
        public void over(WorkflowKey workflow, Write.CloseWorkflow end) {}

        @Override
        public void lost(ShardId shard) {}
    };

    /** The code of a flow has to run, or to hear of something. */
    void awake(News news);

    /** The workflow has ended, whether it is a flow or not. */
    void over(WorkflowKey workflow, Write.CloseWorkflow end);

    /** All that has become durable together has been told: whoever waited for it may run. */
    default void told() {}

    /** Runs something that blocks for a while, on a thread for that. */
    default void beside(Runnable work) {
        work.run();
    }

    /**
     * The shard is to be handed to another engine: begins nothing new of it from now on.
     *
     * @return whether nothing of it runs any more
     */
    default boolean quiesce(ShardId shard) {
        return true;
    }

    /** The processes of the group that have a lease, at every look of the engine; any other one is gone. */
    default void present(Set<String> processes) {}

    /** Nobody knows any more what is durable, or somebody else does: whatever runs of this shard is void. */
    void lost(ShardId shard);

    /**
     * What a flow is told.
     *
     * @param flow the activity whose code it is
     * @param count how much news there has been, this included
     * @param answered operations that have been answered just now
     * @param signals signals that have come just now and that no operation waits for
     * @param all everything there is, for code that begins anew; to be asked for at once or never
     */
    record News(ShardId shard, WorkflowRecord workflow, ActivityRecord flow, int count, List<ActivityRecord> answered,
            List<Message.Signal> signals, Supplier<State> all) {
    }

    /** What code begins anew with. */
    record State(List<ActivityRecord> activities, List<Message.Signal> signals) {
    }
}
