package dev.pawl.engine.flow;

import dev.pawl.kernel.collation.Advance;
import dev.pawl.kernel.collation.Request;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Effect;
import dev.pawl.kernel.workflow.EffectStatus;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An activity whose code hands the work to somebody else: then whoever has the token answers, or nobody does in time. If it has a key, one
 * operation more records how its effect came to an end, because the answer comes when no code runs.
 */
final class ElsewhereOperation<O extends @Nullable Object> {

    private final Scope scope;
    private final Invocation invocation;
    private final Activity<?, O> activity;
    private final LocalOperation.Attempt<O> attempt;
    private final LocalOperation.@Nullable Reconciling<O> reconciling;
    private final String answer;
    private final String end;
    private final @Nullable Admission admission;
    private boolean recorded;

    ElsewhereOperation(Scope scope, Invocation invocation, Activity<?, O> activity, LocalOperation.Attempt<O> attempt,
            LocalOperation.@Nullable Reconciling<O> reconciling, @Nullable Admission admission) {
        this.scope = scope;
        this.invocation = invocation;
        this.activity = activity;
        this.attempt = attempt;
        this.reconciling = reconciling;
        this.admission = admission;
        this.answer = Journal.OWN + "a:" + invocation.id();
        this.end = Journal.OWN + "e:" + invocation.id();
    }

    O run() {
        new LocalOperation<@Nullable Object>(scope, invocation.id(), invocation.header(), Object.class,
                activity.guarantee(), activity.retry(), activity::retryable, number -> {
                    attempt.run(number);
                    return null;
                }, handedOver()).recording(invocation.effect(), false).limited(admission).run();
        Effect effect = invocation.effect();
        try {
            Scope.Waited waited = scope.within(answer, CompletionToken.topic(invocation.id()), activity.timeout());
            ActivityRecord ended = scope.recorded(end);
            if (ended != null && ended.output().size() > 0) {
                return scope.result(invocation.id(), ended, activity.output());
            }
            if (waited == Scope.Waited.TIMED_OUT) {
                return late(effect);
            }
            ActivityRecord answered = Objects.requireNonNull(scope.recorded(answer));
            O output = scope.result(answer, answered, activity.output());
            record(effect == null ? null : effect.completed(answered.output()), Payload.EMPTY);
            return output;
        } catch (FlowCancelled e) {
            record(effect == null ? null : effect.after(EffectStatus.CANCELLED, null), Payload.EMPTY);
            throw e;
        } catch (OperationFailed e) {
            // Whoever was to do it says that it did not work.
            record(effect == null ? null : effect.after(EffectStatus.FAILED, Results.Failure.of(e).payload()),
                    Payload.EMPTY);
            throw e;
        }
    }

    private LocalOperation.@Nullable Reconciling<@Nullable Object> handedOver() {
        LocalOperation.Reconciling<O> verifier = reconciling;
        if (verifier == null) {
            return null;
        }
        return new LocalOperation.Reconciling<@Nullable Object>() {
            @Override
            public Verified<@Nullable Object> verify() throws Exception {
                return handedOver(verifier.verify());
            }
        };
    }

    /** What has happened was evidently handed over; its result comes with the answer. */
    private static Verified<@Nullable Object> handedOver(Verified<?> verified) {
        return switch (verified) {
            case Verified.NotCompleted<?> not -> new Verified.NotCompleted<@Nullable Object>();
            case Verified.Completed<?> completed -> new Verified.Completed<@Nullable Object>(null);
            case Verified.ResultUnavailable<?> unavailable -> new Verified.Completed<@Nullable Object>(null);
            case Verified.Indeterminate<?> unknown -> new Verified.Indeterminate<@Nullable Object>(unknown.why());
        };
    }

    /** Nobody has answered; it may have happened all the same. */
    private O late(@Nullable Effect effect) {
        Results.Failure late =
                new Results.Failure("Timeout", "nobody completed it within " + activity.timeout(), "Timeout");
        if (effect == null || activity.guarantee() != Guarantee.RECONCILED || reconciling == null) {
            throw failed(effect, EffectStatus.TIMED_OUT, late);
        }
        try {
            return switch (new Reconciliation<>(scope, effect, reconciling, true).look(null)) {
                case Verified.Completed<O> completed -> {
                    Payload output = scope.codec().encode(completed.result());
                    record(effect.completed(output), output);
                    yield scope.decode(output, activity.output());
                }
                case Verified.NotCompleted<O> not -> throw failed(effect, EffectStatus.TIMED_OUT, late);
                case Verified.ResultUnavailable<O> unavailable -> throw failed(effect, EffectStatus.COMPLETED,
                        new Results.Failure("ReconciledWithoutResult", unavailable.why(), "ReconciledWithoutResult"));
                case Verified.Indeterminate<O> unknown -> throw failed(effect, EffectStatus.INDETERMINATE,
                        new Results.Failure("Indeterminate", unknown.why() + "; " + late.message(), "Indeterminate"));
            };
        } catch (Reconciliation.Contradiction e) {
            throw failed(effect, EffectStatus.INDETERMINATE, e.failure());
        } catch (PayloadError e) {
            throw failed(effect, EffectStatus.COMPLETED, Results.Failure.of(e));
        }
    }

    private OperationFailed failed(@Nullable Effect effect, EffectStatus status, Results.Failure failure) {
        record(effect == null ? null : effect.after(status, failure.payload()), Results.failed(failure.payload()));
        return new OperationFailed(failure.code(), invocation.id(), failure.type(), failure.message());
    }

    /** Once, whoever comes here first. */
    private void record(@Nullable Effect effect, Payload output) {
        if (effect != null && !recorded) {
            recorded = true;
            if (scope.recorded(end) == null) {
                scope.hold(new Advance.Do(Advance.operation(FlowBehaviour.FLOW, end), Header.of("effect"), output,
                        new Request.Pass(false), null, effect));
            }
        }
    }
}
