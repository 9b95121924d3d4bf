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
                attempt -> function.run(), null).run();
    }

    /** A step that comes to nothing. */
    void step(String id, FlowContext.Effect effect) {
        this.<@Nullable Object>step(id, Object.class, RetryPolicy.DEFAULT, () -> {
            effect.run();
            return null;
        });
    }

    <I extends @Nullable Object, O extends @Nullable Object> O run(String id, Activity<I, O> activity, I input) {
        WorkflowKey workflow = scope.incarnation().key();
        FlowRuntime runtime = scope.runtime();
        Invocation invocation = Invocation.of(workflow, id, activity, input, scope.codec());
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
                : () -> new Watch(activity.timeout(), null, runtime).run(id, beat -> verifier.verify(key, input));
        LocalOperation.Attempt<O> attempt = number -> new Watch(activity.timeout(), activity.heartbeat(), runtime)
                .run(id, beat -> activity.body().run(new ActivityContext(workflow.namespace(), workflow.workflowId(),
                        id, number, key, beat), input));
        O output = activity.elsewhere() != null
                ? new ElsewhereOperation<O>(scope, invocation, activity, attempt, reconciling,
                        takingBack(activity, input), admission(activity, id, input)).run()
                : new LocalOperation<O>(scope, id, invocation.header(), activity.output(), activity.guarantee(),
                        activity.retry(), activity::retryable, attempt, reconciling)
                        .recording(invocation.effect(), true)
                        .asking(activity.whenUnknown(), takingBack(activity, input)).confirming(activity.replay())
                        .limited(admission(activity, id, input)).run();
        Activity.Compensation<I, O> compensation = activity.compensation();
        if (compensation != null) {
            scope.rollbacks().add(id, () -> compensation.run(input, output));
        }
        return output;
    }

    private <I extends @Nullable Object> @Nullable Admission admission(Activity<I, ?> activity, String id, I input) {
        Activity.Limiting<I> limiting = activity.limiting();
        Function<I, String> fairBy = limiting.fairBy();
        return limiting.limits().isEmpty() ? null
                : new Admission(scope, id, limiting.limits(), () -> fairBy == null ? "" : fairBy.apply(input));
    }

    /** What it came to is not known, so there is nothing to hand on. */
    @SuppressWarnings("NullAway")
    private static <I extends @Nullable Object, O extends @Nullable Object> FlowContext.@Nullable Effect takingBack(
            Activity<I, O> activity, I input) {
        Activity.Compensation<I, O> compensation = activity.compensation();
        return compensation == null ? null : () -> compensation.run(input, null);
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
                error -> true, attempt -> new EffectTable(source).once(key, scope.codec(), type, body), null).run();
    }
}
