package dev.pawl.kernel.collation;

import dev.pawl.kernel.bundle.Bundle.Part;
import dev.pawl.kernel.bundle.Overlay;
import dev.pawl.kernel.bundle.Step;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.ledger.GuidLedger;
import dev.pawl.kernel.ledger.Semaphore;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Gate;
import dev.pawl.kernel.workflow.GuidRecord;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The three steps of one message. Each looks at the digits and nothing else to know whether it is its turn, so running
 * them all from the start and resuming between any two of them are the same code.
 *
 * <p>Grows the overlay and the list of parts as it goes.
 */
record Steps(Context context, Role role, List<Part> parts) {

    /** Runs what is left to run. Returns false if the message must come again to go on. */
    boolean run() {
        if (!ledger().workDone()) {
            List<Write> chunk = role.chunk();
            if (!chunk.isEmpty()) {
                return addChunk(chunk);
            }
            work();
        }
        if (!ledger().childrenSpawned()) {
            spawn();
        }
        return !context.overlay().started().gate().closedBy(context.guid()) || complete();
    }

    private void work() {
        List<Write> writes = new ArrayList<>(role.work());
        writes.add(mark(GuidLedger::markWorkDone));
        add(Step.WORK, writes);
    }

    /** Children, digit, semaphore and closer digit: never one without the others. */
    private void spawn() {
        WorkflowRecord workflow = context.overlay().started();
        List<Write> writes = new ArrayList<>();
        long delta = switch (role.next()) {
            case Next.Spawn spawn -> {
                Spawning spawning = new Spawning(context, role.plane().address());
                spawn.children().forEach(spawning::child);
                writes.addAll(spawning.writes());
                yield role.staysOpen() ? spawning.spawned() : Semaphore.deltaOf(spawning.spawned());
            }
            case Next.Tell(ActivityKey flow) -> {
                writes.add(context.tell(flow));
                yield Semaphore.deltaOf(0);
            }
            case Next.Close close -> workflow.gate().deltaToThreshold();
        };
        Gate after = workflow.gate().move(delta, context.guid());
        writes.add(mark(GuidLedger::markChildrenSpawned));
        writes.add(new Write.MoveSemaphore(context.guid(), delta, role.closerWeight(), after.closed()));
        if (role.finalizes() && !after.closed()) {
            writes.add(finish());
        }
        if (role.staysOpen()) {
            // On top of what was just spawned: the children have taken the next numbers of the queue.
            Overlay spawned = new Overlay(context.overlay());
            writes.forEach(spawned::apply);
            writes.addAll(new Signals(spawned).open(activity()));
        }
        add(Step.SPAWN, writes);
    }

    private boolean complete() {
        Completion completion = new Completion(context, role.next());
        List<Write> chunk = completion.chunk();
        if (!chunk.isEmpty()) {
            return addChunk(chunk);
        }
        List<Write> writes = new ArrayList<>(completion.writes());
        writes.add(mark(GuidLedger::markCompletionDone));
        if (role.finalizes()) {
            writes.add(finish());
        }
        add(Step.COMPLETE, writes);
        return true;
    }

    private Write finish() {
        ActivityRecord activity = activity();
        return new Write.PutActivity(activity.with(activity.ledger().finish()).waitingForNothing());
    }

    private ActivityRecord activity() {
        return context.overlay().existing(role.base());
    }

    private GuidLedger ledger() {
        return context.overlay().known(context.guid()).ledger();
    }

    private Write mark(UnaryOperator<GuidLedger> marker) {
        GuidRecord own = context.overlay().known(context.guid());
        return new Write.PutGuid(own.with(marker.apply(own.ledger())));
    }

    private boolean addChunk(List<Write> writes) {
        add(Step.FAN_OUT, writes);
        return false;
    }

    private void add(Step step, List<Write> writes) {
        Part part = new Part(step, writes);
        context.overlay().apply(part);
        parts.add(part);
    }
}
