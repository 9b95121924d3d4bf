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

/** Tells the code of flows what has become durable. Not thread-safe; owned by one shard loop. */
final class FlowTable {

    private final ShardId shard;
    private final WorkflowCache cache;
    private final FlowHost host;
    private final MissingDefinitions missing;

    FlowTable(ShardId shard, WorkflowCache cache, FlowHost host, MissingDefinitions missing) {
        this.missing = missing;
        this.shard = shard;
        this.cache = cache;
        this.host = host;
    }

    /** Found at the claim: its code ran when the last owner ended, or had to. */
    void found(Waiting waiting) {
        WorkflowView view = cache.view(waiting.workflow());
        ActivityRecord flow = view.activity(waiting.activity());
        if (flow != null) {
            tell(view, flow, List.of(), List.of());
        }
    }

    /** Its code has come to something that does not fit what is durable, or was asked to go on after it was held. */
    void revive(WorkflowKey workflow) {
        cache.evict(workflow);
        WorkflowView view = cache.view(workflow);
        view.activities().stream().filter(activity -> activity.waker() instanceof Waker.Code).findFirst()
                .ifPresent(flow -> tell(view, flow, List.of(), List.of()));
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
            tell(cache.view(workflow), flow, answered, signals);
        }
    }

    private void tell(WorkflowView view, ActivityRecord flow, List<ActivityRecord> answered,
            List<Message.Signal> signals) {
        WorkflowRecord workflow = view.workflow();
        // The row of a flow that was ended by others says that it runs, but there is nothing it could come to any more.
        boolean open = workflow != null && !workflow.gate().closed();
        if (workflow != null && open && !missing.known(workflow.beginning())) {
            missing.awake(workflow);
        } else if (workflow != null && open && flow.waker() instanceof Waker.Code code) {
            host.awake(new FlowHost.News(shard, workflow, flow, code.news(), answered, signals, () -> state(view)));
        }
    }

    private static FlowHost.State state(WorkflowView view) {
        return new FlowHost.State(List.copyOf(view.activities()), List.copyOf(view.signals()));
    }

    /** To be called when all of a batch has been told. */
    void told() {
        host.told();
    }

    void lost() {
        host.lost(shard);
    }
}
