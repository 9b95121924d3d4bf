package dev.pawl.engine.flow;

import dev.pawl.engine.ValidationFailed;
import dev.pawl.kernel.id.InvocationKey;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Payload;
import java.lang.reflect.Type;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Steps, activities and transactions: makes of each an operation that keeps what is promised of it. */
final class Activities {

    private static final Payload STEP = Header.step(Guarantee.AT_LEAST_ONCE);
    private static final Payload TRANSACTION = Header.step(Guarantee.TRANSACTIONAL);

    private final Scope scope;

    Activities(Scope scope) {
        this.scope = scope;
    }

    <T extends @Nullable Object> T step(String id, Type type, RetryPolicy retry, StepFunction<T> function) {
        return new LocalOperation<T>(scope, id, STEP, type, Guarantee.AT_LEAST_ONCE, retry, error -> true,
                (attempt, place, interruption) -> scope.runtime().bodies().run(
                        job(id, RunningOperation.Kind.STEP, attempt), place, interruption,
                        scope.runtime().cancelGrace(), () -> {
                            scope.requireLease();
                            return function.run();
                        }),
                null).run();
    }

    /** A step that returns nothing. */
    void step(String id, FlowContext.Effect effect) {
        step(id, RetryPolicy.DEFAULT, effect);
    }

    private void step(String id, RetryPolicy retry, FlowContext.Effect effect) {
        this.<@Nullable Object>step(id, Object.class, retry, () -> {
            effect.run();
            return null;
        });
    }

    <I extends @Nullable Object, O extends @Nullable Object> O run(String id, Activity<I, O> activity, I given) {
        Payload written = written(activity, given);
        I input = seen(activity, written, given);
        Invocation invocation = Invocation.of(scope.incarnation().key(), id, activity, input, written);
        O output = run(invocation, activity, input, reversal(id, activity, input, null));
        Rollbacks.Reversal reversal = reversal(id, activity, input, output);
        if (reversal != null) {
            scope.rollbacks().add(id, reversal);
        }
        return output;
    }

    /** What compensates an operation that came to this; null if the activity has no compensation. */
    @SuppressWarnings("NullAway") // Null stands for an outcome that is not known, too.
    private static <I extends @Nullable Object, O extends @Nullable Object> Rollbacks.@Nullable Reversal reversal(
            String id, Activity<I, O> activity, I input, @Nullable O output) {
        Activity<Undo<I, O>, ?> compensation = activity.compensation();
        if (compensation == null) {
            return null;
        }
        Undo<I, O> undo = new Undo<>(input, output);
        return new Rollbacks.Reversal(activities -> activities.compensate(id, compensation, undo));
    }

    private <I extends @Nullable Object, O extends @Nullable Object> void compensate(String id,
            Activity<Undo<I, O>, ?> compensation, Undo<I, O> undo) {
        run(Invocation.compensation(scope.incarnation().key(), id, compensation, undo), compensation, undo, null);
    }

    /** A compensation that belongs to no activity. */
    void compensate(String id, FlowContext.Effect effect) {
        step(Compensator.PATH + id, RetryPolicy.COMPENSATION, effect);
    }

    /** The same with what is promised of an activity. */
    <I extends @Nullable Object> void compensate(String id, Activity<I, ?> activity, I given) {
        Activity<I, ?> compensation = activity.compensating(false);
        Payload written = written(activity, given);
        I input = seen(activity, written, given);
        run(Invocation.rollback(scope.incarnation().key(), id, compensation, input, written), compensation, input,
                null);
    }

    private <I extends @Nullable Object> Payload written(Activity<I, ?> activity, I given) {
        Type type = activity.input();
        return type == null ? scope.codec().encode(given) : scope.codec().encode(given, type);
    }

    /** The input as every later run of the code will see it. */
    private <I extends @Nullable Object> I seen(Activity<I, ?> activity, Payload written, I given) {
        Type type = activity.input();
        return type == null ? given : scope.read(written, type);
    }

    private <I extends @Nullable Object, O extends @Nullable Object> O run(Invocation invocation,
            Activity<I, O> activity, I input, Rollbacks.@Nullable Reversal reversal) {
        WorkflowKey workflow = scope.incarnation().key();
        FlowRuntime runtime = scope.runtime();
        String id = invocation.id();
        if (invocation.effect() != null) {
            runtime.engine().requireConditional(activity.name());
        }
        String key = invocation.key();
        Activity.Verifier<I, O> verifier = activity.verifier();
        if (verifier == null && activity.replay() != null) {
            throw new ValidationFailed(activity.name() + " is to be confirmed when the flow is run again,"
                    + " but nobody says how: add verify(…)");
        }
        LocalOperation.Reconciling<O> reconciling = verifier == null ? null
                : () -> new Watch(activity.timeout(), null, runtime).run(job(id, RunningOperation.Kind.VERIFIER, 0),
                        runtime.bodies().enter(scope, false), scope.interruption(null),
                        beat -> verifier.verify(key, input));
        CompletionTokens tokens = new CompletionTokens(scope, id);
        LocalOperation.Attempt<O> attempt = (number, place, interruption) -> new Watch(activity.timeout(),
                activity.heartbeat(), runtime).run(
                        new OperationBody.Job(workflow, id, RunningOperation.Kind.ACTIVITY, number,
                                activity.heartbeat() != null),
                        place, interruption, beat -> {
                            scope.requireLease();
                            return activity.body()
                                    .run(new ActivityContext(workflow.namespace(), workflow.workflowId(), id,
                                            number, key, beat, tokens.current()), input);
                        });
        return activity.elsewhere() != null
                ? new ElsewhereOperation<O>(scope, invocation, activity, attempt, reconciling, reversal,
                        admission(activity, id, input), tokens).run()
                : new LocalOperation<O>(scope, id, invocation.header(), activity.output(), activity.guarantee(),
                        activity.retry(), activity::retryable, attempt, reconciling)
                        .recording(invocation.effect(), true)
                        .asking(activity.whenUnknown(), reversal).compensatedBy(reversal).confirming(activity.replay())
                        .limited(admission(activity, id, input)).within(activity.timeout()).run();
    }

    private <I extends @Nullable Object> @Nullable Admission admission(Activity<I, ?> activity, String id, I input) {
        Activity.Limiting<I> limiting = activity.limiting();
        Function<I, String> fairBy = limiting.fairBy();
        return limiting.limits().isEmpty() ? null
                : new Admission(scope, id, limiting.limits(), () -> fairBy == null ? "" : fairBy.apply(input));
    }

    /** In the engine's own database. */
    <T extends @Nullable Object> T transaction(String id, Type type, FlowContext.Transactional<T> body) {
        return new TransactionOperation<T>(scope, id, TRANSACTION, type, body).run();
    }

    /** In a database of the application's own. */
    <T extends @Nullable Object> T transaction(String id, DataSource source, Type type,
            FlowContext.Transactional<T> body) {
        String key = InvocationKey.downstream(scope.incarnation().key(), id);
        return new LocalOperation<T>(scope, id, TRANSACTION, type, Guarantee.TRANSACTIONAL, RetryPolicy.DEFAULT,
                error -> true,
                // Statements are not stopped: they are short, and happen as a whole or not at all.
                (attempt, place, interruption) -> scope.runtime().bodies().run(
                        job(id, RunningOperation.Kind.OWN_TRANSACTION, attempt), place, () -> {
                            scope.requireLease();
                            return new EffectTable(source).once(key, scope.codec(),
                                    stored -> scope.<T>decode(id, stored, type), connection -> {
                                        // Once more: it may have waited for a connection, or for another transaction with this key.
                                        scope.requireLease();
                                        return body.run(connection);
                                    });
                        }),
                null).run();
    }

    private OperationBody.Job job(String id, RunningOperation.Kind kind, int attempt) {
        return new OperationBody.Job(scope.incarnation().key(), id, kind, attempt, false);
    }
}
