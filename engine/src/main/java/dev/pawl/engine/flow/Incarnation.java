package dev.pawl.engine.flow;

import dev.pawl.engine.ValidationFailed;
import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.task.FlowHost;
import dev.pawl.engine.task.Submission;
import dev.pawl.engine.task.Transaction;
import dev.pawl.kernel.collation.Advance;
import dev.pawl.kernel.collation.Advance.Change;
import dev.pawl.kernel.collation.Request;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Attribute;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Effect;
import dev.pawl.kernel.workflow.EffectRecord;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One run of a flow's code, from its beginning until it ends, is put aside, or turns out to have run on something that never became
 * durable. What the code comes to is held for company and handed in with the next operation: so an operation costs one commit.
 *
 * <p>Safe for use by many threads. Nothing of it outlives the process, and nothing of it is needed then.
 */
final class Incarnation {

    /** The signal that asks for the end, and the operation that has taken it. */
    static final String CANCEL = FlowBehaviour.CONTROL + "cancel";
    private static final String CANCELLED = Journal.OWN + "cancel";

    private static final Duration REST = Duration.ofMillis(100);

    private final FlowRuntime runtime;
    private final WorkflowRecord workflow;
    private final ShardId shard;
    private final Flow<?, ?> flow;
    private final ReentrantLock lock = new ReentrantLock();
    private final Journal journal;
    private final List<Strand> strands = new ArrayList<>();
    private final List<Change> held = new ArrayList<>();
    private final Map<String, Message.Signal> control = new LinkedHashMap<>();
    private final Map<String, Answering> updates = new LinkedHashMap<>();
    private final Map<String, Answering> queries = new LinkedHashMap<>();
    private final Map<String, Boolean> patches = new LinkedHashMap<>();
    private final List<Errand> errands = new ArrayList<>();
    private final List<Ticket> tickets = new ArrayList<>();
    /** Of strands that wait for something that is no operation: what has them look up. */
    private final Map<Strand, CompletableFuture<Void>> calls = new LinkedHashMap<>();
    /** What people were asked and have not answered, and why, by the wait for the answer. */
    private final Map<String, String> questions = new LinkedHashMap<>();
    private final Set<Attribute.Key> names = new HashSet<>();
    private final boolean readOnly;
    private int heard;
    private @Nullable String cancelled;
    private @Nullable String dead;
    private boolean waits;
    private boolean draining;
    private boolean handedIn;

    /** How updates or queries of one name are answered. */
    interface Answering {

        Payload answer(Payload input) throws Exception;
    }

    /** Something on its way to be committed. */
    private final class Ticket implements Submission {

        private final Advance advance;
        private final boolean last;
        private final CompletableFuture<Void> done = new CompletableFuture<>();

        /** What the code hands in; {@code last} if it counts although the code is at its end. */
        Ticket(Advance advance, boolean last) {
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
            return last || locked(() -> dead == null);
        }

        @Override
        public void committed() {
            forget(this);
            if (advance.heard() != null) {
                runtime.waits(Incarnation.this);
            }
            runtime.wake(done);
        }

        @Override
        public void outdated(String why) {
            forget(this);
            boolean died = die(why);
            done.completeExceptionally(new Unwound(why));
            if (died || last) {
                runtime.revive(Incarnation.this);
            }
        }

        /** It would be handed in again and again. */
        @Override
        public void refused(String why) {
            forget(this);
            if (last && !advance.changes().isEmpty()) {
                runtime.submit(last(List.of(), String.valueOf(advance.held())));
            }
            standStill(runtime.describe(Incarnation.this, "CannotBeRecorded", why));
            done.completeExceptionally(new Unwound(why));
        }
    }

    Incarnation(FlowRuntime runtime, Flow<?, ?> flow, FlowHost.News news, FlowHost.State state, boolean readOnly) {
        this.runtime = runtime;
        this.flow = flow;
        this.workflow = news.workflow();
        this.shard = news.shard();
        this.heard = news.count();
        this.journal = new Journal(state.activities());
        state.signals().forEach(this::noteControl);
        this.readOnly = readOnly;
        ActivityRecord asked = journal.get(CANCELLED);
        this.cancelled = asked == null ? null : runtime.text(asked.output());
        strands.add(new Strand(null));
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

    Strand main() {
        return strands.getFirst();
    }

    /**
     * Nothing it does counts from now on; every thread of it ends where it next touches its context.
     *
     * @return false if that was so before
     */
    boolean die(String why) {
        List<CompletableFuture<Void>> waking = locked(() -> {
            if (dead != null) {
                return null;
            }
            dead = why;
            errands.forEach(errand -> errand.done.complete(new Abandoned(why)));
            List<CompletableFuture<Void>> all = new ArrayList<>();
            tickets.forEach(ticket -> all.add(ticket.done));
            strands.forEach(strand -> all.add(strand.wake()));
            return all;
        });
        call();
        if (waking == null) {
            return false;
        }
        waking.forEach(each -> each.completeExceptionally(new Unwound(why)));
        return true;
    }

    /** Tells it what has come. False if it is over, and somebody has to begin anew. */
    boolean tell(FlowHost.News news) {
        List<CompletableFuture<Void>> waking = new ArrayList<>();
        boolean alive = locked(() -> {
            if (dead != null) {
                return false;
            }
            heard = Math.max(heard, news.count());
            news.answered().forEach(journal::put);
            news.signals().forEach(this::noteControl);
            waits = false;
            for (Strand strand : strands) {
                boolean called = news.answered().stream().anyMatch(each -> strand.awaits(each.key().activity()));
                if (!strand.running() && !strand.detached() && (called || !control.isEmpty())) {
                    waking.add(strand.wake());
                }
            }
            if (noneRuns()) {
                submit(List.of(), null);
            }
            return true;
        });
        waking.forEach(each -> each.complete(null));
        if (locked(() -> !control.isEmpty())) {
            call();
        }
        return alive;
    }

    private void noteControl(Message.Signal signal) {
        if (signal.topic().startsWith(FlowBehaviour.CONTROL)) {
            control.putIfAbsent(signal.guid().toString(), signal);
        }
    }

    /** The record of an operation the code has come to; null if it is new. Code that does not fit its record ends here. */
    @Nullable ActivityRecord reach(Strand strand, String id, Payload header) {
        Journal.@Nullable Mismatch[] mismatch = new Journal.Mismatch[1];
        ActivityRecord known = catchingUp(() -> {
            alive(strand);
            ActivityRecord record = journal.reach(id);
            mismatch[0] = journal.mismatch(id, header);
            return record;
        });
        if (mismatch[0] != null) {
            throw park(mismatch[0]);
        }
        return known;
    }

    /** A branch that will not run, or has lost: what was recorded of it stays as it is. */
    void skip(String scope) {
        catchingUp(() -> {
            journal.skip(scope);
            return true;
        });
    }

    boolean caughtUp() {
        return locked(journal::caughtUp);
    }

    /** What may bring the code to where it has never been: there it can be told what came in the meantime. */
    private <T extends @Nullable Object> T catchingUp(Body<T> body) {
        List<CompletableFuture<Void>> waking = new ArrayList<>();
        T result = locked(() -> {
            boolean before = journal.caughtUp();
            T value = body.run();
            if (!before && journal.caughtUp() && !control.isEmpty() && !main().running()) {
                waking.add(main().wake());
            }
            return value;
        });
        waking.forEach(each -> each.complete(null));
        return result;
    }

    /** The code of a branch is at its end: so must be what was recorded of it. */
    void ended(String scope) {
        Journal.Mismatch mismatch = locked(() -> journal.leftOver(scope));
        if (mismatch != null) {
            throw park(mismatch);
        }
    }

    private Unwound park(Journal.Mismatch mismatch) {
        return park(runtime.describe(this, mismatch));
    }

    /** The code cannot go on; what it did until here counts, so what is under way is waited for. */
    Unwound park(String reason) {
        while (true) {
            Ticket under = locked(() -> dead != null || tickets.isEmpty() ? null : tickets.getFirst());
            if (under == null) {
                break;
            }
            join(under.done);
        }
        standStill(reason);
        return new Unwound(reason);
    }

    /** Nothing more comes of it until a person has seen to it, or other code is there. */
    private void standStill(String reason) {
        Ticket word = locked(() -> {
            List<Change> all = takeRetries();
            all.addAll(held);
            held.clear();
            return last(all, reason);
        });
        if (die(reason) && !readOnly) {
            runtime.parked(this, reason);
            // What it has handed in before says that it goes on.
            if (handedIn || !word.advance.changes().isEmpty() || !reason.equals(workflow.reason())) {
                runtime.submit(word);
            }
        }
    }

    private Ticket last(List<Change> changes, String reason) {
        return new Ticket(new Advance(key(), FlowBehaviour.FLOW, changes, null, reason, null), true);
    }

    /** Ends a thread whose doing does not count any more. */
    void check(Strand strand) {
        locked(() -> {
            alive(strand);
            return true;
        });
    }

    @Nullable ActivityRecord recorded(String id) {
        return locked(() -> journal.get(id));
    }

    /**
     * What is stored of an effect. Asked for after a crash only: otherwise the code itself has written it last. While the store is away
     * it is asked again, for without an answer nothing can be decided.
     */
    @Nullable Effect stored(Strand strand, Effect.Key effect) {
        return look(strand, () -> runtime.effects(key())).stream().map(EffectRecord::effect)
                .filter(each -> each.key().equals(effect)).findFirst().orElse(null);
    }

    private <T> T look(Strand strand, Supplier<T> question) {
        while (true) {
            check(strand);
            CompletableFuture<T> answer = new CompletableFuture<>();
            try {
                runtime.threads().beside(() -> {
                    try {
                        answer.complete(question.get());
                    } catch (RuntimeException e) {
                        answer.completeExceptionally(e);
                    }
                });
                return runtime.threads().await(answer);
            } catch (CompletionException | RejectedExecutionException e) {
                rest();
            }
        }
    }

    private void rest() {
        try {
            runtime.threads().await(new CompletableFuture<Void>(), REST);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            // It is time to look again.
        }
    }

    /** Operations whose ids begin so. */
    List<ActivityRecord> operations(String prefix) {
        return locked(() -> journal.withPrefix(prefix));
    }

    boolean atFront(String scope) {
        return locked(() -> journal.atFront(scope));
    }

    /** Hands in a change, and all that was held; returns when that is durable, and the strand may still act on it. */
    void commit(Strand strand, Change change) {
        writable();
        stopIfDraining(strand);
        Ticket ticket = locked(() -> {
            alive(strand);
            return submit(List.of(change), null);
        });
        join(ticket.done);
        check(strand);
    }

    /** Begins nothing new from now on; what is under way may come to its end. */
    void drain() {
        locked(() -> {
            draining = true;
            return true;
        });
        call();
    }

    private void call() {
        List<CompletableFuture<Void>> all = locked(() -> {
            List<CompletableFuture<Void>> called = List.copyOf(calls.values());
            calls.clear();
            return called;
        });
        all.forEach(each -> each.complete(null));
    }

    /**
     * Waits for something that is no operation: nothing of it is recorded. Looks up when there is news for the code, and when nothing
     * it does counts any more.
     */
    void await(Strand strand, CompletableFuture<Void> coming, Handling handling) {
        while (!coming.isDone()) {
            CompletableFuture<Void> call = new CompletableFuture<>();
            locked(() -> {
                alive(strand);
                return calls.put(strand, call);
            });
            stopIfDraining(strand);
            if (!handling.handle()) {
                CompletableFuture<Object> either = CompletableFuture.anyOf(coming, call);
                runtime.threads().await(either);
            }
            locked(() -> calls.remove(strand));
        }
        check(strand);
    }

    /** The main thread has ended, whatever for. */
    void stopped() {
        locked(() -> {
            main().end();
            return true;
        });
    }

    /** Nothing of it runs any more, and everything it came to is durable. */
    boolean drained() {
        return locked(
                () -> dead != null || (noneRuns() && held.isEmpty() && tickets.isEmpty() && errands.isEmpty()));
    }

    /** Instead of beginning something: what was done so far is made durable, and the strand ends here. */
    private void stopIfDraining(Strand strand) {
        Ticket last = locked(() -> draining && dead == null && !held.isEmpty() ? submit(List.of(), null) : null);
        if (last != null) {
            join(last.done);
        }
        boolean stops = locked(() -> {
            if (draining) {
                strand.end();
            }
            return draining;
        });
        if (stops) {
            throw new Unwound("the engine stops");
        }
    }

    /** Statements of the user's, and everything that was held, in one transaction. Returns when that is durable. */
    void transact(Strand strand, TransactionOperation.Work work) throws Exception {
        writable();
        stopIfDraining(strand);
        Errand errand = locked(() -> {
            alive(strand);
            Errand next = new Errand(List.copyOf(held), work);
            held.clear();
            errands.add(next);
            handedIn = true;
            runtime.transact(next);
            return next;
        });
        Exception failure = runtime.threads().await(errand.done);
        if (failure instanceof Abandoned) {
            throw new Unwound(String.valueOf(failure.getMessage()));
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** Told to whoever waits for a transaction that will never be. */
    private static final class Abandoned extends Exception {

        private static final long serialVersionUID = 1L;

        Abandoned(String why) {
            super(why, null, false, false);
        }
    }

    /** Statements on their way. */
    private final class Errand implements Transaction {

        private final List<Change> before;
        private final TransactionOperation.Work work;
        private final CompletableFuture<@Nullable Exception> done = new CompletableFuture<>();

        Errand(List<Change> before, TransactionOperation.Work work) {
            this.before = before;
            this.work = work;
        }

        @Override
        public WorkflowKey workflow() {
            return key();
        }

        @Override
        public Advance run(Connection connection) throws Exception {
            List<Change> all = new ArrayList<>(before);
            all.add(work.run(connection));
            return new Advance(key(), FlowBehaviour.FLOW, all, null, locked(Incarnation.this::asked), null);
        }

        @Override
        public void committed() {
            end(null);
        }

        @Override
        public void failed(Exception why) {
            locked(() -> held.addAll(0, before));
            runtime.flushSoon(Incarnation.this);
            end(why);
        }

        @Override
        public void outdated(String why) {
            boolean died = die(why);
            end(new Abandoned(why));
            if (died) {
                runtime.revive(Incarnation.this);
            }
        }

        private void end(@Nullable Exception why) {
            locked(() -> errands.remove(this));
            done.complete(why);
        }
    }

    /** Holds a change for company: it is handed in with the next one, or soon. */
    void hold(Strand strand, Change... changes) {
        writable();
        locked(() -> {
            alive(strand);
            begun(Arrays.asList(changes));
            return held.addAll(Arrays.asList(changes));
        });
        runtime.flushSoon(this);
    }

    /** Names of attributes that the workflow was born with. */
    void named(Set<Attribute.Key> born) {
        locked(() -> names.addAll(born));
    }

    /** A name the code has come to; one more than there may be is refused, unless it was taken before. */
    void name(Attribute.Key key, boolean known) {
        locked(() -> {
            if (names.add(key) && !known) {
                try {
                    Attributes.checkCount(names);
                } catch (ValidationFailed e) {
                    names.remove(key);
                    throw e;
                }
            }
            return true;
        });
    }

    /** Whether there may be attributes in the store: what a branch has set that lost is known to the journal alone. */
    boolean hasAttributes() {
        return locked(() -> !names.isEmpty() || journal.withPrefix("").stream()
                .anyMatch(each -> Header.setsAttribute(each.input())));
    }

    List<Attribute> attributes(Strand strand) {
        return look(strand, () -> runtime.attributes(key()));
    }

    /** What was held long enough. */
    void flush() {
        locked(() -> {
            if (dead == null && !held.isEmpty()) {
                submit(List.of(), null);
            }
            return true;
        });
    }

    /** The last thing it hands in. */
    void end(Advance.Result result) {
        writable();
        Ticket ticket = locked(() -> {
            alive(main());
            return submit(List.of(), result);
        });
        join(ticket.done);
    }

    /**
     * Waits until one of the operations has been answered; begins what has to be begun first.
     *
     * @param handling what the strand does meanwhile when something has come for the code itself; returns whether it did anything
     */
    void await(Strand strand, List<Change> begins, Set<String> ids, Handling handling) {
        List<Change> pending = begins;
        while (true) {
            boolean answered = locked(() -> {
                alive(strand);
                return ids.stream().anyMatch(this::answered);
            });
            if (answered) {
                return;
            }
            if (handling.handle()) {
                continue;
            }
            writable();
            List<Change> beginning = pending;
            CompletableFuture<Void> wakeUp = locked(() -> {
                alive(strand);
                // Something may have come while the handling looked elsewhere.
                if (ids.stream().anyMatch(this::answered)) {
                    return CompletableFuture.completedFuture(null);
                }
                CompletableFuture<Void> blocked = strand.block(ids);
                if (!beginning.isEmpty() || noneRuns()) {
                    submit(beginning, null);
                }
                return blocked;
            });
            pending = List.of();
            join(wakeUp);
        }
    }

    /** What a strand does instead of waiting, if there is something to be done. */
    interface Handling {

        /** Returns whether anything was done; may throw what ends the wait. */
        boolean handle();
    }

    private boolean answered(String id) {
        ActivityRecord record = journal.get(id);
        return record != null && record.ledger().finalized();
    }

    /** Starts branches; their parent waits in {@link #awaitBranches}. */
    List<Strand> fork(Strand parent, int count) {
        return locked(() -> {
            alive(parent);
            List<Strand> forked = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                forked.add(new Strand(parent));
            }
            strands.addAll(forked);
            return forked;
        });
    }

    /** Waits for branches until they are complete. */
    void awaitBranches(Strand parent, BooleanSupplier complete, Handling handling) {
        while (!complete.getAsBoolean()) {
            if (handling.handle()) {
                continue;
            }
            CompletableFuture<Void> wakeUp = locked(() -> {
                alive(parent);
                if (complete.getAsBoolean()) {
                    return CompletableFuture.completedFuture(null);
                }
                CompletableFuture<Void> blocked = parent.block(Set.of());
                if (noneRuns()) {
                    submit(List.of(), null);
                }
                return blocked;
            });
            join(wakeUp);
        }
    }

    /** A branch has ended; wakes its parent if that waits for nothing else. */
    void branchEnded(Strand branch, boolean wakesParent) {
        CompletableFuture<Void> waking = locked(() -> {
            branch.end();
            strands.remove(branch);
            if (dead != null) {
                return null;
            }
            Strand parent = branch.parent;
            if (wakesParent && parent != null && !parent.running() && !parent.detached()) {
                return parent.wake();
            }
            if (noneRuns() && !branch.detached()) {
                submit(List.of(), null);
            }
            return null;
        });
        if (waking != null) {
            waking.complete(null);
        }
    }

    /** Branches that have lost: what they wait for is dropped, and they end where they next touch their context. */
    void detach(List<Strand> losers) {
        List<CompletableFuture<Void>> waking = locked(() -> {
            List<CompletableFuture<Void>> all = new ArrayList<>();
            for (Strand strand : List.copyOf(strands)) {
                if (losers.stream().anyMatch(loser -> loser == strand || descends(strand, loser))) {
                    strand.detach();
                    all.add(strand.wake());
                }
            }
            return all;
        });
        waking.forEach(each -> each.completeExceptionally(new Unwound("another branch has won")));
        call();
    }

    private static boolean descends(Strand strand, Strand ancestor) {
        for (Strand each = strand.parent; each != null; each = each.parent) {
            if (each == ancestor) {
                return true;
            }
        }
        return false;
    }

    /** Operations below a scope that are begun and not answered. */
    List<String> openBelow(String scope) {
        return locked(() -> journal.openBelow(scope));
    }

    /** Something for the code itself that has come and was not taken yet. */
    List<Message.Signal> control() {
        return locked(() -> List.copyOf(control.values()));
    }

    void taken(Message.Signal signal) {
        locked(() -> control.remove(signal.guid().toString()));
    }

    void onUpdate(String name, Answering answering) {
        locked(() -> updates.put(name, answering));
    }

    @Nullable Answering update(String name) {
        return locked(() -> updates.get(name));
    }

    void onQuery(String name, Answering answering) {
        locked(() -> queries.put(name, answering));
    }

    @Nullable Answering query(String name) {
        return locked(() -> queries.get(name));
    }

    /** Why the flow is to end, if somebody has asked for that; the request is taken with the next thing that is handed in. */
    @Nullable String cancelled() {
        return locked(() -> {
            for (Message.Signal signal : List.copyOf(control.values())) {
                if (cancelled == null && signal.topic().equals(CANCEL)) {
                    control.remove(signal.guid().toString());
                    cancelled = runtime.text(signal.response().payload());
                    held.add(new Advance.Do(Advance.operation(FlowBehaviour.FLOW, CANCELLED), Payload.EMPTY,
                            signal.response().payload(), new Request.Pass(false), signal.guid()));
                }
            }
            return cancelled;
        });
    }

    /** Puts it aside, if nothing of it runs or is on its way: it begins anew when something comes. */
    boolean putAside() {
        return locked(() -> {
            boolean idle = waits && dead == null && noneRuns() && tickets.isEmpty();
            if (idle) {
                die("put aside");
            }
            return idle;
        });
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

    /** Decided once, and never otherwise while this run of the code lasts. */
    boolean patched(Strand strand, String changeId, String scope) {
        String id = Journal.OWN + "patch:" + changeId;
        boolean recorded = recorded(id) != null;
        Boolean before = locked(() -> patches.get(changeId));
        if (before != null) {
            return before;
        }
        boolean applies = recorded || atFront(scope);
        locked(() -> patches.put(changeId, applies));
        if (applies && !recorded && !readOnly) {
            hold(strand, new Advance.Do(Advance.operation(FlowBehaviour.FLOW, id), Payload.EMPTY, Payload.EMPTY,
                    new Request.Pass(false), null));
        }
        return applies;
    }

    private boolean noneRuns() {
        return strands.stream().noneMatch(Strand::running);
    }

    /** People are asked something: as long as they have not answered, the workflow is parked. */
    void asks(String id, String reason) {
        locked(() -> questions.put(id, reason));
    }

    void heardOf(String id) {
        locked(() -> questions.remove(id));
    }

    private @Nullable String asked() {
        return questions.isEmpty() ? null : questions.values().iterator().next();
    }

    /** Decisions to try once more what was parked: recorded with whatever comes of it. */
    private List<Change> takeRetries() {
        List<Change> taken = new ArrayList<>();
        for (Message.Signal signal : List.copyOf(control.values())) {
            if (signal.topic().equals(FlowControl.RETRY_TOPIC)) {
                control.remove(signal.guid().toString());
                String id = FlowControl.RETRIED + (journal.withPrefix(FlowControl.RETRIED).size() + taken.size() + 1);
                taken.add(new Advance.Do(Advance.operation(FlowBehaviour.FLOW, id), Header.of("decision"),
                        signal.response().payload(), new Request.Pass(false), signal.guid()));
            }
        }
        return taken;
    }

    private Ticket submit(List<Change> changes, Advance.@Nullable Result result) {
        List<Change> all = takeRetries();
        all.addAll(held);
        held.clear();
        all.addAll(changes);
        // A strand that was stopped does not wait: whoever comes next must run it.
        Integer allWaitAt = result == null && !draining && noneRuns() ? Integer.valueOf(heard) : null;
        waits = allWaitAt != null;
        begun(changes);
        Ticket ticket = new Ticket(
                new Advance(key(), FlowBehaviour.FLOW, all, allWaitAt, result == null ? asked() : null, result), false);
        tickets.add(ticket);
        handedIn = true;
        runtime.submit(ticket);
        return ticket;
    }

    /** What is begun and waits is in the journal from now on, so that a race knows what its losers have open. */
    private void begun(List<Change> changes) {
        for (Change change : changes) {
            if (change instanceof Advance.Begin begin) {
                journal.begun(begin.operation().activity());
            }
        }
    }

    private void forget(Ticket ticket) {
        locked(() -> tickets.remove(ticket));
    }

    private void alive(Strand strand) {
        if (dead != null) {
            throw new Unwound(dead);
        }
        if (strand.detached()) {
            throw new Unwound("another branch has won");
        }
    }

    private void join(CompletableFuture<Void> future) {
        try {
            runtime.threads().await(future);
        } catch (CompletionException e) {
            if (e.getCause() instanceof Unwound unwound) {
                throw new Unwound(String.valueOf(unwound.getMessage()));
            }
            throw e;
        }
    }

    private <T extends @Nullable Object> T locked(Body<T> body) {
        lock.lock();
        try {
            return body.run();
        } finally {
            lock.unlock();
        }
    }

    @FunctionalInterface
    private interface Body<T extends @Nullable Object> {

        T run();
    }

    /** Ids in the order they were given. */
    static Set<String> ids(String... ids) {
        return new LinkedHashSet<>(Arrays.asList(ids));
    }
}
