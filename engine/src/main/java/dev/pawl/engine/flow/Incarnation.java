package dev.pawl.engine.flow;

import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.task.FlowHost;
import dev.pawl.kernel.collation.Advance.Change;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One run of a flow's code, from its beginning until it ends, is put aside, or turns out to have run on something that never became
 * durable. Ties its parts together: what concerns several of them at once is here, everything else is asked of the part itself.
 *
 * <p>Safe for use by many threads, by one lock for all its parts (see {@link Guard}). Nothing of it outlives the process, and nothing of
 * it is needed then.
 */
final class Incarnation {

    private final FlowRuntime runtime;
    private final WorkflowRecord workflow;
    private final ShardId shard;
    private final Flow<?, ?> flow;
    private final boolean readOnly;
    private final Guard guard;
    private final Strands strands;
    private final ControlSignals control;
    private final Outbox outbox;
    private final Errands errands;
    private final Attempts attempts;
    private final Waiting waiting;
    private final Parking parking;
    private final Lookup lookup;
    private final Handlers handlers;
    private final Expectations expectations = new Expectations();
    private final AttributeNames attributeNames;
    private final Progress progress;
    private final Updates updates;
    private final Rollbacks rollbacks = new Rollbacks();
    // Under the lock.
    private final Journal journal;

    /** Has begun nothing yet; one that is read-only answers a query, and changes nothing. */
    Incarnation(FlowRuntime runtime, Flow<?, ?> flow, FlowHost.News news, FlowHost.State state, boolean readOnly) {
        this.runtime = runtime;
        this.guard = new Guard(runtime.threads()::pause);
        this.handlers = new Handlers(guard);
        this.flow = flow;
        this.workflow = news.workflow();
        this.shard = news.shard();
        this.readOnly = readOnly;
        this.journal = new Journal(state.activities());
        this.strands = new Strands(guard, runtime.threads(), news.recovery());
        this.control = new ControlSignals(guard, journal, state.signals());
        this.outbox = new Outbox(this, guard, strands, control, journal, news.count());
        this.attempts = new Attempts(this, guard, strands);
        this.errands = new Errands(this, guard, strands, outbox);
        this.waiting = new Waiting(this, guard, strands, outbox, journal);
        this.parking = new Parking(this, outbox);
        this.lookup = new Lookup(runtime, workflow.key(), strands);
        this.attributeNames = new AttributeNames(guard, journal);
        this.progress = new Progress(this, guard, strands, journal);
        this.updates = new Updates(this, guard, strands, control, journal);
    }

    WorkflowKey key() {
        return workflow.key();
    }

    WorkflowRecord workflow() {
        return workflow;
    }

    ShardId shard() {
        return shard;
    }

    Flow<?, ?> flow() {
        return flow;
    }

    FlowRuntime runtime() {
        return runtime;
    }

    Strands strands() {
        return strands;
    }

    ControlSignals control() {
        return control;
    }

    Outbox outbox() {
        return outbox;
    }

    Errands errands() {
        return errands;
    }

    Attempts attempts() {
        return attempts;
    }

    Waiting waiting() {
        return waiting;
    }

    Parking parking() {
        return parking;
    }

    Lookup lookup() {
        return lookup;
    }

    Handlers handlers() {
        return handlers;
    }

    Expectations expectations() {
        return expectations;
    }

    AttributeNames attributeNames() {
        return attributeNames;
    }

    Updates updates() {
        return updates;
    }

    Rollbacks rollbacks() {
        return rollbacks;
    }

    Progress progress() {
        return progress;
    }

    /** Whether it only answers a query. */
    boolean readOnly() {
        return readOnly;
    }

    /** Nothing may be changed by code that only answers a query. */
    void writable() {
        if (readOnly) {
            throw new Unwound("this is as far as the record goes");
        }
    }

    // Its life.

    /**
     * Nothing it does counts from now on; every thread of it ends where it next touches its context.
     *
     * @return false if that was so before
     */
    boolean die(String why) {
        List<Attempts.Orphan> orphans = new ArrayList<>();
        List<CompletableFuture<Void>> waking = guard.locked(() -> {
            if (!strands.die(why)) {
                return null;
            }
            orphans.addAll(attempts.orphans());
            errands.abandon(why);
            List<CompletableFuture<Void>> all = outbox.underWay();
            all.addAll(updates.abandoned());
            all.addAll(strands.wake(each -> true));
            return all;
        });
        strands.call();
        if (waking == null) {
            return false;
        }
        waking.forEach(each -> each.completeExceptionally(new Unwound(why)));
        attempts.send(orphans);
        runtime.bereave(this);
        return true;
    }

    /** The same when no other run of the code will ask for what this one has begun. */
    void end(String why) {
        guard.run(attempts::forget);
        die(why);
    }

    /** Tells it what has come. False if it is over, and somebody has to begin anew. */
    boolean tell(FlowHost.News news) {
        List<CompletableFuture<Void>> waking = new ArrayList<>();
        List<Runnable> beginning = new ArrayList<>();
        @Nullable String[] ending = new String[1];
        boolean alive = guard.locked(() -> {
            if (strands.dead()) {
                return false;
            }
            outbox.heard(news.count());
            news.answered().forEach(journal::put);
            control.note(news.signals());
            if (control.endRequested()) {
                strands.notice();
                ending[0] = control.endReason();
            }
            waking.addAll(strands.wake(strand -> !strand.running() && !strand.detached()
                    && (control.endRequested() || answered(news, strand))));
            // Before it is said that everything waits: a handler that begins does not.
            beginning.addAll(updates.next());
            if (strands.noneRuns()) {
                outbox.submit(List.of(), null);
            }
            return true;
        });
        waking.forEach(each -> each.complete(null));
        beginning.forEach(Runnable::run);
        if (!news.signals().isEmpty() || !control.isEmpty()) {
            strands.call();
        }
        if (ending[0] != null) {
            attempts.stop(ending[0], strand -> true);
        }
        return alive;
    }

    private static boolean answered(FlowHost.News news, Strand strand) {
        return news.answered().stream().anyMatch(each -> strand.awaits(each.key().activity()));
    }

    /** Puts it aside, if nothing of it runs or is on its way: it begins anew when something comes. */
    boolean putAside() {
        return guard.locked(() -> {
            boolean idle = !strands.dead() && strands.noneRuns() && outbox.waits();
            if (idle) {
                end("put aside");
            }
            return idle;
        });
    }

    /** Nothing of it runs any more, and everything it came to is durable. */
    boolean drained() {
        return guard.locked(() -> strands.dead()
                || (strands.noneRuns() && outbox.isEmpty() && errands.isEmpty() && attempts.allDeclared()));
    }

    /**
     * Why the flow is to end, if somebody has asked for that; the request is taken with the next thing that is handed in. Plain steps that run
     * are declared in the same commit: one of which nothing is recorded when the request is taken had not begun, and no later run of the
     * code begins it.
     */
    @Nullable String cancelled() {
        return guard.locked(() -> {
            Change taken = control.takeCancellation();
            if (taken != null) {
                outbox.add(List.of(taken));
                outbox.add(attempts.undeclared());
            }
            return control.cancelled();
        });
    }
}
