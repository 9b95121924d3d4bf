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
 *
 * <p>No method has a default: a host that wraps another one must not forget to forward a call.
 */
public interface FlowHost {

    /** An engine that has no flows. */
    FlowHost NONE = new FlowHost() {

        @Override
        public void awake(News news) {}

        @Override
        public void over(WorkflowKey workflow, Write.CloseWorkflow end) {}

        @Override
        public void held(WorkflowKey workflow, Write.Hold hold) {}

        @Override
        public void told() {}

        @Override
        public void release(List<Runnable> callers) {
            callers.forEach(Runnable::run);
        }

        @Override
        public void beside(Runnable work) {
            work.run();
        }

        @Override
        public boolean quiesce(ShardId shard) {
            return true;
        }

        @Override
        public boolean declareRunning(ShardId shard) {
            return true;
        }

        @Override
        public boolean settled(ShardId shard) {
            return true;
        }

        @Override
        public void released(ShardId shard) {}

        @Override
        public void present(Set<String> processes) {}

        @Override
        public void lost(ShardId shard) {}
    };

    /** The code of a flow has to run, or to hear of something. */
    void awake(News news);

    /** The workflow has ended, whether it is a flow or not. */
    void over(WorkflowKey workflow, Write.CloseWorkflow end);

    /** The workflow is parked, or goes on after that. */
    void held(WorkflowKey workflow, Write.Hold hold);

    /** All that has become durable together has been told: whoever waited for it may run. */
    void told();

    /** Runs all of these, soon and in any order: each lets a caller go on whose answer is durable. */
    void release(List<Runnable> callers);

    /** Runs something that blocks for a while, on a thread for that. */
    void beside(Runnable work);

    /**
     * The shard is to be handed to another engine: begins nothing new of it from now on.
     *
     * @return whether nothing of it runs any more
     */
    boolean quiesce(ShardId shard);

    /**
     * The shard is given back although something of it may still run: declares that, with this process, so that the next owner waits for it.
     *
     * @return whether that is durable
     */
    boolean declareRunning(ShardId shard);

    /**
     * Whether no flow that was found after an unclean end ({@link Recovery#UNCLEAN}) was stopped here before it came to where its code has
     * never been further. If one was, the next owner must find it so, too.
     */
    boolean settled(ShardId shard);

    /** The shard is not owned here any more. After {@link #lost}. */
    void released(ShardId shard);

    /** The processes of the group that have a lease, at every look of the engine; any other one is gone. */
    void present(Set<String> processes);

    /** Nobody knows any more what is durable, or somebody else does: whatever runs of this shard is void. */
    void lost(ShardId shard);

    /**
     * What a flow is told.
     *
     * @param flow the activity whose code it is
     * @param count how much news there has been, this included
     * @param answered operations that have been answered just now
     * @param signals signals that have come just now and that no operation waits for
     * @param recovery whether the code was found by a new owner, for code that begins anew
     * @param all everything there is, for code that begins anew; to be asked for at once or never
     */
    record News(ShardId shard, WorkflowRecord workflow, ActivityRecord flow, int count, List<ActivityRecord> answered,
            List<Message.Signal> signals, Recovery recovery, Supplier<State> all) {
    }

    /** How the code of a flow was found by a new owner of its shard. */
    enum Recovery {
        /** It was not: something has come for it. */
        NONE,
        /** The last owner has handed over the shard: what ran then is declared. */
        CLEAN,
        /** The last owner ended, or lost the shard: plain steps may have been under way that nothing recorded speaks of. */
        UNCLEAN
    }

    /** What code begins anew with. */
    record State(List<ActivityRecord> activities, List<Message.Signal> signals) {
    }
}
