package dev.pawl.engine.flow;

import dev.pawl.engine.ValidationFailed;
import dev.pawl.engine.world.Chance;
import dev.pawl.kernel.collation.Advance;
import dev.pawl.kernel.collation.Request;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.ActivityRecord;
import java.lang.System.Logger;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.random.RandomGenerator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The context that the code of one strand sees: gives what it is asked for a name, and into the right hands. For that strand's thread. */
final class StrandContext implements FlowContext {

    private final Scope scope;
    private final Incarnation incarnation;
    private final Naming naming;
    private final Activities activities;
    private final Branches branches;
    private final OtherWorkflows others;
    private final AttributeOperation attributes;
    /** Null until it is asked for. */
    private @Nullable RandomGenerator random;

    StrandContext(Scope scope) {
        this.scope = scope;
        this.incarnation = scope.incarnation();
        this.naming = scope.naming();
        this.activities = new Activities(scope);
        this.branches = new Branches(scope);
        this.others = new OtherWorkflows(scope);
        this.attributes = new AttributeOperation(scope);
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

    // Steps, activities, transactions.

    @Override
    public <T extends @Nullable Object> T step(String name, Class<T> type, StepFunction<T> function) {
        return scope.outside(() -> activities.step(naming.id(name), type, RetryPolicy.DEFAULT, function));
    }

    @Override
    public <T extends @Nullable Object> T step(String name, TypeRef<T> type, StepFunction<T> function) {
        return scope.outside(() -> activities.step(naming.id(name), type.type(), RetryPolicy.DEFAULT, function));
    }

    @Override
    public <T extends @Nullable Object> T step(String name, Class<T> type, RetryPolicy retry,
            StepFunction<T> function) {
        return scope.outside(() -> activities.step(naming.id(name), type, retry, function));
    }

    @Override
    public void step(String name, Effect effect) {
        scope.outsideRun(() -> activities.step(naming.id(name), effect));
    }

    @Override
    public <I extends @Nullable Object, O extends @Nullable Object> O run(Activity<I, O> activity, I input) {
        return run(activity.name(), activity, input);
    }

    @Override
    public <I extends @Nullable Object, O extends @Nullable Object> O run(String name, Activity<I, O> activity,
            I input) {
        return scope.outside(() -> activities.run(naming.id(name), activity, input));
    }

    @Override
    public <T extends @Nullable Object> T transaction(String name, Class<T> type, Transactional<T> body) {
        return scope.outside(() -> activities.transaction(naming.id(name), type, body));
    }

    @Override
    public <T extends @Nullable Object> T transaction(String name, DataSource source, Class<T> type,
            Transactional<T> body) {
        return scope.outside(() -> activities.transaction(naming.id(name), source, type, body));
    }

    // Waits.

    @Override
    public void sleep(Duration duration) {
        scope.outsideRun(() -> new WaitOperation(scope, naming.id("sleep")).sleep(duration));
    }

    @Override
    public void sleepUntil(Instant time) {
        scope.outsideRun(() -> new WaitOperation(scope, naming.id("sleep")).sleepUntil("sleep", time));
    }

    @Override
    public <T extends @Nullable Object> T signal(String name, Class<T> type) {
        return scope.outside(() -> new WaitOperation(scope, naming.signal(Naming.topic(name))).signal(name, type));
    }

    @Override
    public <T extends @Nullable Object> Received<T> signal(String name, Class<T> type, Duration timeout) {
        return scope
                .outside(() -> new WaitOperation(scope, naming.signal(Naming.topic(name))).signal(name, type, timeout));
    }

    // Other workflows.

    @Override
    public void signalTo(String workflowId, String name, @Nullable Object payload) {
        scope.outsideRun(() -> others.signal(workflowId, name, payload));
    }

    @Override
    public void cancelOther(String workflowId, String reason) {
        scope.outsideRun(() -> others.cancel(workflowId, reason));
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
        return scope.outside(() -> others.start(flow, workflowId, input, onParentEnd));
    }

    @Override
    public <I extends @Nullable Object> void startChild(Flow<I, ?> flow, String workflowId, I input) {
        scope.outsideRun(() -> others.startAlone(flow, workflowId, input));
    }

    // Branches.

    @Override
    public <T extends @Nullable Object> List<T> parallel(List<? extends Branch<? extends T>> all) {
        return scope.outside(() -> branches.all(all));
    }

    @Override
    public <A extends @Nullable Object, T extends @Nullable Object> List<T> map(Collection<A> items, int atOnce,
            ItemBranch<A, T> branch) {
        return scope.outside(() -> branches.map(items, atOnce, branch));
    }

    @Override
    public <T extends @Nullable Object> T race(List<? extends Branch<? extends T>> rivals) {
        return scope.outside(() -> branches.first(rivals));
    }

    @Override
    public <T extends @Nullable Object> T shielded(Branch<T> branch) {
        return branches.shielded(branch);
    }

    // Being asked for something, and the end.

    @Override
    public void onRollback(String name, Effect effect) {
        String id = naming.undo(name);
        scope.rollbacks().add(id, new Rollbacks.Reversal(activities -> activities.compensate(id, effect)));
    }

    @Override
    public <I extends @Nullable Object> void onRollback(String name, Activity<I, ?> activity, I input) {
        String id = naming.undo(name);
        scope.rollbacks().add(id, new Rollbacks.Reversal(activities -> activities.compensate(id, activity, input)));
    }

    @Override
    public boolean cancelRequested() {
        naming.check();
        return incarnation.cancelled() != null;
    }

    @Override
    public <I extends @Nullable Object, O extends @Nullable Object> void onUpdate(String name, Class<I> input,
            Class<O> output, Handler<I, O> handler) {
        onUpdate(name, input, output, (context, value) -> handler.handle(value));
    }

    @Override
    public <I extends @Nullable Object, O extends @Nullable Object> void onUpdate(String name, Class<I> input,
            Class<O> output, UpdateHandler<I, O> handler) {
        onUpdate(name, input, output, handler, UpdateOptions.serial());
    }

    @Override
    public <I extends @Nullable Object, O extends @Nullable Object> void onUpdate(String name, Class<I> input,
            Class<O> output, UpdateHandler<I, O> handler, UpdateOptions<I> options) {
        naming.check();
        UpdateOptions.Validator<I> validator = options.validator();
        incarnation.handlers().onUpdate(ValidationFailed.name("an update's name", name), new Handlers.Updating() {

            @Override
            public void validate(Payload payload) throws Exception {
                I value = scope.<I>read(payload, input);
                if (validator != null) {
                    validator.validate(value);
                }
            }

            @Override
            public Payload answer(FlowContext context, String operation, Payload payload) throws Exception {
                I value = scope.<I>decode(operation, payload, input);
                return scope.codec().encode(handler.handle(context, value), output);
            }

            @Override
            public boolean concurrent() {
                return options.isConcurrent();
            }
        });
    }

    @Override
    public <I extends @Nullable Object, O extends @Nullable Object> void onQuery(String name, Class<I> input,
            Class<O> output, Handler<I, O> handler) {
        naming.check();
        incarnation.handlers().onQuery(name, answering(input, output, handler));
    }

    private <I extends @Nullable Object> Handlers.Answering answering(Class<I> input, Class<?> output,
            Handler<I, ?> handler) {
        return payload -> scope.codec().encode(handler.handle(scope.<I>read(payload, input)), output);
    }

    @Override
    public void awaitHandlers() {
        if (scope.strand().parent != null) {
            throw new IllegalStateException("only the main part of a flow waits for its handlers, because a branch may"
                    + " belong to one of them");
        }
        incarnation.updates().await(naming.own("handlers"));
    }

    @Override
    @SuppressWarnings("TypeParameterUnusedInFormals") // It never returns, whatever is asked for.
    public <T extends @Nullable Object> T continueAsNew(@Nullable Object input) {
        naming.check();
        if (scope.strand().parent != null) {
            throw new IllegalStateException("a branch cannot end the flow; return to its main part first");
        }
        throw new ContinueAsNew(scope.codec().encode(input, incarnation.flow().input()));
    }

    // What is the same whenever the code runs again.

    @Override
    public Instant now() {
        String id = naming.own("now");
        ActivityRecord known = scope.recorded(id);
        if (known != null) {
            return Instant.parse(RecordJson.text(known.output()));
        }
        Instant now = scope.runtime().clock().instant();
        scope.hold(new Advance.Do(FlowBehaviour.operation(id), Header.of("now"),
                RecordJson.of(now.toString()), new Request.Pass(false), null));
        return now;
    }

    @Override
    public RandomGenerator random() {
        naming.check();
        if (random == null) {
            WorkflowKey key = incarnation.key();
            random = Chance.ofSeed(Guid.derive("random", key.namespace(), key.workflowId(), naming.path()).value()
                    .getMostSignificantBits());
        }
        return random;
    }

    @Override
    public UUID uuid() {
        long high = (random().nextLong() & ~0xF000L) | 0x4000L;
        long low = (random().nextLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
        return new UUID(high, low);
    }

    @Override
    public boolean patched(String changeId) {
        naming.check();
        return incarnation.progress().patched(scope.strand(), ValidationFailed.name("a change's id", changeId),
                naming.path());
    }

    @Override
    public Logger log() {
        return scope.log();
    }

    // What the workflow is found by, and shown with.

    @Override
    public void attribute(String name, String value) {
        scope.outsideRun(() -> attributes.set(Attributes.text(name, value), value));
    }

    @Override
    public void attribute(String name, long value) {
        scope.outsideRun(() -> attributes.set(Attributes.whole(name, value), value));
    }

    @Override
    public void attribute(String name, boolean value) {
        scope.outsideRun(() -> attributes.set(Attributes.flag(name, value), value));
    }

    @Override
    public void attribute(String name, Instant value) {
        scope.outsideRun(() -> attributes.set(Attributes.time(name, value), value));
    }

    @Override
    public void removeAttribute(String name) {
        scope.outsideRun(() -> attributes.remove(name));
    }

    @Override
    public void memo(String name, @Nullable Object value) {
        scope.outsideRun(() -> attributes.setMemo(name, value));
    }

    @Override
    public void removeMemo(String name) {
        scope.outsideRun(() -> attributes.removeMemo(name));
    }
}
