package dev.pawl.engine.shard;

import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.Waiting;
import dev.pawl.engine.task.FlowHost;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Waker;
import dev.pawl.kernel.workflow.WorkflowRecord;
import dev.pawl.kernel.workflow.WorkflowView;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tells the code of flows what has become durable. Not thread-safe; owned by one shard loop. */
final class FlowTable {

    private final ShardId shard;
    private final WorkflowCache cache;
    private final FlowHost host;
    private final MissingDefinitions missing;
    private FlowHost.Recovery found = FlowHost.Recovery.CLEAN;
    /** Of what is told of by something else than the recovery. */
    private FlowHost.Recovery told = FlowHost.Recovery.NONE;
    /** A flow was found after an unclean end, and its definition is missing here. */
    private boolean missed;

    FlowTable(ShardId shard, WorkflowCache cache, FlowHost host, MissingDefinitions missing) {
        this.missing = missing;
        this.shard = shard;
        this.cache = cache;
        this.host = host;
    }

    /** From now on flows are found that ran when the last owner ended. */
    void recovers(boolean clean) {
        found = clean ? FlowHost.Recovery.CLEAN : FlowHost.Recovery.UNCLEAN;
        // Something may come for a flow before it is found.
        told = clean ? FlowHost.Recovery.NONE : FlowHost.Recovery.UNCLEAN;
        missed = false;
    }

    /** All of them have been found. */
    void recovered() {
        told = FlowHost.Recovery.NONE;
    }

    /** Found at the claim: its code ran when the last owner ended, or had to. */
    void found(Waiting waiting) {
        WorkflowView view = readable(waiting.workflow());
        ActivityRecord flow = view == null ? null : view.activity(waiting.activity());
        if (view != null && flow != null) {
            tell(view, flow, List.of(), List.of(), found);
        }
    }

    /** Its code has come to something that does not fit what is durable, or was asked to go on after it was held. */
    void revive(WorkflowKey workflow) {
        cache.evict(workflow);
        WorkflowView view = readable(workflow);
        if (view != null) {
            view.activities().stream().filter(activity -> activity.waker() instanceof Waker.Code).findFirst()
                    .ifPresent(flow -> tell(view, flow, List.of(), List.of(), told));
        }
    }

    /** One that cannot be read is logged and counted by the cache: it stands still, and the others are told. */
    private @Nullable WorkflowView readable(WorkflowKey workflow) {
        try {
            return cache.view(workflow);
        } catch (UnreadableRecord e) {
            return null;
        }
    }

    /** To be called when the cache has the bundle. */
    void committed(Bundle bundle) {
        ActivityRecord flow = null;
        List<ActivityRecord> answered = new ArrayList<>();
        List<Message.Signal> signals = new ArrayList<>();
        Write.CloseWorkflow end = null;
        for (Bundle.Part part : bundle.parts()) {
            for (Write write : part.writes()) {
                switch (write) {
                    case Write.PutActivity put when put.activity().waker() instanceof Waker.Code ->
                        flow = put.activity();
                    case Write.PutActivity put when put.activity().ledger().finalized() -> answered.add(put.activity());
                    case Write.BufferSignal buffer -> signals.add(buffer.signal());
                    case Write.CloseWorkflow close -> end = close;
                    case Write.Hold hold -> host.held(bundle.workflow(), hold);
                    default -> {}
                }
            }
        }
        if (end != null) {
            host.over(bundle.workflow(), end);
        } else if (flow != null) {
            tell(bundle.workflow(), flow, answered, signals);
        }
    }

    private void tell(WorkflowKey workflow, ActivityRecord flow, List<ActivityRecord> answered,
            List<Message.Signal> signals) {
        if (flow.waker() instanceof Waker.Code code && code.awake()) {
            tell(cache.view(workflow), flow, answered, signals, told);
        }
    }

    private void tell(WorkflowView view, ActivityRecord flow, List<ActivityRecord> answered,
            List<Message.Signal> signals, FlowHost.Recovery recovery) {
        WorkflowRecord workflow = view.workflow();
        // The row of a flow that was ended by others says that it runs, but there is nothing it could come to any more.
        boolean open = workflow != null && !workflow.gate().closed();
        if (workflow != null && open && !missing.known(workflow.beginning())) {
            missing.awake(workflow);
            missed |= recovery == FlowHost.Recovery.UNCLEAN;
        } else if (workflow != null && open && flow.waker() instanceof Waker.Code code) {
            host.awake(new FlowHost.News(shard, workflow, flow, code.news(), answered, signals, recovery,
                    () -> state(view)));
        }
    }

    private static FlowHost.State state(WorkflowView view) {
        return new FlowHost.State(List.copyOf(view.activities()), List.copyOf(view.signals()));
    }

    /**
     * To be called when all of a batch has been told.
     *
     * @param callers let callers go on whose answers are durable with it
     */
    void told(List<Runnable> callers) {
        host.told();
        if (!callers.isEmpty()) {
            host.release(callers);
        }
    }

    void lost() {
        host.lost(shard);
    }

    void released() {
        host.released(shard);
    }

    /** Whether all that was found after an unclean end has been declared. */
    boolean settled() {
        return !missed && host.settled(shard);
    }

    /** Declares what still runs; returns whether that is durable. */
    boolean declareRunning() {
        return host.declareRunning(shard);
    }
}
