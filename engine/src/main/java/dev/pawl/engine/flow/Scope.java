package dev.pawl.engine.flow;

import dev.pawl.engine.ValidationFailed;
import dev.pawl.engine.world.Chance;
import dev.pawl.kernel.collation.Advance;
import dev.pawl.kernel.collation.Advance.Change;
import dev.pawl.kernel.collation.Request;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.InvocationKey;
import dev.pawl.kernel.id.Names;
import dev.pawl.kernel.id.Recipient;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Attribute;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.lang.System.Logger;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The context of one strand of a flow: names its operations, and puts them in the hands of its incarnation. */
final class Scope implements FlowContext {

    private final Incarnation incarnation;
    private final Strand strand;
    private final String path;
    private final boolean shielded;
    private final Rollbacks rollbacks;
    private final Updates updates;
    private final Thread thread = Thread.currentThread();
    private final Map<String, Integer> occurrences = new HashMap<>();
    private final RandomGenerator random;
    /** A function of the user's runs, which is not run again with the rest of the code. */
    private boolean inside;

    Scope(Incarnation incarnation, Strand strand, String path, boolean shielded) {
        this(incarnation, strand, path, shielded, new Rollbacks(), new Updates(incarnation));
    }

    private Scope(Incarnation incarnation, Strand strand, String path, boolean shielded, Rollbacks rollbacks,
            Updates updates) {
        this.incarnation = incarnation;
        this.strand = strand;
        this.path = path;
        this.shielded = shielded;
        this.rollbacks = rollbacks;
        this.updates = updates;
        this.random = Chance.ofSeed(Guid.derive("random", namespace(), workflowId(), path).value()
                .getMostSignificantBits());
    }

    /** For a branch, on its own thread. */
    Scope branch(Strand branch, String branchPath) {
        return new Scope(incarnation, branch, branchPath, shielded, rollbacks, updates);
    }

    @Override
    public String namespace() {
        return incarnation.key().namespace();
    }

    @Override
    public String workflowId() {
        return incarnation.key().workflowId();
    }

    @Override
    public String version() {
        return incarnation.flow().version();
    }

    // Names.

    private String id(String name) {
        int occurrence = occurrence(name, name);
        return id(occurrence == 1 ? name : name + Journal.OWN + occurrence, path);
    }

    private int occurrence(String name, String counter) {
        own();
        if (!Names.valid(name) || name.indexOf('~') >= 0 || name.indexOf(':') >= 0) {
            throw new ValidationFailed("an operation's name is 1 to " + Names.LENGTH_MAX
                    + " characters of A-Z a-z 0-9 . _ + @ -, but is '" + name + "'");
        }
        return occurrences.merge(counter, 1, Integer::sum);
    }

    /** What belongs to an operation is called like it, with something before it. */
    private static final int ID_LENGTH_MAX = Names.LENGTH_MAX - 20;

    private static String id(String name, String path) {
        String id = ValidationFailed.name("an operation's id (the branches it is in, and its name)", path + name);
        if (id.length() > ID_LENGTH_MAX) {
            throw new ValidationFailed("an operation's id (the branches it is in, and its name) has at most "
                    + ID_LENGTH_MAX + " characters, but this one has " + id.length() + ": " + id);
        }
        return id;
    }

    private String own(String name) {
        own();
        return Journal.OWN + name + ":" + path + occurrences.merge(Journal.OWN + name, 1, Integer::sum);
    }

    private void own() {
        if (inside) {
            throw new IllegalStateException(
                    "a step does not use the context of its flow: what it does there would not be"
                            + " the same when the flow runs again without the step");
        }
        if (!Thread.currentThread().equals(thread)) {
            throw new IllegalStateException("this context belongs to another thread; a branch uses the context it is"
                    + " handed, and steps use none");
        }
    }

    /** Runs a function of the user's that is not part of the code of the flow. */
    <T extends @Nullable Object> T inside(StepFunction<T> function) throws Exception {
        inside = true;
        try {
            return function.run();
        } finally {
            inside = false;
        }
    }

    // What operations are made of.

    Codec codec() {
        return incarnation.runtime().codec();
    }

    @Nullable ActivityRecord reach(String id, Payload header) {
        ActivityRecord known = incarnation.progress().reach(strand, id, header);
        if (known == null && !shielded && !id.startsWith(Journal.OWN)) {
            String reason = incarnation.cancelled();
            if (reason != null) {
                throw new FlowCancelled(reason);
            }
        }
        updates.replay(strand, id);
        return known;
    }

    @Nullable ActivityRecord recorded(String id) {
        return incarnation.progress().recorded(id);
    }

    /** What is stored of an effect: for who comes after a crash. */
    dev.pawl.kernel.workflow.@Nullable Effect stored(dev.pawl.kernel.workflow.Effect.Key key) {
        return incarnation.lookup().effect(strand, key);
    }

    WorkflowRecord workflow() {
        return incarnation.workflow();
    }

    /** What verifiers have told this process. */
    Answers answers() {
        return incarnation.runtime().answers();
    }

    void commit(Change change) {
        incarnation.outbox().commit(strand, change);
    }

    void hold(Change... changes) {
        incarnation.outbox().hold(strand, changes);
    }

    /** Ends code that only answers a query: it asks nobody, and does nothing. */
    void checkWritable() {
        incarnation.writable();
    }

    void checkAlive() {
        incarnation.strands().check(strand);
    }

    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // Null is a value like any other.
    <T extends @Nullable Object> T decode(Payload payload, Type type) {
        return codec().<T>decode(payload, type);
    }

    /** What a finished operation came to. */
    @SuppressWarnings("TypeParameterUnusedInFormals")
    <T extends @Nullable Object> T result(String id, ActivityRecord done, Type type) {
        if (dropped(done)) {
            throw new FlowCancelled(incarnation.cancelled() == null ? "another branch was first" : cancelReason());
        }
        if (Results.isFailure(done.output())) {
            Results.Failure why = Results.failure(Results.error(done.output()), codec());
            if (why.code().equals(Aborted.CODE)) {
                throw new Aborted("Aborted", id + " was aborted " + why.message());
            }
            throw failure(id, Results.error(done.output()));
        }
        return decode(done.output(), type);
    }

    private OperationFailed failure(String id, Payload error) {
        Results.Failure failure = Results.failure(error, codec());
        return new OperationFailed(failure.code(), id, failure.type(), failure.message());
    }

    private String cancelReason() {
        String reason = incarnation.cancelled();
        return reason == null ? "" : reason;
    }

    private static boolean dropped(ActivityRecord record) {
        return record.ledger().finalized() && record.ledger().legTwoEntries() == 0 && record.output().size() == 0;
    }

    private ActivityRecord await(String id, List<Change> begins, Set<String> ids) {
        incarnation.waiting().forAnswer(strand, begins, ids, () -> handle(id, ids));
        for (String each : ids) {
            ActivityRecord record = incarnation.progress().recorded(each);
            if (record != null && record.ledger().finalized()) {
                return record;
            }
        }
        throw new IllegalStateException(id + " was not answered");
    }

    /** What comes for the code itself while it waits: the end, or something to be answered. */
    private boolean handle(String at, Set<String> ids) {
        String reason = shielded ? null : incarnation.cancelled();
        if (reason != null) {
            List<Change> drops = new ArrayList<>();
            for (String open : incarnation.progress().openBelow("")) {
                if (ids.contains(open)) {
                    drops.add(new Advance.Drop(Advance.operation(FlowBehaviour.FLOW, open), true));
                }
            }
            hold(drops.toArray(Change[]::new));
            throw new FlowCancelled(reason);
        }
        return strand.parent == null && updates.answer(strand, at);
    }

    /** Branches hear of the end themselves: what one of them does until it has ended must be known when it is taken back. */
    private boolean handleInFork(String at) {
        return strand.parent == null && updates.answer(strand, at);
    }

    @SuppressWarnings("TypeParameterUnusedInFormals") // The type is that of the argument.
    private <T extends @Nullable Object> T ask(String id, Payload header, Request.Waiting request, Type type) {
        ActivityRecord known = reach(id, header);
        if (known == null || !known.ledger().finalized()) {
            List<Change> begins = known != null ? List.of()
                    : List.of(new Advance.Begin(Advance.operation(FlowBehaviour.FLOW, id), header, request));
            known = await(id, begins, Set.of(id));
        }
        return result(id, known, type);
    }

    /** Waits for something that is no operation; if it need not be, it is not once the flow is to end. */
    void await(CompletableFuture<Void> turn, boolean optional) {
        incarnation.waiting().forTurn(strand, turn, () -> {
            String reason = optional && !shielded ? incarnation.cancelled() : null;
            if (reason != null) {
                throw new FlowCancelled(reason);
            }
            return false;
        });
    }

    /** Asks a person, and waits; the workflow is parked meanwhile. */
    <T> T asked(String id, Payload header, Request.WebHook hook, String reason, Class<T> type) {
        incarnation.outbox().asks(id, reason);
        try {
            return ask(id, header, hook, type);
        } finally {
            incarnation.outbox().heardOf(id);
        }
    }

    Incarnation incarnation() {
        return incarnation;
    }

    Instant instant() {
        return incarnation.runtime().clock().instant();
    }

    private void once(String id, Payload header, Payload output, Request.Stepping request) {
        if (reach(id, header) == null) {
            hold(new Advance.Do(Advance.operation(FlowBehaviour.FLOW, id), header, output, request, null));
        }
    }

    private Recipient other(String workflowId) {
        return new Recipient(incarnation.workflow().beginning().group(), new WorkflowKey(namespace(), workflowId));
    }

    // Steps and activities.

    @Override
    public <T extends @Nullable Object> T step(String name, Class<T> type, StepFunction<T> function) {
        return step(name, (Type) type, RetryPolicy.DEFAULT, function);
    }

    @Override
    public <T extends @Nullable Object> T step(String name, TypeRef<T> type, StepFunction<T> function) {
        return step(name, type.type(), RetryPolicy.DEFAULT, function);
    }

    @Override
    public <T extends @Nullable Object> T step(String name, Class<T> type, RetryPolicy retry,
            StepFunction<T> function) {
        return step(name, (Type) type, retry, function);
    }

    /** Between a name given to {@link #onRollback} and its number. */
    private static final String UNDO = Journal.OWN + "u";

    private static final Payload STEP = Header.step(Guarantee.AT_LEAST_ONCE);

    private <T extends @Nullable Object> T step(String name, Type type, RetryPolicy retry, StepFunction<T> function) {
        return new LocalOperation<T>(this, id(name), STEP, type, Guarantee.AT_LEAST_ONCE, retry, error -> true,
                attempt -> function.run(), null).run();
    }

    @Override
    public void step(String name, Effect effect) {
        this.<@Nullable Object>step(name, (Type) Object.class, RetryPolicy.DEFAULT, () -> {
            effect.run();
            return null;
        });
    }

    @Override
    public <I extends @Nullable Object, O extends @Nullable Object> O run(Activity<I, O> activity, I input) {
        return run(activity.name(), activity, input);
    }

    @Override
    public <I extends @Nullable Object, O extends @Nullable Object> O run(String name, Activity<I, O> activity,
            I input) {
        String id = id(name);
        Invocation invocation = Invocation.of(incarnation.key(), id, activity, input, codec());
        if (invocation.effect() != null) {
            incarnation.runtime().requireConditional(activity.name());
        }
        String key = invocation.key();
        Activity.Verifier<I, O> verifier = activity.verifier();
        if (verifier == null && activity.replay() != null) {
            throw new ValidationFailed(activity.name() + " is to be confirmed when the flow is run again,"
                    + " but nobody says how: add verify(…)");
        }
        LocalOperation.Reconciling<O> reconciling = verifier == null ? null
                : () -> new Watch(activity.timeout(), null, incarnation.runtime()).run(id,
                        beat -> verifier.verify(key, input));
        LocalOperation.Attempt<O> attempt = number -> new Watch(activity.timeout(), activity.heartbeat(),
                incarnation.runtime()).run(id,
                        beat -> activity.body().run(
                                new ActivityContext(namespace(), workflowId(), id, number, key, beat), input));
        O output = activity.elsewhere()
                ? new ElsewhereOperation<O>(this, invocation, activity, attempt, reconciling,
                        takingBack(activity, input), admission(activity, id, input)).run()
                : new LocalOperation<O>(this, id, invocation.header(), activity.output(), activity.guarantee(),
                        activity.retry(), activity::retryable, attempt, reconciling)
                        .recording(invocation.effect(), true)
                        .asking(activity.whenUnknown(), takingBack(activity, input)).confirming(activity.replay())
                        .limited(admission(activity, id, input)).run();
        Activity.Compensation<I, O> compensation = activity.compensation();
        if (compensation != null) {
            rollbacks.add(id, () -> compensation.run(input, output));
        }
        return output;
    }

    private <I extends @Nullable Object> @Nullable Admission admission(Activity<I, ?> activity, String id, I input) {
        Activity.Limiting<I> limiting = activity.limiting();
        Function<I, String> fairBy = limiting.fairBy();
        return limiting.limits().isEmpty() ? null
                : new Admission(this, id, limiting.limits(), () -> fairBy == null ? "" : fairBy.apply(input));
    }

    /** What it came to is not known, so there is nothing to hand on. */
    @SuppressWarnings("NullAway")
    private static <I extends @Nullable Object, O extends @Nullable Object> @Nullable Effect takingBack(
            Activity<I, O> activity, I input) {
        Activity.Compensation<I, O> compensation = activity.compensation();
        return compensation == null ? null : () -> compensation.run(input, null);
    }

    // Transactions.

    private static final Payload TRANSACTION = Header.step(Guarantee.TRANSACTIONAL);

    @Override
    public <T extends @Nullable Object> T transaction(String name, Class<T> type, Transactional<T> body) {
        return new TransactionOperation<T>(this, id(name), TRANSACTION, type, body).run();
    }

    @Override
    public <T extends @Nullable Object> T transaction(String name, DataSource source, Class<T> type,
            Transactional<T> body) {
        String id = id(name);
        return new LocalOperation<T>(this, id, TRANSACTION, type, Guarantee.TRANSACTIONAL, RetryPolicy.DEFAULT,
                error -> true, attempt -> new EffectTable(source)
                        .once(InvocationKey.downstream(incarnation.key(), id), codec(), type, body),
                null).run();
    }

    /** Runs the statements and hands in what they come to, in one transaction. */
    void transact(TransactionOperation.Work work) throws Exception {
        incarnation.errands().run(strand, work);
    }

    // Waiting.

    @Override
    public void sleep(Duration duration) {
        String id = id("sleep");
        ask(id, Header.of("sleep", "period", duration.toString()),
                new Request.Sleep(until(duration)), Object.class);
    }

    private Instant until(Duration duration) {
        Instant now = incarnation.runtime().clock().instant();
        if (duration.compareTo(Duration.between(now, Beginnings.LATEST)) > 0) {
            throw new ValidationFailed(
                    "a wait ends before " + Beginnings.LATEST + ", but this one lasts " + duration);
        }
        return now.plus(duration);
    }

    private static Instant until(Instant time) {
        if (time.isAfter(Beginnings.LATEST)) {
            throw new ValidationFailed(
                    "a wait ends before " + Beginnings.LATEST + ", but this one until " + time);
        }
        return time;
    }

    @Override
    public void sleepUntil(Instant time) {
        ask(id("sleep"), Header.of("sleep", "until", time.toString()), new Request.Sleep(until(time)), Object.class);
    }

    /** The wait between two attempts. */
    void pause(String id, Duration duration) {
        pause(id, duration, null);
    }

    /** The same, and what is known of the effect meanwhile. */
    void pause(String id, Duration duration, dev.pawl.kernel.workflow.@Nullable Effect known) {
        Payload header = Header.of("backoff");
        ActivityRecord begun = reach(id, header);
        if (begun == null || !begun.ledger().finalized()) {
            Instant until = until(duration);
            List<Change> begins = begun != null ? List.of()
                    : List.of(new Advance.Begin(Advance.operation(FlowBehaviour.FLOW, id), header,
                            new Request.Sleep(until), known));
            begun = await(id, begins, Set.of(id));
        }
        // Cut short by a cancellation: it is no less so when the code runs again.
        result(id, begun, Object.class);
    }

    private static String topic(String name) {
        if (name.isEmpty() || FlowControl.reserved(name)) {
            throw new ValidationFailed("a signal's name is not empty and does not begin with "
                    + FlowBehaviour.CONTROL + " or " + Questions.TOPIC + ", but is '" + name + "'");
        }
        return name;
    }

    private String signalId(String name) {
        boolean usable = Names.valid(name) && name.indexOf('~') < 0 && name.indexOf(':') < 0;
        return id(usable ? name : "signal");
    }

    @Override
    public <T extends @Nullable Object> T signal(String name, Class<T> type) {
        return ask(signalId(topic(name)), Header.of("signal", "topic", name), new Request.WebHook(name), type);
    }

    @Override
    public <T> Optional<T> signal(String name, Class<T> type, Duration timeout) {
        String id = signalId(topic(name));
        return within(id, name, timeout) == Waited.TIMED_OUT
                ? Optional.empty()
                : Optional.ofNullable(result(id, java.util.Objects.requireNonNull(recorded(id)), type));
    }

    enum Waited {
        CAME, TIMED_OUT
    }

    /** Waits for a signal, and for a timer beside it; whichever comes too late is dropped. */
    Waited within(String id, String topic, Duration timeout) {
        String timer = Journal.OWN + "t:" + id;
        Payload header = Header.of("signal", "topic", topic);
        ActivityRecord hook = reach(id, header);
        if (hook != null && hook.ledger().finalized()) {
            ActivityRecord clock = recorded(timer);
            return dropped(hook) && clock != null && !dropped(clock) ? Waited.TIMED_OUT : Waited.CAME;
        }
        List<Change> begins = hook != null ? List.of() : List.of(
                new Advance.Begin(Advance.operation(FlowBehaviour.FLOW, id), header, new Request.WebHook(topic)),
                new Advance.Begin(Advance.operation(FlowBehaviour.FLOW, timer),
                        Header.of("timeout", "period", timeout.toString()),
                        new Request.Sleep(until(timeout))));
        await(id, begins, Set.of(id, timer));
        hook = recorded(id);
        boolean came = hook != null && hook.ledger().finalized();
        // A signal that came in the same moment must not be dropped.
        hold(new Advance.Drop(Advance.operation(FlowBehaviour.FLOW, came ? timer : id), !came));
        return came ? Waited.CAME : Waited.TIMED_OUT;
    }

    @Override
    public void signalTo(String workflowId, String name, @Nullable Object payload) {
        Payload arguments = codec().encode(payload);
        once(id("signal-to"), Header.message("signal-to", workflowId, topic(name), arguments), Payload.EMPTY,
                new Request.SignalOne(other(workflowId), name, arguments));
    }

    @Override
    public void cancelOther(String workflowId, String reason) {
        Payload arguments = codec().encode(reason);
        once(id("cancel"), Header.message("cancel", workflowId, ControlSignals.CANCEL, arguments), Payload.EMPTY,
                new Request.SignalOne(other(workflowId), ControlSignals.CANCEL, arguments));
    }

    @Override
    public <I extends @Nullable Object, O extends @Nullable Object> O child(Flow<I, O> flow, String workflowId,
            I input) {
        return child(flow, workflowId, input, ParentEnd.ABANDON);
    }

    @Override
    public <I extends @Nullable Object, O extends @Nullable Object> O child(Flow<I, O> flow, String workflowId, I input,
            ParentEnd onParentEnd) {
        return start(flow, workflowId, input, onParentEnd).result();
    }

    @Override
    public <I extends @Nullable Object, O extends @Nullable Object> ChildHandle<O> start(Flow<I, O> flow,
            String workflowId, I input, ParentEnd onParentEnd) {
        String id = id(flow.name());
        Payload arguments = codec().encode(input);
        ChildOperation<O> child = new ChildOperation<>(this, id, workflowId, flow.output(), onParentEnd);
        child.begin(Header.child(workflowId, flow, arguments, onParentEnd),
                starting(flow, workflowId, arguments, true));
        if (child.awaited()) {
            rollbacks.add(id, new Rollbacks.Ending(child));
        }
        return child;
    }

    @Override
    public <I extends @Nullable Object> void startChild(Flow<I, ?> flow, String workflowId, I input) {
        Payload arguments = codec().encode(input);
        ask(id(flow.name()), Header.child(workflowId, flow, arguments, ParentEnd.ABANDON),
                starting(flow, workflowId, arguments, false), Object.class);
    }

    private Request.StartChild starting(Flow<?, ?> flow, String workflowId, Payload arguments, boolean awaits) {
        return new Request.StartChild(other(workflowId), flow.name(), flow.version(), flow.trigger(), arguments,
                awaits);
    }

    /** What was answered while the code waited here before. */
    void replayUpdates(String at) {
        own();
        updates.replay(strand, at);
    }

    FlowCancelled cancelled() {
        return new FlowCancelled(cancelReason());
    }

    /** Waits for the end of a child. A cancellation ends the wait, and the child's operation unless its end is to be waited for. */
    ActivityRecord awaitChild(String id, String at, ChildOperation<?> child) {
        incarnation.waiting().forAnswer(strand, List.of(), Set.of(id), () -> {
            if (child.awaited() && !shielded && incarnation.cancelled() != null) {
                child.ask(this);
                throw cancelled();
            }
            return handle(at, Set.of(id));
        });
        return java.util.Objects.requireNonNull(recorded(id));
    }

    /** The same whatever comes meanwhile. */
    void awaitEnd(String id) {
        incarnation.waiting().forAnswer(strand, List.of(), Set.of(id), () -> false);
    }

    Request.SignalOne cancelling(String workflowId) {
        return new Request.SignalOne(other(workflowId), ControlSignals.CANCEL, codec().encode(cancelReason()));
    }

    // Branches.

    @Override
    public <T extends @Nullable Object> List<T> parallel(List<? extends Branch<? extends T>> branches) {
        return this.<Branch<? extends T>, T>map("all", List.copyOf(branches), branches.size(),
                (branch, body) -> body.run(branch));
    }

    @Override
    public <A extends @Nullable Object, T extends @Nullable Object> List<T> map(Collection<A> items, int atOnce,
            ItemBranch<A, T> branch) {
        if (atOnce < 1) {
            throw new ValidationFailed("at least one at a time, not " + atOnce);
        }
        return map("map", new ArrayList<>(items), atOnce, branch);
    }

    private <A extends @Nullable Object, T extends @Nullable Object> List<T> map(String kind, List<A> items, int atOnce,
            ItemBranch<A, T> branch) {
        String fork = id(kind);
        updates.replay(strand, fork);
        return new Fork<A, T>(incarnation, strand, this, fork, items, branch).all(atOnce,
                () -> handleInFork(fork));
    }

    @Override
    public <T extends @Nullable Object> T race(List<? extends Branch<? extends T>> branches) {
        String fork = id("race");
        Payload header = Header.of("race", "rivals", Integer.toString(branches.size()));
        ActivityRecord decided = reach(fork, header);
        Fork<Branch<? extends T>, T> rivals = new Fork<>(incarnation, strand, this, fork, List.copyOf(branches),
                (branch, body) -> body.run(branch));
        if (decided != null) {
            Integer winner = decode(decided.output(), Integer.class);
            skipLosers(rivals, branches.size(), winner);
            return rivals.only(winner);
        }
        int winner = rivals.first(() -> handleInFork(fork));
        List<Change> changes = new ArrayList<>();
        changes.add(new Advance.Do(Advance.operation(FlowBehaviour.FLOW, fork), header, codec().encode(winner),
                new Request.Pass(false), null));
        for (int i = 0; i < branches.size(); i++) {
            if (i != winner) {
                rollbacks.forget(rivals.path(i));
                incarnation.progress().openBelow(rivals.path(i)).forEach(open -> changes
                        .add(new Advance.Drop(Advance.operation(FlowBehaviour.FLOW, open), false)));
            }
        }
        hold(changes.toArray(Change[]::new));
        skipLosers(rivals, branches.size(), winner);
        return rivals.result(winner);
    }

    private void skipLosers(Fork<?, ?> rivals, int count, int winner) {
        for (int i = 0; i < count; i++) {
            if (i != winner) {
                incarnation.progress().skip(rivals.path(i));
            }
        }
    }

    @Override
    public <T extends @Nullable Object> T shielded(Branch<T> branch) {
        own();
        Scope inner = new Scope(incarnation, strand, id("shielded") + ":", true, rollbacks, updates);
        try {
            return branch.run(inner);
        } catch (Exception e) {
            throw BranchFailed.of(e);
        }
    }

    // The end, and what comes before it.

    @Override
    public void onRollback(String name, Effect effect) {
        // Counted apart from operations: nothing is recorded under it unless it is done.
        rollbacks.add(id(name + UNDO + occurrence(name, UNDO + name), path), effect);
    }

    /** Takes back what has to be taken back, the last first. What cannot be taken back is recorded, and the rest goes on. */
    void rollBack() {
        Scope inner = new Scope(incarnation, strand, Journal.OWN + "undo:", true, rollbacks, updates);
        rollbacks.run((id, undo) -> {
            switch (undo) {
                case Rollbacks.Reversal reversal -> inner.undo(Journal.OWN + "undo:" + id, reversal.effect());
                case Rollbacks.Ending ending -> ending.child().end(inner);
            }
        });
    }

    /** Takes back one operation now; false if that could not be done. */
    boolean takeBack(String id, Effect effect) {
        return new Scope(incarnation, strand, Journal.OWN + "undo:", true, rollbacks, updates)
                .undo(Journal.OWN + "undo:" + id, effect);
    }

    private boolean undo(String id, Effect effect) {
        try {
            new LocalOperation<@Nullable Object>(this, id, STEP, Object.class, Guarantee.AT_LEAST_ONCE,
                    RetryPolicy.DEFAULT, error -> true, attempt -> {
                        effect.run();
                        return null;
                    }, null).run();
            return true;
        } catch (OperationFailed e) {
            log().log(Logger.Level.ERROR, "could not take back " + id + " of " + incarnation.key(), e);
            return false;
        }
    }

    @Override
    public boolean cancelRequested() {
        own();
        return incarnation.cancelled() != null;
    }

    @Override
    public <I extends @Nullable Object, O extends @Nullable Object> void onUpdate(String name, Class<I> input,
            Class<O> output, Handler<I, O> handler) {
        own();
        incarnation.handlers().onUpdate(name,
                payload -> codec().encode(handler.handle(this.<I>decode(payload, input))));
    }

    @Override
    public <I extends @Nullable Object, O extends @Nullable Object> void onQuery(String name, Class<I> input,
            Class<O> output, Handler<I, O> handler) {
        own();
        incarnation.handlers().onQuery(name, payload -> codec().encode(handler.handle(this.<I>decode(payload, input))));
    }

    // What is the same whenever the code runs again.

    @Override
    public Instant now() {
        String id = own("now");
        ActivityRecord known = recorded(id);
        if (known != null) {
            return this.<Instant>decode(known.output(), Instant.class);
        }
        Instant now = incarnation.runtime().clock().instant();
        hold(new Advance.Do(Advance.operation(FlowBehaviour.FLOW, id), Header.of("now"), codec().encode(now),
                new Request.Pass(false), null));
        return now;
    }

    @Override
    public RandomGenerator random() {
        own();
        return random;
    }

    @Override
    public UUID uuid() {
        own();
        long high = (random.nextLong() & ~0xF000L) | 0x4000L;
        long low = (random.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
        return new UUID(high, low);
    }

    @Override
    public boolean patched(String changeId) {
        own();
        return incarnation.progress().patched(strand, ValidationFailed.name("a change's id", changeId), path);
    }

    @Override
    public void attribute(String name, String value) {
        attribute(Attributes.text(name, value), value);
    }

    @Override
    public void attribute(String name, long value) {
        attribute(Attributes.whole(name, value), value);
    }

    @Override
    public void attribute(String name, boolean value) {
        attribute(Attributes.flag(name, value), value);
    }

    @Override
    public void attribute(String name, Instant value) {
        attribute(Attributes.time(name, value), value);
    }

    @Override
    public void removeAttribute(String name) {
        set("attribute", Attributes.removed(name, false), "removed", Payload.EMPTY);
    }

    @Override
    public void memo(String name, @Nullable Object value) {
        Payload json = codec().encode(value);
        set("memo", Attributes.memo(name, json), "name", json);
    }

    @Override
    public void removeMemo(String name) {
        set("memo", Attributes.removed(name, true), "removed", Payload.EMPTY);
    }

    private void attribute(Attribute attribute, Object value) {
        set("attribute", attribute, "name", codec().encode(value));
    }

    private void set(String kind, Attribute attribute, String member, Payload shown) {
        String id = id(kind);
        Payload header = Header.of(kind, member, attribute.key().name());
        boolean known = reach(id, header) != null;
        incarnation.attributeNames().add(attribute.key(), known);
        if (!known) {
            hold(new Advance.Do(Advance.operation(FlowBehaviour.FLOW, id), header, shown,
                    new Request.SetAttribute(attribute), null));
        }
    }

    /** What goes along to the workflow that goes on: as it is stored, when everything the code has set is. */
    List<Attribute> carried() {
        if (!incarnation.attributeNames().any()) {
            return List.of();
        }
        String id = Journal.OWN + "carry";
        if (recorded(id) == null) {
            commit(new Advance.Do(Advance.operation(FlowBehaviour.FLOW, id), Header.of("carry"), Payload.EMPTY,
                    new Request.Pass(false), null));
        }
        return incarnation.lookup().attributes(strand);
    }

    @Override
    public Logger log() {
        return new ReplaySafeLogger(System.getLogger("dev.pawl.flow." + incarnation.flow().name()),
                () -> incarnation.progress().atFront(path));
    }

    @Override
    @SuppressWarnings("TypeParameterUnusedInFormals") // It never returns, whatever is asked for.
    public <T extends @Nullable Object> T continueAsNew(@Nullable Object input) {
        own();
        if (strand.parent != null) {
            throw new IllegalStateException("a branch cannot end the flow; return to its main part first");
        }
        throw new ContinueAsNew(codec().encode(input));
    }

    /** Before the code begins. */
    void waitUntil(Instant time) {
        ask(Journal.OWN + "start", Header.of("start", "until", time.toString()), new Request.Sleep(until(time)),
                Object.class);
    }
}
