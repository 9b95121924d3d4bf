package dev.pawl.engine.flow;

import dev.pawl.engine.limit.SlotWait;
import dev.pawl.kernel.collation.Advance;
import dev.pawl.kernel.collation.Request;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Effect;
import dev.pawl.kernel.workflow.EffectStatus;
import dev.pawl.kernel.workflow.Waker;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An operation that the flow's own thread runs: declared before it is done, tried again as its policy says, recorded when it is done.
 * What it does after a crash that fell in between depends on what is promised of it, and on nothing else. If it has a key, every
 * commit of it also says what is known of its effect.
 */
final class LocalOperation<T extends @Nullable Object> implements Deciding.Undecided<T> {

    /** A step that brings its process down each time must come to an end. */
    private static final int ATTEMPTS_MAX = 99;

    /** What is said of an operation whose process ended in the middle of it, and that must not be done twice. */
    static final String LOST = "OutcomeUnknown";

    /** What is said of an operation of which even its verifier does not know what became. */
    static final String INDETERMINATE = "Indeterminate";

    private final Scope scope;
    private final String id;
    private final ActivityKey key;
    private final Payload header;
    private final Type type;
    private final Guarantee guarantee;
    private final RetryPolicy retry;
    private final Predicate<Throwable> retryable;
    private final Attempt<T> attempt;
    private final @Nullable Reconciling<T> reconciling;
    private final @Nullable Effect effect;
    /** Whether the effect has happened when the attempt returns; if not, it was only handed to somebody else. */
    private final boolean completes;
    private @Nullable Deciding<T> deciding;
    private @Nullable Confirming<T> confirming;
    private @Nullable Admission admission;
    /** Of the attempt that is about to run or runs. */
    private @Nullable SlotWait slots;

    /** Does it. */
    interface Attempt<T extends @Nullable Object> {

        T run(int number) throws Exception;
    }

    /** Looks whether it was done. */
    interface Reconciling<T extends @Nullable Object> {

        Verified<T> verify() throws Exception;
    }

    LocalOperation(Scope scope, String id, Payload header, Type type, Guarantee guarantee, RetryPolicy retry,
            Predicate<Throwable> retryable, Attempt<T> attempt, @Nullable Reconciling<T> reconciling) {
        this(scope, id, header, type, guarantee, retry, retryable, attempt, reconciling, null, true);
    }

    private LocalOperation(Scope scope, String id, Payload header, Type type, Guarantee guarantee, RetryPolicy retry,
            Predicate<Throwable> retryable, Attempt<T> attempt, @Nullable Reconciling<T> reconciling,
            @Nullable Effect effect, boolean completes) {
        this.scope = scope;
        this.id = id;
        this.key = Advance.operation(FlowBehaviour.FLOW, id);
        this.header = header;
        this.type = type;
        this.guarantee = guarantee;
        this.retry = retry;
        this.retryable = retryable;
        this.attempt = attempt;
        this.reconciling = reconciling;
        this.effect = effect;
        this.completes = completes;
    }

    /** The same with an effect that is to be recorded, if it has one. */
    LocalOperation<T> recording(@Nullable Effect declared, boolean completesIt) {
        return new LocalOperation<>(scope, id, header, type, guarantee, retry, retryable, attempt, reconciling,
                declared, completesIt);
    }

    /** Has a person asked when the outcome is not known; by the compensation it can be taken back then, if there is one. */
    LocalOperation<T> asking(WhenUnknown policy, FlowContext.@Nullable Effect compensation) {
        deciding = policy == WhenUnknown.FAIL ? null
                : new Deciding<>(scope, this, id, type, reconciling != null, compensation);
        return this;
    }

    /** Has the outside world asked whether it agrees, when the end is recorded already. */
    LocalOperation<T> confirming(@Nullable ReplayMode mode) {
        confirming = mode == null ? null : new Confirming<>(scope, this, id, mode);
        return this;
    }

    /** Has every attempt wait until there is room for it. */
    LocalOperation<T> limited(@Nullable Admission newAdmission) {
        admission = newAdmission;
        return this;
    }

    T run() {
        ActivityRecord known = scope.reach(id, header);
        if (known == null) {
            declare(1, true, new Advance.Begin(key, header, new Request.Local(), effect));
            return attempts(1, 0);
        }
        if (known.ledger().finalized()) {
            if (confirming != null) {
                confirming.confirm(known);
            }
            return scope.result(id, known, type);
        }
        int number = known.waker() instanceof Waker.Local local ? local.attempt() : 1;
        int failures = failures(number);
        if (deciding != null && deciding.asked(number)) {
            return deciding.resume(number, failures);
        }
        Effect recorded = effect == null ? null : scope.stored(effect.key());
        return failures == number ? again(number, failures, recorded) : recovered(number, failures, recorded);
    }

    /** How many of the attempts so far have failed, and not just disappeared with their process. */
    private int failures(int number) {
        int failures = 0;
        for (int i = 1; i <= number; i++) {
            failures += scope.recorded(backoffId(i)) == null ? 0 : 1;
        }
        return failures;
    }

    private String backoffId(int number) {
        return Journal.pause(id, number);
    }

    /** Says that an attempt is made; it is the last thing before that. So whatever it has to wait for comes first. */
    private void declare(int number, boolean optional, Advance.Change attempt) {
        slots = admission == null ? null : admission.enter(number, optional);
        boolean declared = false;
        try {
            scope.commit(attempt);
            declared = true;
        } finally {
            if (!declared) {
                leave();
            }
        }
    }

    private void leave() {
        if (slots != null) {
            slots.end();
            slots = null;
        }
    }

    private T attempt(int number) throws Exception {
        try {
            return attempt.run(number);
        } finally {
            leave();
        }
    }

    T attempts(int first, int failuresBefore) {
        int failures = failuresBefore;
        int number = first;
        while (true) {
            T value;
            try {
                int current = number;
                value = scope.naming().inside(() -> attempt(current));
            } catch (Exception e) {
                scope.checkAlive();
                Results.Failure failure = Results.Failure.of(NothingHappened.cause(e));
                EffectStatus status = status(e);
                // What throws may have happened all the same.
                if (guarantee == Guarantee.RECONCILED && status != EffectStatus.FAILED) {
                    Verified<T> verified = look(number, null);
                    if (!(verified instanceof Verified.NotCompleted)) {
                        return reconciled(number, failures, verified, failure);
                    }
                    status = status == EffectStatus.TIMED_OUT ? status : EffectStatus.FAILED;
                }
                if (guarantee == Guarantee.AT_MOST_ONCE || e instanceof PayloadError
                        || !retryable.test(NothingHappened.cause(e)) || ++failures >= retry.maxAttempts()) {
                    throw failed(number, failure, after(status, failure.payload()));
                }
                Effect known = after(status, failure.payload());
                pause(number, failures, known);
                number++;
                retry(number, known, after(EffectStatus.INDETERMINATE, failure.payload()));
                continue;
            }
            return finished(number, value);
        }
    }

    /** What is known of the effect of an attempt that threw, before anybody has looked. */
    private static EffectStatus status(Exception error) {
        return switch (error) {
            case NothingHappened sure -> EffectStatus.FAILED;
            case TimeoutException late -> EffectStatus.TIMED_OUT;
            default -> EffectStatus.INDETERMINATE;
        };
    }

    private @Nullable Effect after(EffectStatus status, @Nullable Payload error) {
        return effect == null ? null : effect.after(status, error);
    }

    private T again(int number, int failures, @Nullable Effect recorded) {
        pause(number, failures, recorded);
        retry(number + 1, recorded, retried(recorded));
        return attempts(number + 1, failures);
    }

    private @Nullable Effect retried(@Nullable Effect recorded) {
        return after(EffectStatus.INDETERMINATE, recorded == null ? null : recorded.error());
    }

    /** Another attempt, after a crash; what went wrong before it is not forgotten. */
    @Override
    public T next(int number, int failures, @Nullable Effect recorded) {
        declare(number + 1, false, new Advance.Retry(key, number + 1, retried(recorded)));
        return attempts(number + 1, failures);
    }

    /** Another attempt, after one that is known to have failed: it need not be. */
    private void retry(int number, @Nullable Effect known, @Nullable Effect begun) {
        unlessCancelled(known, () -> declare(number, true, new Advance.Retry(key, number, begun)));
    }

    /** A wait between two attempts survives a crash, and is how a failed attempt is told from one that disappeared. */
    private void pause(int number, int failures, @Nullable Effect known) {
        unlessCancelled(known, () -> new WaitOperation(scope, backoffId(number))
                .pause(retry.backoff(failures), known));
    }

    private void unlessCancelled(@Nullable Effect known, Runnable wait) {
        try {
            wait.run();
        } catch (FlowCancelled e) {
            if (effect != null) {
                scope.hold(new Advance.Drop(key, false,
                        after(EffectStatus.CANCELLED, known == null ? null : known.error())));
            }
            throw e;
        }
    }

    /** Begun, and no record of an end: its process ended, or lost the shard. */
    private T recovered(int number, int failures, @Nullable Effect recorded) {
        scope.checkWritable();
        if (recorded != null && recorded.status() == EffectStatus.COMPLETED) {
            return caughtUp(number, failures, recorded);
        }
        return switch (guarantee) {
            case AT_LEAST_ONCE, IDEMPOTENT, TRANSACTIONAL -> {
                if (number >= ATTEMPTS_MAX) {
                    Results.Failure failure = new Results.Failure("AttemptsExhausted",
                            "begun " + number + " times, and never came to an end", "AttemptsExhausted");
                    throw failed(number, failure, after(EffectStatus.INDETERMINATE, failure.payload()));
                }
                yield next(number, failures, recorded);
            }
            case AT_MOST_ONCE -> unknown(number, failures, new Results.Failure(LOST,
                    "in flight or lost when its process ended; it is not tried again", LOST),
                    EffectStatus.INDETERMINATE);
            case RECONCILED -> {
                Verified<T> verified = look(number, recorded);
                yield verified instanceof Verified.NotCompleted
                        ? next(number, failures, recorded)
                        : reconciled(number, failures, verified, null);
            }
        };
    }

    /**
     * The effect is recorded as completed, its operation is not: somebody else wrote that record, for here both are one commit. It is
     * not done again; if it can be looked up, that must say the same.
     */
    private T caughtUp(int number, int failures, Effect recorded) {
        Verified<T> verified = reconciling == null ? new Verified.Indeterminate<>("nobody was asked")
                : look(number, recorded);
        Payload result = recorded.result();
        if (result == null) {
            return reconciled(number, failures, verified instanceof Verified.Completed ? verified
                    : new Verified.ResultUnavailable<>("it is recorded as completed, without a result"), null);
        }
        scope.hold(new Advance.Finish(key, number, new Response.Final(result), null));
        return scope.decode(result, type);
    }

    /** What the outside world says, compared with nothing. */
    Verified<T> ask() {
        return new Reconciliation<>(scope, Objects.requireNonNull(effect), reconciling, completes).ask();
    }

    /** What the outside world says; what contradicts itself fails, whoever would be asked: there is nothing to believe. */
    @Override
    public Verified<T> look(int number, @Nullable Effect recorded) {
        try {
            return new Reconciliation<>(scope, Objects.requireNonNull(effect), reconciling, completes).look(recorded);
        } catch (Reconciliation.Contradiction e) {
            throw failed(number, e.failure(), after(EffectStatus.INDETERMINATE, e.error()));
        }
    }

    @Override
    public T reconciled(int number, int failures, Verified<T> verified, Results.@Nullable Failure before) {
        return switch (verified) {
            case Verified.Completed<T> completed -> finished(number, completed.result());
            case Verified.ResultUnavailable<T> unavailable -> unknown(number, failures,
                    new Results.Failure("ReconciledWithoutResult", unavailable.why(), "ReconciledWithoutResult"),
                    EffectStatus.COMPLETED);
            case Verified.Indeterminate<T> indeterminate -> unknown(number, failures,
                    new Results.Failure(INDETERMINATE,
                            indeterminate.why()
                                    + (before == null ? "" : "; what went wrong before: " + before.message()),
                            INDETERMINATE),
                    EffectStatus.INDETERMINATE);
            case Verified.NotCompleted<T> not -> throw new IllegalStateException("not completed: to be tried again");
        };
    }

    @Override
    public T finished(int number, T value) {
        Payload output;
        try {
            output = scope.codec().encode(value);
        } catch (PayloadError e) {
            // It has happened, and nobody will ever know what it came to.
            Results.Failure failure = Results.Failure.of(e);
            throw failed(number, failure, after(EffectStatus.COMPLETED, failure.payload()));
        }
        scope.hold(new Advance.Finish(key, number, new Response.Final(output),
                effect == null || !completes ? null : effect.completed(output)));
        return plain(value) ? value : scope.decode(output, type);
    }

    /** What would be the same after a way through JSON, or would not notice. Everything else is seen as a replay will see it. */
    private static boolean plain(@Nullable Object value) {
        return value == null || value instanceof String || value instanceof Number || value instanceof Boolean
                || value instanceof Enum || value instanceof Instant || value instanceof Duration
                || value instanceof UUID;
    }

    /** Every outcome that nobody can tell, or tell all of: it may have happened, and it is not tried again unless a person says so. */
    private T unknown(int number, int failures, Results.Failure failure, EffectStatus status) {
        if (deciding == null) {
            throw failed(number, failure, after(status, failure.payload()));
        }
        return deciding.ask(number, failures, failure);
    }

    /** It may have happened or not; that is all that is known of its effect. */
    @Override
    public OperationFailed failed(int number, Results.Failure failure) {
        return failed(number, failure, after(EffectStatus.INDETERMINATE, failure.payload()));
    }

    private OperationFailed failed(int number, Results.Failure failure, @Nullable Effect known) {
        scope.hold(new Advance.Finish(key, number, new Response.Failure(failure.payload()), known));
        return new OperationFailed(failure.code(), id, failure.type(), failure.message());
    }
}
