package dev.pawl.kernel.collation;

import dev.pawl.kernel.bundle.Overlay;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.DimensionalAddress;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Gate;
import java.util.ArrayList;
import java.util.List;

/** The children of one activity: created, entered once and put in the queue (or asked at once), or counted as an arrival at a join. */
final class Spawning {

    private final Context context;
    private final Overlay overlay;
    private final DimensionalAddress adjacent;
    private final List<Write> writes = new ArrayList<>();
    private int spawned;

    Spawning(Context context, DimensionalAddress plane) {
        this.context = context;
        // An overlay of its own: two children of one list may be arrivals at the same join.
        this.overlay = new Overlay(context.overlay());
        this.adjacent = plane.child();
    }

    List<Write> writes() {
        return writes;
    }

    /** How many obligations were opened; an arrival that does not open its join opens none. */
    int spawned() {
        return spawned;
    }

    void child(Next.Child child) {
        Next.Join join = child.join();
        if (join == null) {
            ActivityKey key = new ActivityKey(child.activity(), adjacent);
            spawn(key, child, context.guid().toChild(key));
        } else {
            arrive(new ActivityKey(child.activity(), meeting(join)), child, join);
        }
    }

    /** The same for every branch, whatever planes it has opened on its way. */
    private DimensionalAddress meeting(Next.Join join) {
        if (join.forkDepth() < 1 || join.forkDepth() >= adjacent.depth() || join.depth() < adjacent.depth()) {
            throw new DefinitionFault("branches at " + adjacent + " cannot meet at " + join);
        }
        return adjacent.prefix(join.forkDepth()).descendTo(join.depth());
    }

    private void arrive(ActivityKey key, Next.Child child, Next.Join join) {
        Gate gate = overlay.join(key);
        if (gate != null && gate.closed()) {
            throw new DefinitionFault("the definition sends more branches to " + key + " than it declares");
        }
        boolean last = overlay.joinAfter(key, join.arrivals(), context.guid()).closed();
        add(new Write.MoveJoin(key, join.arrivals(), context.guid(), last));
        if (last) {
            spawn(key, child, Guid.ofJoin(context.workflow(), key));
        }
    }

    private void spawn(ActivityKey key, Next.Child child, Guid guid) {
        if (overlay.activity(key) != null) {
            throw new DefinitionFault("the definition spawns " + key + " twice; branches that meet need a join");
        }
        ActivityRecord entered = ActivityRecord.entered(key, child.type(), child.input());
        Request.Waiting asked = child.asked();
        if (asked != null) {
            new LegOne(context.of(overlay, guid), entered).ask(asked).forEach(this::add);
        } else {
            add(new Write.PutActivity(entered));
            add(new Write.Enqueue(overlay.started().messages(), new Message.Enter(context.workflow(), guid, key)));
        }
        spawned++;
    }

    private void add(Write write) {
        overlay.apply(write);
        writes.add(write);
    }
}
