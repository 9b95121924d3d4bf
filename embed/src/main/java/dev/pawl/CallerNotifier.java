package dev.pawl;

import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.task.FlowHost;
import dev.pawl.engine.task.FlowThreads;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import java.util.List;
import java.util.Set;

/**
 * Lets callers of this process go on when what they wait for is durable, all of a batch together. Everything it hears goes to the host of the
 * flows first.
 */
final class CallerNotifier implements FlowHost {

    /** More than that are woken by a virtual thread: for the lane, to start one is cheaper than to wake each of them. */
    private static final int FEW = 2;

    private final FlowHost flows;
    private final Ends ends;
    private final FlowThreads threads;

    CallerNotifier(FlowHost flows, Ends ends, FlowThreads threads) {
        this.flows = flows;
        this.ends = ends;
        this.threads = threads;
    }

    @Override
    public void awake(News news) {
        flows.awake(news);
    }

    @Override
    public void over(WorkflowKey workflow, Write.CloseWorkflow end) {
        flows.over(workflow, end);
        ends.ended(workflow, end);
    }

    @Override
    public void held(WorkflowKey workflow, Write.Hold hold) {
        flows.held(workflow, hold);
        if (hold.status() == WorkflowStatus.PARKED) {
            ends.parked(workflow);
        }
    }

    @Override
    public void told() {
        flows.told();
        release(ends.notified());
    }

    @Override
    public void release(List<Runnable> callers) {
        if (callers.size() > FEW) {
            threads.start("pawl-callers", () -> callers.forEach(Runnable::run));
        } else {
            callers.forEach(Runnable::run);
        }
    }

    @Override
    public void beside(Runnable work) {
        flows.beside(work);
    }

    @Override
    public boolean quiesce(ShardId shard) {
        return flows.quiesce(shard);
    }

    @Override
    public boolean declareRunning(ShardId shard) {
        return flows.declareRunning(shard);
    }

    @Override
    public boolean settled(ShardId shard) {
        return flows.settled(shard);
    }

    @Override
    public void released(ShardId shard) {
        flows.released(shard);
    }

    @Override
    public void present(Set<String> processes) {
        flows.present(processes);
    }

    @Override
    public void lost(ShardId shard) {
        flows.lost(shard);
        ends.lost(shard);
        release(ends.notified());
    }
}
