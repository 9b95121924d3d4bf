package dev.pawl.engine.flow;

import dev.pawl.engine.task.FlowHost;
import dev.pawl.engine.task.Submission;
import dev.pawl.kernel.collation.Advance;
import dev.pawl.kernel.collation.Advance.Change;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What the code of one incarnation has come to, until it is durable: held for company, and handed in with the next operation, so that an
 * operation costs one commit.
 */
final class Outbox {

    private final Incarnation incarnation;
    private final FlowRuntime runtime;
    private final Guard guard;
    private final Strands strands;
    private final ControlSignals control;
    private final Guid answer;
    // Under the lock.
    private final Journal journal;
    private final List<Change> held = new ArrayList<>();
    /** Whether something may be held; to be read without the lock. */
    private volatile boolean holds;
    private final List<Ticket> tickets = new ArrayList<>();
    /** Of those, the ones that must not overtake what was handed out. */
    private final List<Ticket> kept = new ArrayList<>();
    /** What people were asked and have not answered, and why, by the wait for the answer. */
    private final Map<String, String> questions = new LinkedHashMap<>();
    private int heard;
    private boolean waits;
    private boolean draining;
    /** The code cannot go on: what is held goes with its last word, and not before it. */
    private boolean settling;
    private boolean handedIn;
    /** Complete when what was handed out is durable, or handed back; null if nothing is handed out. */
    private @Nullable CompletableFuture<Void> handedOut;

    Outbox(Incarnation incarnation, Guard guard, Strands strands, ControlSignals control, Journal journal, int heard) {
        this.incarnation = incarnation;
        this.runtime = incarnation.runtime();
        this.guard = guard;
        this.strands = strands;
        this.control = control;
        this.journal = journal;
        this.heard = heard;
        this.answer = Advance.answer(incarnation.key(), FlowBehaviour.FLOW);
    }

    /** Something on its way to be committed. */
    final class Ticket implements Submission {

        private final Advance advance;
        private final boolean last;
        private final CompletableFuture<Void> done = new CompletableFuture<>();

        /** What the code hands in; {@code last} if it counts although the code is at its end. */
        private Ticket(Advance advance, boolean last) {
            this.advance = advance;
            this.last = last;
        }

        @Override
        public Advance advance() {
            return advance;
        }

        /** The word that the code is held is its last one. */
        @Override
        public boolean stands() {
            return last || guard.locked(() -> !strands.dead());
        }

        @Override
        public void committed() {
            forget(this);
            incarnation.attempts().durable(advance.changes());
            if (advance.heard() != null) {
                runtime.waits(incarnation);
            }
            runtime.wake(done);
        }

        @Override
        public void outdated(String why) {
            forget(this);
            boolean uncertain = guard.locked(strands::uncertain);
            boolean died = incarnation.die(why);
            if (died && uncertain) {
                runtime.unsettled(incarnation.shard());
            }
            if (last) {
                incarnation.attempts().reclaim();
            }
            done.completeExceptionally(new Unwound(why));
            if (died || last) {
                runtime.engine().revive(incarnation.key());
            }
        }

        /** It would be handed in again and again. */
        @Override
        public void refused(String why) {
            forget(this);
            incarnation.attempts().giveUp(advance.changes());
            if (last && !advance.changes().isEmpty()) {
                runtime.engine().submit(last(List.of(), String.valueOf(advance.held())));
                incarnation.attempts().reclaim();
            }
            incarnation.parking().standStill("CannotBeRecorded", why);
            done.completeExceptionally(new Unwound(why));
        }
    }

    private void forget(Ticket ticket) {
        guard.run(() -> tickets.remove(ticket));
    }

    /** Hands in changes, and all that was held; returns when that is durable, and the strand may still act on it. */
    void commit(Strand strand, Change... changes) {
        incarnation.writable();
        stopIfDraining(strand);
        Ticket ticket = guard.locked(() -> {
            strands.alive(strand);
            return submit(List.of(changes), null);
        });
        strands.join(ticket.done);
        strands.check(strand);
    }

    /**
     * Returns when everything the code has done is durable, and the strand may still act on it. Hands in what was held; if there is nothing to
     * wait for, there is no commit.
     */
    void awaitDurable(Strand strand) {
        incarnation.writable();
        stopIfDraining(strand);
        boolean again = true;
        while (again) {
            boolean[] transacts = new boolean[1];
            List<CompletableFuture<Void>> pending = guard.locked(() -> {
                strands.alive(strand);
                if (!held.isEmpty() || leavesParking()) {
                    submit(List.of(), null);
                }
                transacts[0] = handedOut != null;
                return underWay();
            });
            pending.forEach(strands::join);
            // What a transaction could not hand in was handed in after it.
            again = transacts[0];
        }
        strands.check(strand);
    }

    /** Whether the workflow is shown as parked until this run of the code hands something in. */
    private boolean leavesParking() {
        return !handedIn && incarnation.workflow().status() == WorkflowStatus.PARKED;
    }

    /** Declares runs of plain steps that are not declared; returns whether everything that runs is durably declared. */
    boolean declareRunning() {
        return guard.locked(() -> {
            List<Change> declarations = strands.dead() ? List.of() : incarnation.attempts().undeclared();
            // What is held for company has none to come if the code was stopped: nothing else would hand it in.
            if (!declarations.isEmpty() || (!strands.dead() && !settling && !held.isEmpty())) {
                submit(declarations, null);
            }
            return strands.dead() || (tickets.isEmpty() && held.isEmpty() && incarnation.attempts().allDeclared());
        });
    }

    /** Holds a change for company: it is handed in with the next one, or soon. */
    void hold(Strand strand, Change... changes) {
        incarnation.writable();
        guard.run(() -> {
            strands.alive(strand);
            begun(Arrays.asList(changes));
            for (Change change : changes) {
                held.add(change instanceof Advance.Finish finish ? joined(finish) : change);
            }
            holds = true;
        });
        runtime.flushSoon(incarnation);
    }

    /** The end of a plain step whose late declaration is still held: both are one change, as if the step had not been declared. */
    private Change joined(Advance.Finish finish) {
        for (Change each : held) {
            if (each instanceof Advance.Begin begin && begin.operation().equals(finish.operation())) {
                held.remove(begin);
                return new Advance.Ran(begin.operation(), begin.input(), finish.response());
            }
        }
        return finish;
    }

    /** Holds changes that are in no hurry. Under the lock. */
    void add(List<Change> changes) {
        guard.require();
        begun(changes);
        incarnation.attempts().submitted(changes);
        held.addAll(changes);
        holds = true;
    }

    /** Gives what is held to somebody who hands it in himself; until he is through, nothing else is. Under the lock. */
    List<Change> handOut() {
        guard.require();
        List<Change> all = List.copyOf(held);
        held.clear();
        handedIn = true;
        handedOut = new CompletableFuture<>();
        return all;
    }

    /** What was handed out is durable. What he could not hand in goes ahead of all that had to wait for it. */
    void handedBack(List<Change> changes) {
        CompletableFuture<Void> done = guard.<@Nullable CompletableFuture<Void>>locked(() -> {
            CompletableFuture<Void> handed = handedOut;
            handedOut = null;
            if (!changes.isEmpty()) {
                Ticket first = new Ticket(advance(changes, null, asked(), null), false);
                tickets.add(first);
                runtime.engine().submit(first);
            }
            kept.forEach(runtime.engine()::submit);
            kept.clear();
            return handed;
        });
        if (done != null) {
            done.complete(null);
        }
    }

    /** What was held long enough. */
    void flush() {
        if (!holds) {
            return;
        }
        guard.run(() -> {
            if (!strands.dead() && !settling && !held.isEmpty()) {
                submit(List.of(), null);
            }
        });
    }

    /** The last thing the code hands in. */
    void end(Advance.Result result) {
        incarnation.writable();
        Ticket ticket = guard.locked(() -> {
            strands.alive(strands.main());
            return submit(List.of(), result);
        });
        strands.join(ticket.done);
    }

    /** What it has handed in is durable, nothing of it runs, and it knows of all news: it waits. Under the lock. */
    boolean waits() {
        guard.require();
        return waits && tickets.isEmpty();
    }

    /** There is news. Under the lock. */
    void heard(int count) {
        guard.require();
        heard = Math.max(heard, count);
        waits = false;
    }

    /** Hands in changes with all that was held, and says so if all strands wait. Under the lock. */
    Ticket submit(List<Change> changes, Advance.@Nullable Result result) {
        guard.require();
        List<Change> all = takeHeld();
        all.addAll(changes);
        // A strand that was stopped does not wait: whoever comes next must run it.
        Integer allWaitAt = result == null && !draining() && strands.noneRuns() ? Integer.valueOf(heard) : null;
        waits = allWaitAt != null;
        begun(changes);
        Ticket ticket = new Ticket(advance(all, allWaitAt, result == null ? asked() : null, result), false);
        tickets.add(ticket);
        incarnation.attempts().submitted(all);
        handedIn = true;
        if (handedOut != null) {
            kept.add(ticket);
        } else {
            runtime.engine().submit(ticket);
        }
        return ticket;
    }

    private List<Change> takeHeld() {
        List<Change> all = control.takeRetries();
        all.addAll(held);
        held.clear();
        holds = false;
        return all;
    }

    /** What is begun and waits is in the journal from now on, so that a race knows what its losers have open. */
    private void begun(List<Change> changes) {
        for (Change change : changes) {
            if (change instanceof Advance.Begin begin) {
                journal.begun(begin.operation().activity());
            }
        }
    }

    // The end of it.

    /** Begins nothing new from now on; what is under way may come to its end. */
    void drain() {
        guard.run(() -> draining = true);
        incarnation.updates().stop();
        strands.call();
    }

    /** Instead of beginning something: what was done so far is made durable, and the strand ends here. */
    void stopIfDraining(Strand strand) {
        Ticket last = guard.locked(
                () -> draining() && !strands.dead() && !held.isEmpty() ? submit(List.of(), null) : null);
        if (last != null) {
            strands.join(last.done);
        }
        boolean stops = guard.locked(() -> {
            if (draining()) {
                strand.end();
                return true;
            }
            return false;
        });
        if (stops) {
            if (strand.recovery() == FlowHost.Recovery.UNCLEAN) {
                runtime.unsettled(incarnation.shard());
            }
            throw new Unwound("the engine stops");
        }
    }

    /** Also if the engine stops and this incarnation has not been told: it may have begun at that moment. Under the lock. */
    boolean draining() {
        guard.require();
        return draining || runtime.stops();
    }

    /** Under the lock. */
    boolean isEmpty() {
        guard.require();
        return held.isEmpty() && tickets.isEmpty();
    }

    /** What strands wait for that is under way. Under the lock. */
    List<CompletableFuture<Void>> underWay() {
        guard.require();
        List<CompletableFuture<Void>> all = new ArrayList<>();
        tickets.forEach(ticket -> all.add(ticket.done));
        if (handedOut != null) {
            all.add(handedOut);
        }
        return all;
    }

    /** Waits for all that is under way, before the last word. */
    void settle() {
        guard.run(() -> settling = true);
        awaitUnderWay();
    }

    /** Waits for all that is under way. */
    void awaitUnderWay() {
        while (true) {
            Ticket under = guard.locked(() -> strands.dead() || tickets.isEmpty() ? null : tickets.getFirst());
            if (under == null) {
                return;
            }
            strands.join(under.done);
        }
    }

    /** What is to be handed in last, with all that is held and what declares the steps that still run, by code that cannot go on. */
    Ticket lastWord(String reason) {
        return guard.locked(() -> {
            List<Change> changes = takeHeld();
            incarnation.attempts().entrust(changes);
            List<Change> declarations = incarnation.attempts().undeclared();
            incarnation.attempts().submitted(declarations);
            changes.addAll(declarations);
            return last(changes, reason);
        });
    }

    private Ticket last(List<Change> changes, String reason) {
        return new Ticket(advance(changes, null, reason, null), true);
    }

    private Advance advance(List<Change> changes, @Nullable Integer allWaitAt, @Nullable String reason,
            Advance.@Nullable Result result) {
        return new Advance(incarnation.key(), FlowBehaviour.FLOW, answer, changes, allWaitAt, reason, result);
    }

    /** Whether anything was handed in, which says that the code goes on. */
    boolean handedIn() {
        return guard.locked(() -> handedIn);
    }

    // Questions to people.

    /** People are asked something: as long as they have not answered, the workflow is parked. */
    void asks(String id, String reason) {
        guard.run(() -> questions.put(id, reason));
    }

    void heardOf(String id) {
        guard.run(() -> questions.remove(id));
    }

    /** Why people are asked, if they are. */
    @Nullable String asked() {
        return guard.locked(() -> questions.isEmpty() ? null : questions.values().iterator().next());
    }
}
