package dev.pawl.engine.flow;

import dev.pawl.kernel.collation.Advance;
import dev.pawl.kernel.collation.Request;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Effect;
import dev.pawl.kernel.workflow.EffectStatus;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An activity whose code hands the work to somebody else: then whoever has the token answers, or nobody does in time. If it has a key, one
 * operation more records how its effect came to an end, because the answer comes when no code runs.
 *
 * <p>There is one round, unless nobody is heard of within the visibility time-out, or a person was asked after a time-out and says that
 * nothing has happened: then it is handed over once more.
 */
final class ElsewhereOperation<O extends @Nullable Object> implements Deciding.Undecided<O> {

    /** The code of an answer that says only that somebody is still at work. */
    static final String HEARTBEAT = "Heartbeat";

    /** More than a hand-over can have attempts: no two rounds may have an attempt's key in common. */
    private static final int ATTEMPTS_OF_ROUND = 100;

    /** How a hand-over ends of which nobody knows whether it was one. */
    private static final Set<String> PERHAPS = Set.of(LocalOperation.LOST, LocalOperation.INDETERMINATE);

    private final Scope scope;
    private final Invocation invocation;
    private final Activity<?, O> activity;
    private final LocalOperation.Attempt<O> attempt;
    private final LocalOperation.@Nullable Reconciling<O> reconciling;
    private final @Nullable Deciding<O> deciding;
    private final String end;
    private final @Nullable Duration visibility;
    private final @Nullable Admission admission;
    private final CompletionTokens tokens;
    private boolean recorded;

    ElsewhereOperation(Scope scope, Invocation invocation, Activity<?, O> activity, LocalOperation.Attempt<O> attempt,
            LocalOperation.@Nullable Reconciling<O> reconciling, Rollbacks.@Nullable Reversal compensation,
            @Nullable Admission admission, CompletionTokens tokens) {
        this.scope = scope;
        this.invocation = invocation;
        this.activity = activity;
        this.attempt = attempt;
        this.reconciling = reconciling;
        this.admission = admission;
        this.tokens = tokens;
        this.end = Journal.handOverEnd(invocation.id());
        this.visibility = Objects.requireNonNull(activity.elsewhere()).visibility();
        // Without a key there is nothing that anybody could look up.
        this.deciding = activity.whenUnknown() == WhenUnknown.FAIL || invocation.effect() == null ? null
                : new Deciding<>(scope, this, invocation.id(), activity.output(), reconciling != null, compensation);
    }

    O run() {
        handOver(1);
        int round = 1;
        while (scope.recorded(Journal.handOver(round + 1, invocation.id())) != null) {
            round++;
        }
        if (round > 1) {
            handOver(round);
        }
        return answer(round);
    }

    /** If a person can be asked, what may have been handed over is waited for: the answer is the best proof. */
    private void handOver(int round) {
        String id = Journal.handOver(round, invocation.id());
        Payload header = round == 1 ? invocation.header() : Header.of("hand-over");
        int before = (round - 1) * ATTEMPTS_OF_ROUND;
        try {
            new LocalOperation<@Nullable Object>(scope, id, header, Object.class, activity.guarantee(),
                    activity.retry(), activity::retryable, (number, place, interruption) -> {
                        attempt.run(before + number, place, interruption);
                        return null;
                    }, handedOver()).recording(invocation.effect(), false).limited(admission).within(activity.timeout())
                    .declaringWith(number -> tokens.issue(before + number)).run();
        } catch (OperationFailed e) {
            if (deciding == null || !PERHAPS.contains(e.code())) {
                throw e;
            }
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

    /** Whether an answer says only that a worker is still at work. */
    static boolean heartbeat(ActivityRecord answer) {
        return Results.isFailure(answer.output())
                && Results.failure(Results.error(answer.output())).code().equals(HEARTBEAT);
    }

    private O answer(int round) {
        for (int heartbeats = 0;; heartbeats++) {
            try {
                return answer(round, Journal.answer(round, heartbeats, invocation.id()));
            } catch (OperationFailed e) {
                if (!e.code().equals(HEARTBEAT)) {
                    throw e;
                }
            }
        }
    }

    private O answer(int round, String answer) {
        WaitOperation.Waited waited = await(answer);
        ActivityRecord ended = scope.recorded(end);
        if (ended != null && ended.output().size() > 0) {
            return scope.result(invocation.id(), ended, activity.output());
        }
        if (waited == WaitOperation.Waited.TIMED_OUT) {
            return late(round);
        }
        Effect effect = invocation.effect();
        ActivityRecord answered = Objects.requireNonNull(scope.recorded(answer));
        O output;
        try {
            output = scope.result(answer, answered, activity.output());
        } catch (OperationFailed e) {
            if (e.code().equals(HEARTBEAT)) {
                throw e;
            }
            return refused(round, Results.failure(Results.error(answered.output())));
        }
        record(effect == null ? null : effect.completed(answered.output()), Payload.EMPTY);
        return output;
    }

    private WaitOperation.Waited await(String answer) {
        try {
            return new WaitOperation(scope, answer).within(
                    CompletionToken.topic(scope.incarnation().key().workflowId(), invocation.id()), patience());
        } catch (FlowCancelled e) {
            // The worker hears of the cancellation with its next heartbeat at best: it may have done the work, or may still do it.
            Results.Failure why = new Results.Failure("Cancelled",
                    "the flow was cancelled after the hand-over, and no worker had answered", "Cancelled");
            Effect effect = invocation.effect();
            end(effect == null ? null : effect.after(EffectStatus.INDETERMINATE, why.payload()), Payload.EMPTY);
            throw e;
        }
    }

    /** The worker says that it has failed. That is no proof that nothing has happened, so the outside world is asked if it can be. */
    private O refused(int round, Results.Failure told) {
        if (deciding != null && deciding.asked(round)) {
            return deciding.resume(round, 0);
        }
        boolean looks = invocation.effect() != null && activity.guarantee() == Guarantee.RECONCILED
                && (reconciling != null || deciding != null);
        if (!looks) {
            throw failed(told, EffectStatus.INDETERMINATE, told.payload());
        }
        Verified<O> verified = look(round, null);
        if (verified instanceof Verified.NotCompleted) {
            throw failed(told, EffectStatus.FAILED, told.payload());
        }
        return reconciled(round, 0, verified, told);
    }

    private Duration patience() {
        return visibility == null ? activity.timeout() : visibility;
    }

    /** Nobody has answered; it may have happened all the same. */
    private O late(int round) {
        if (deciding != null && deciding.asked(round)) {
            return deciding.resume(round, 0);
        }
        boolean again = visibility != null && round < activity.retry().maxAttempts();
        if (again && mayHappenTwice()) {
            return next(round, 0, null);
        }
        Results.Failure late =
                new Results.Failure("Timeout", "nobody completed it within " + patience(), "Timeout");
        if (invocation.effect() == null || activity.guarantee() != Guarantee.RECONCILED || reconciling == null) {
            return unknown(round, late, EffectStatus.INDETERMINATE);
        }
        Verified<O> verified = look(round, null);
        if (verified instanceof Verified.NotCompleted) {
            if (again) {
                return next(round, 0, null);
            }
            throw failed(late, EffectStatus.TIMED_OUT, late.payload());
        }
        return reconciled(round, 0, verified, late);
    }

    private boolean mayHappenTwice() {
        return activity.guarantee() == Guarantee.AT_LEAST_ONCE || activity.guarantee() == Guarantee.IDEMPOTENT;
    }

    @Override
    public Verified<O> look(int round, @Nullable Effect known) {
        try {
            return new Reconciliation<>(scope, Objects.requireNonNull(invocation.effect()), reconciling, true)
                    .look(known);
        } catch (Reconciliation.Contradiction e) {
            throw failed(e.failure(), EffectStatus.INDETERMINATE, e.error());
        }
    }

    @Override
    public O reconciled(int round, int failures, Verified<O> verified, Results.@Nullable Failure before) {
        return switch (verified) {
            case Verified.Completed<O> completed -> finished(round, completed.result());
            case Verified.ResultUnavailable<O> unavailable -> unknown(round,
                    new Results.Failure("ReconciledWithoutResult", unavailable.why(), "ReconciledWithoutResult"),
                    EffectStatus.COMPLETED);
            case Verified.Indeterminate<O> unknown -> unknown(round,
                    new Results.Failure(LocalOperation.INDETERMINATE,
                            unknown.why() + (before == null ? "" : "; " + before.message()),
                            LocalOperation.INDETERMINATE),
                    EffectStatus.INDETERMINATE);
            case Verified.NotCompleted<O> not -> throw new IllegalStateException("not completed: to be handed over");
        };
    }

    /** An outcome that nobody can tell: a person is asked, if that was wanted. */
    private O unknown(int round, Results.Failure failure, EffectStatus status) {
        if (deciding == null) {
            throw failed(failure, status, failure.payload());
        }
        return deciding.ask(round, 0, failure);
    }

    @Override
    public O finished(int round, O value) {
        Payload output;
        try {
            output = scope.codec().encode(value, activity.output());
        } catch (PayloadError e) {
            Results.Failure failure = Results.Failure.of(e);
            throw failed(failure, EffectStatus.COMPLETED, failure.payload());
        }
        record(Objects.requireNonNull(invocation.effect()).completed(output), output);
        return scope.decode(invocation.id(), output, activity.output());
    }

    /** It is handed over once more; whoever still has the first one may answer, too. */
    @Override
    public O next(int round, int failures, @Nullable Effect known) {
        handOver(round + 1);
        return answer(round + 1);
    }

    @Override
    public OperationFailed failed(int round, Results.Failure failure) {
        return failed(failure, EffectStatus.INDETERMINATE, failure.payload());
    }

    private OperationFailed failed(Results.Failure failure, EffectStatus status, Payload error) {
        Effect effect = invocation.effect();
        record(effect == null ? null : effect.after(status, error), Results.failed(failure.payload()));
        return new OperationFailed(failure.code(), invocation.id(), failure.type(), failure.message());
    }

    /** Once. An end that only the answer tells of needs no record without an effect. */
    private void record(@Nullable Effect effect, Payload output) {
        if (effect != null || output.size() > 0) {
            end(effect, output);
        }
    }

    /** Once. An end without an answer is how a worker can be told that none is waited for. */
    private void end(@Nullable Effect effect, Payload output) {
        if (!recorded) {
            recorded = true;
            if (scope.recorded(end) == null) {
                scope.hold(new Advance.Do(FlowBehaviour.operation(end), Header.of("effect"), output,
                        new Request.Pass(false), null, effect));
            }
        }
    }
}
