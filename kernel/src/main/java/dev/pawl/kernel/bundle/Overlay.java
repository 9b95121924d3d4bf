package dev.pawl.kernel.bundle;

import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.Hash;
import dev.pawl.kernel.ledger.LedgerViolation;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Gate;
import dev.pawl.kernel.workflow.GuidRecord;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.kernel.workflow.WorkflowRecord;
import dev.pawl.kernel.workflow.WorkflowView;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A view with writes on top that are not committed yet, so that the messages of one workflow can run in order before the
 * first of them is durable. If the commit fails, this overlay and every one above it are thrown away.
 *
 * <p>Not thread-safe; owned by one shard loop. The view below must not change while this one is in use.
 */
public final class Overlay implements WorkflowView {

    /** Most are made for one message, which writes a row or two. */
    private static final int FEW = 4;

    private final WorkflowView below;
    private final Map<ActivityKey, ActivityRecord> activities = new HashMap<>(FEW);
    private final Map<Guid, GuidRecord> guids = new HashMap<>(FEW);
    private final Map<ActivityKey, Gate> joins = new HashMap<>();
    private @Nullable WorkflowRecord workflow;
    private @Nullable List<Message.Signal> signals;

    public Overlay(WorkflowView below) {
        this.below = below;
        this.workflow = below.workflow();
    }

    /** Applies a whole bundle and counts it as one commit. */
    public Overlay apply(Bundle bundle) {
        for (Bundle.Part part : bundle.parts()) {
            apply(part);
        }
        if (workflow != null && !bundle.inboxOnly()) {
            committed(bundle.seal() == null ? workflow.chain() : bundle.seal().event().hash());
        }
        return this;
    }

    /** Applies the writes of one step, on the way to a bundle. */
    public void apply(Bundle.Part part) {
        for (Write write : part.writes()) {
            apply(write);
        }
    }

    /** Applies one write, on the way to a part. */
    public void apply(Write write) {
        switch (write) {
            case Write.CreateWorkflow create -> workflow = create.workflow();
            case Write.PutActivity put -> put(put.activity());
            case Write.PutGuid put -> put(put.guid());
            case Write.MoveSemaphore move -> moveSemaphore(move);
            case Write.MoveJoin move -> joins.put(move.join(), joinAfter(move.join(), move.arrivals(), move.by()));
            case Write.Enqueue enqueue -> numbered(enqueue.number() + 1);
            // What was accepted is in the other writes.
            case Write.Accept accept -> {}
            case Write.BufferSignal buffer -> ownSignals().add(buffer.signal());
            case Write.TakeSignal take -> ownSignals().removeIf(signal -> signal.guid().equals(take.guid()));
            case Write.CloseWorkflow close ->
                workflow = started().closed(close.status(), close.output(), close.reason(), close.closedAt());
            case Write.Hold hold -> workflow = started().held(hold.status(), hold.reason());
            // The row of its operation says all the kernel needs to know.
            case Write.PutEffect put -> {}
            // Nothing depends on it but who looks for it.
            case Write.PutAttribute put -> {}
            case Write.Post post -> {}
            case Write.Acknowledge acknowledge -> {}
            case Write.Charge charge -> {}
            case Write.GiveUp giveUp -> {}
        }
    }

    /** A ledger only grows: this is checked before a commit is made, and again whenever its event is read. */
    private void put(ActivityRecord activity) {
        ActivityRecord before = activity(activity.key());
        if (before != null && !activity.ledger().follows(before.ledger())) {
            throw new LedgerViolation("the ledger of " + activity.key() + " shrinks from " + before.ledger() + " to "
                    + activity.ledger());
        }
        activities.put(activity.key(), activity);
    }

    private void put(GuidRecord guid) {
        GuidRecord before = guid(guid.guid());
        if (before != null && !guid.ledger().follows(before.ledger())) {
            throw new LedgerViolation("the ledger of message " + guid.guid() + " shrinks from " + before.ledger()
                    + " to " + guid.ledger());
        }
        guids.put(guid.guid(), guid);
    }

    /** The next message of the workflow's queue gets this number. */
    void numbered(long next) {
        workflow = started().numbered(next);
    }

    /** Counts what was applied as one commit. */
    void committed(Hash chain) {
        workflow = started().committed(chain);
    }

    /** All of it, in one piece. */
    public Snapshot snapshot() {
        NavigableMap<ActivityKey, ActivityRecord> allActivities = new TreeMap<>();
        collect(allActivities);
        return new Snapshot(workflow, allActivities, guids(), joins(), List.copyOf(signals()));
    }

    private void moveSemaphore(Write.MoveSemaphore move) {
        Gate after = started().gate().move(move.delta(), move.by());
        boolean hit = !started().gate().closed() && after.closed();
        workflow = started().with(after);
        if (hit && move.weight() != 0) {
            GuidRecord mover = known(move.by());
            guids.put(move.by(), mover.with(mover.ledger().markCloser()));
        }
    }

    /** What the gate of a join is after one more arrival. */
    public Gate joinAfter(ActivityKey join, int arrivals, Guid by) {
        Gate before = join(join);
        return (before == null ? Gate.ofJoin(arrivals) : before).move(-1, by);
    }

    /** The workflow, which must have been started. */
    public WorkflowRecord started() {
        if (workflow == null) {
            throw new LedgerViolation("a write to a workflow that was never started");
        }
        return workflow;
    }

    /** An activity, which must exist. */
    public ActivityRecord existing(ActivityKey key) {
        ActivityRecord record = activity(key);
        if (record == null) {
            throw new LedgerViolation("activity " + key + " does not exist");
        }
        return record;
    }

    /** The ledger of a message, which must have been seeded. */
    public GuidRecord known(Guid guid) {
        GuidRecord record = guid(guid);
        if (record == null) {
            throw new LedgerViolation("message " + guid + " has no ledger");
        }
        return record;
    }

    @Override
    public @Nullable WorkflowRecord workflow() {
        return workflow;
    }

    @Override
    public @Nullable ActivityRecord activity(ActivityKey key) {
        ActivityRecord own = activities.get(key);
        return own != null ? own : below.activity(key);
    }

    @Override
    public Collection<ActivityRecord> activities() {
        NavigableMap<ActivityKey, ActivityRecord> all = new TreeMap<>();
        collect(all);
        return all.values();
    }

    /** From the bottom up, into one map: overlays lie on overlays. */
    private void collect(Map<ActivityKey, ActivityRecord> all) {
        if (below instanceof Overlay overlay) {
            overlay.collect(all);
        } else {
            below.activities().forEach(activity -> all.put(activity.key(), activity));
        }
        all.putAll(activities);
    }

    @Override
    public @Nullable GuidRecord guid(Guid guid) {
        GuidRecord own = guids.get(guid);
        return own != null ? own : below.guid(guid);
    }

    @Override
    public Map<Guid, GuidRecord> guids() {
        Map<Guid, GuidRecord> all = new HashMap<>(below.guids());
        all.putAll(guids);
        return all;
    }

    @Override
    public @Nullable Gate join(ActivityKey key) {
        Gate own = joins.get(key);
        return own != null ? own : below.join(key);
    }

    @Override
    public Map<ActivityKey, Gate> joins() {
        Map<ActivityKey, Gate> all = new TreeMap<>(below.joins());
        all.putAll(joins);
        return all;
    }

    @Override
    public Collection<Message.Signal> signals() {
        return signals == null ? below.signals() : List.copyOf(signals);
    }

    private List<Message.Signal> ownSignals() {
        if (signals == null) {
            signals = new ArrayList<>(below.signals());
        }
        return signals;
    }
}
