package dev.pawl.engine.flow;

import dev.pawl.engine.flow.UpdateRecords.Segment;
import dev.pawl.kernel.collation.Advance;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Payload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Runs the handlers of updates, each in a strand of its own, and decides whose turn it is. Of the main code and the handlers one runs at a
 * time: each gives its turn back when it comes to an operation, and waits for another turn when that is over. So what they share changes in
 * an order, and that order is recorded: a segment of a handler belongs to the operation that the main code was in. A later run of the code
 * stops at the same operation until the same segments have run, in the same order. Branches take no turns.
 *
 * <p>A handler begins only where the code has never been. The flow ends when its handlers have ended: if it ends well it waits for them, if
 * not they are cancelled first. While it waits for them, others begin beside those that run, because those may wait for others.
 */
final class Updates {

    static final String TOPIC = FlowBehaviour.CONTROL + "update:";

    /** The wait of the main code for its handlers, when it is at its own end. */
    private static final String END = Journal.OWN + "end";

    private final Incarnation incarnation;
    private final Guard guard;
    private final Strands strands;
    private final ControlSignals control;
    // Under the lock.
    private final Journal journal;
    private final Map<Strand, Run> runs = new LinkedHashMap<>();
    private final List<Ready> ready = new ArrayList<>();
    private @Nullable UpdateRecords records;
    private @Nullable Strand turn;
    private @Nullable Grant grant;
    /** The operation that the main code is in; null until that is known, and while what was run there before is run again. */
    private @Nullable String at;
    /** The main code waits until no handler runs: from then on none begins before it goes on. */
    private boolean waited;
    private boolean closed;
    private boolean stopped;
    private @Nullable String ending;

    /** A handler at work on one update. */
    private static final class Run {

        private final String update;
        private final String name;
        private final Payload input;
        private final Handlers.Updating handler;
        private final Strand strand;
        private final Message.@Nullable Signal signal;
        private int segment;
        /** Of a segment that runs for the first time: where, and the how manieth it is. */
        private @Nullable String place;
        private int number;

        Run(String update, String name, Payload input, Handlers.Updating handler, Strand strand,
                Message.@Nullable Signal signal) {
            this.update = update;
            this.name = name;
            this.input = input;
            this.handler = handler;
            this.strand = strand;
            this.signal = signal;
        }
    }

    /** A strand whose operation is over, and that waits for its turn. */
    private record Ready(Strand strand, CompletableFuture<Void> go) {
    }

    /** A turn for one segment that was run before; the main code waits until it is over. */
    private record Grant(Run run, boolean begins, CompletableFuture<Void> over) {
    }

    Updates(Incarnation incarnation, Guard guard, Strands strands, ControlSignals control, Journal journal) {
        this.incarnation = incarnation;
        this.guard = guard;
        this.strands = strands;
        this.control = control;
        this.journal = journal;
        this.turn = strands.main();
    }

    /** Under the lock. */
    private UpdateRecords records() {
        if (records == null) {
            records = new UpdateRecords(journal::withPrefix);
        }
        return records;
    }

    // Turns.

    /** The code of a strand has come to an operation; its turn is over. Only the outermost counts. */
    void leave(Strand strand) {
        Run run = guard.locked(() -> runs.get(strand));
        if ((run == null && strand != strands.main()) || strand.inside++ > 0) {
            return;
        }
        if (run != null) {
            record(run);
        }
        Grant over = guard.locked(() -> {
            turn = turn == strand ? null : turn;
            if (run == null) {
                at = null;
            } else {
                run.segment++;
                run.place = null;
            }
            return taken(run);
        });
        end(over);
        pump();
    }

    private void record(Run run) {
        String place = guard.locked(() -> run.place);
        if (place != null) {
            incarnation.outbox().hold(run.strand, run.segment == 0 && run.signal != null
                    ? UpdateRecords.beginning(run.update, run.name, place, run.number, run.input, run.signal.guid())
                    : UpdateRecords.segment(run.update, run.segment, run.name, place, run.number));
        }
    }

    /** The operation is over; waits until the code of the strand may go on. */
    void enter(Strand strand) {
        boolean takesTurns = strand == strands.main() || guard.locked(() -> runs.containsKey(strand));
        if (!takesTurns || --strand.inside > 0) {
            return;
        }
        CompletableFuture<Void> go = new CompletableFuture<>();
        guard.run(() -> {
            strands.alive(strand);
            if (stopped) {
                strand.end();
                throw new Unwound("the engine stops");
            }
            ready.add(new Ready(strand, go));
        });
        pump();
        strands.join(go);
    }

    /** Gives the turn to the next one, if there is one and the turn is free. */
    void pump() {
        List<Runnable> next = guard.locked(this::next);
        next.forEach(Runnable::run);
    }

    /** What gives the turn to the next one; to be run without the lock. The next one counts as running already. Under the lock. */
    List<Runnable> next() {
        guard.require();
        if (turn != null || strands.dead()) {
            return List.of();
        }
        if (grant != null) {
            Run run = grant.run();
            return grant.begins() ? begin(run) : ready.stream().filter(each -> each.strand() == run.strand).findFirst()
                    .map(this::give).orElse(List.of());
        }
        boolean front = at != null && !incarnation.readOnly() && journal.caughtUp() && records().replayed();
        for (Ready each : ready) {
            Run run = runs.get(each.strand());
            if (run == null) {
                return give(each);
            }
            if (front && !records().recorded(run.update, run.segment)) {
                place(run);
                return give(each);
            }
        }
        boolean open = !closed && !stopped && !(waited && runs.isEmpty());
        Run fresh = front && open ? fresh() : null;
        if (fresh == null) {
            return List.of();
        }
        place(fresh);
        return begin(fresh);
    }

    private void place(Run run) {
        run.place = Journal.paused(Objects.requireNonNull(at));
        run.number = records().nextNumber();
    }

    private List<Runnable> give(Ready to) {
        ready.remove(to);
        turn = to.strand();
        return List.of(() -> to.go().complete(null));
    }

    private List<Runnable> begin(Run run) {
        turn = run.strand;
        runs.put(run.strand, run);
        if (grant != null) {
            grant = new Grant(run, false, grant.over());
        }
        return List.of(() -> incarnation.runtime().threads().start("pawl-update-" + run.name, () -> run(run)));
    }

    /** The oldest update whose handler may begin. */
    private @Nullable Run fresh() {
        boolean busy = runs.values().stream().anyMatch(run -> !run.handler.concurrent());
        for (Message.Signal signal : control.isEmpty() ? List.<Message.Signal>of() : control.all()) {
            String name = signal.topic().startsWith(TOPIC) ? signal.topic().substring(TOPIC.length()) : null;
            Handlers.Updating handler = name == null ? null : incarnation.handlers().update(name);
            if (name != null && handler != null && (handler.concurrent() || !busy)) {
                control.taken(signal);
                return new Run(signal.guid().toString(), name, signal.response().payload(), handler,
                        strands.fork(strands.main(), 1).getFirst(), signal);
            }
        }
        return null;
    }

    private @Nullable Grant taken(@Nullable Run run) {
        Grant over = grant != null && run != null && grant.run() == run ? grant : null;
        grant = over == null ? grant : null;
        return over;
    }

    private static void end(@Nullable Grant grant) {
        if (grant != null) {
            grant.over().complete(null);
        }
    }

    // The main code.

    /**
     * The main code has come to an operation: first runs the segments of handlers that were run there before. To be called whether the
     * operation is recorded or not.
     */
    void replay(Strand strand, String operation) {
        if (strand != strands.main()) {
            return;
        }
        while (true) {
            CompletableFuture<Void> over = new CompletableFuture<>();
            boolean[] granted = new boolean[1];
            Segment segment = guard.locked(() -> {
                Segment next = records().next(operation);
                if (next != null) {
                    granted[0] = grant(next, over);
                } else {
                    at = operation;
                }
                return next;
            });
            if (segment != null && !granted[0]) {
                throw incarnation.parking().park(new Journal.Mismatch(
                        "an update " + segment.name() + " in " + segment.at(),
                        "no handler of updates " + segment.name()));
            }
            pump();
            if (segment == null) {
                return;
            }
            strands.join(over);
        }
    }

    /** False if the code has no handler for it. Under the lock. */
    private boolean grant(Segment segment, CompletableFuture<Void> over) {
        Run running = runs.values().stream().filter(run -> run.update.equals(segment.update())).findFirst()
                .orElse(null);
        Handlers.Updating handler = incarnation.handlers().update(segment.name());
        if (running != null) {
            grant = new Grant(running, false, over);
        } else if (handler != null && segment.index() == 0) {
            grant = new Grant(new Run(segment.update(), segment.name(), segment.input(), handler,
                    strands.fork(strands.main(), 1).getFirst(), null), true, over);
        } else {
            return false;
        }
        return true;
    }

    /**
     * The main code waits for the handlers that have begun.
     *
     * @param place the operation that it is in meanwhile
     */
    void await(String place) {
        if (guard.locked(runs::isEmpty)) {
            return;
        }
        Strand main = strands.main();
        guard.run(() -> waited = true);
        leave(main);
        replay(main, place);
        refuseBehind(place);
        waitForAll();
        enter(main);
        guard.run(() -> waited = false);
    }

    /** What a handler did next may belong to an operation that this code comes to later, or never: then it would wait for ever. */
    private void refuseBehind(String place) {
        String behind = guard.locked(() -> runs.isEmpty() || records().replayed() ? null
                : runs.values().iterator().next().name);
        if (behind != null) {
            throw incarnation.parking().park(new Journal.Mismatch("an update " + behind + " that goes on after it",
                    "a wait for handlers in " + place));
        }
    }

    private void waitForAll() {
        incarnation.waiting().forBranches(strands.main(), () -> guard.locked(runs::isEmpty), () -> {
            // A query sees nothing that is not recorded.
            incarnation.writable();
            return false;
        });
    }

    /**
     * The main code is at its end: waits for the handlers that have begun.
     *
     * @param why what they are cancelled for, and then no other begins; null if they may come to their own end
     */
    void finish(@Nullable String why) {
        boolean none = guard.locked(() -> {
            waited = true;
            closed = why != null;
            return runs.isEmpty();
        });
        if (none) {
            return;
        }
        Strand main = strands.main();
        leave(main);
        replay(main, END);
        if (incarnation.readOnly()) {
            return;
        }
        List<CompletableFuture<Void>> waking = guard.locked(() -> {
            ending = why;
            strands.notice();
            return why == null ? List.of() : strands.wake(each -> each.waits() && each != main);
        });
        waking.forEach(each -> each.complete(null));
        if (why == null) {
            refuseBehind(END);
        } else {
            incarnation.attempts().stop(why, strand -> strand != main);
        }
        waitForAll();
        enter(main);
    }

    /** Why handlers are to end, if the flow has come to a bad end. */
    @Nullable String ending() {
        return guard.locked(() -> ending);
    }

    // Handlers.

    private void run(Run run) {
        try {
            Scope scope = new Scope(incarnation, run.strand, UpdateRecords.path(run.update));
            if (accepted(run)) {
                Payload output = answer(run, new StrandContext(scope));
                incarnation.progress().ended(UpdateRecords.path(run.update));
                answered(run, output);
            }
        } catch (Unwound unwound) {
            // Whatever it did not hand in never happened.
        } catch (Throwable e) {
            incarnation.runtime().broken(incarnation, e);
        } finally {
            over(run);
        }
    }

    /** Only where it runs for the first time: what was refused left nothing but the refusal. */
    private boolean accepted(Run run) {
        if (run.signal == null) {
            return true;
        }
        try {
            run.handler.validate(run.input);
            return true;
        } catch (PayloadError e) {
            return refused(run, run.signal.guid(), failure(e));
        } catch (Exception e) {
            Results.Failure failure = Results.Failure.of(e);
            return refused(run, run.signal.guid(),
                    new Results.Failure(FlowControl.REFUSED, failure.message(), failure.type()));
        }
    }

    private boolean refused(Run run, Guid signal, Results.Failure why) {
        hand(run, UpdateRecords.refused(run.update, run.name, run.input, Results.failed(why.payload()), signal));
        return false;
    }

    private static Results.Failure failure(PayloadError error) {
        return new Results.Failure(error.code(), Results.shortened(String.valueOf(error.getMessage())),
                PayloadError.class.getName());
    }

    private Payload answer(Run run, FlowContext context) {
        try {
            return run.handler.answer(context, UpdateRecords.answer(run.update), run.input);
        } catch (SignalUnreadable e) {
            throw incarnation.parking().park(e.operation(), e.error());
        } catch (PayloadError e) {
            return Results.failed(failure(e).payload());
        } catch (Exception e) {
            return Results.failed(Results.Failure.of(e).payload());
        }
    }

    private void answered(Run run, Payload output) {
        String place = guard.locked(() -> run.place);
        if (place != null) {
            Message.Signal taken = run.segment == 0 ? run.signal : null;
            hand(run, UpdateRecords.answered(run.update, run.name, place, run.number, run.input, output,
                    taken == null ? null : taken.guid()));
        }
    }

    private void hand(Run run, Advance.Change change) {
        incarnation.outbox().hold(run.strand, change);
    }

    private void over(Run run) {
        Grant over = guard.locked(() -> {
            runs.remove(run.strand);
            turn = turn == run.strand ? null : turn;
            return taken(run);
        });
        end(over);
        pump();
        incarnation.waiting().branchEnded(run.strand, guard.locked(() -> waited && runs.isEmpty()));
    }

    // The end of the incarnation.

    /** What strands wait for here that will never be. Under the lock. */
    List<CompletableFuture<Void>> abandoned() {
        guard.require();
        List<CompletableFuture<Void>> waiting = new ArrayList<>();
        ready.forEach(each -> waiting.add(each.go()));
        ready.clear();
        if (grant != null) {
            waiting.add(grant.over());
        }
        return waiting;
    }

    /** No handler begins any more, and what waits for its turn ends here. */
    void stop() {
        List<Ready> ended = guard.locked(() -> {
            stopped = true;
            List<Ready> all = List.copyOf(ready);
            ready.clear();
            all.forEach(each -> each.strand().end());
            return all;
        });
        ended.forEach(each -> each.go().completeExceptionally(new Unwound("the engine stops")));
    }
}
