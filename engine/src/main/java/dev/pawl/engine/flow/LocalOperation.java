package dev.pawl.engine.flow;

import dev.pawl.kernel.collation.Advance;
import dev.pawl.kernel.collation.Request;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Waker;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An operation that the flow's own thread runs: declared before it is done, tried again as its policy says, recorded when it is done.
 * What it does after a crash that fell in between depends on what is promised of it, and on nothing else.
 */
final class LocalOperation<T extends @Nullable Object> {

    /** A step that brings its process down each time must come to an end. */
    private static final int ATTEMPTS_MAX = 99;

    /** The code of an operation that was under way when its process ended, and that is never begun again. */
    static final String LOST = "OutcomeUnknown";

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
    private @Nullable Deciding<T> deciding;
    private @Nullable Confirming<T> confirming;

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

    T run() {
        ActivityRecord known = scope.reach(id, header);
        if (known == null) {
            scope.commit(new Advance.Begin(key, header, new Request.Local()));
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
        return failures == number ? again(number, failures) : recovered(number, failures);
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

    T attempts(int first, int failuresBefore) {
        int failures = failuresBefore;
        int number = first;
        while (true) {
            try {
                int current = number;
                T value = scope.inside(() -> attempt.run(current));
                return finished(number, value);
            } catch (Exception e) {
                scope.checkAlive();
                // What throws may have happened all the same.
                boolean lookedUp = guarantee == Guarantee.RECONCILED && !(e instanceof PayloadError);
                Verified<T> verified = lookedUp ? verify() : new Verified.NotCompleted<>();
                if (!(verified instanceof Verified.NotCompleted)) {
                    return reconciled(number, failures, verified);
                }
                if (guarantee == Guarantee.AT_MOST_ONCE || e instanceof PayloadError || !retryable.test(e)
                        || ++failures >= retry.maxAttempts()) {
                    throw failed(number, Results.Failure.of(e));
                }
                pause(number, failures);
                number++;
                scope.commit(new Advance.Retry(key, number));
            }
        }
    }

    private T again(int number, int failures) {
        pause(number, failures);
        scope.commit(new Advance.Retry(key, number + 1));
        return attempts(number + 1, failures);
    }

    /** A wait between two attempts survives a crash, and is how a failed attempt is told from one that disappeared. */
    private void pause(int number, int failures) {
        scope.pause(backoffId(number), retry.backoff(failures));
    }

    /** Begun, and no record of an end: its process ended, or lost the shard. */
    private T recovered(int number, int failures) {
        return switch (guarantee) {
            case AT_LEAST_ONCE, IDEMPOTENT, TRANSACTIONAL -> {
                if (number >= ATTEMPTS_MAX) {
                    throw failed(number, new Results.Failure("AttemptsExhausted",
                            "begun " + number + " times, and never came to an end", "AttemptsExhausted"));
                }
                scope.commit(new Advance.Retry(key, number + 1));
                yield attempts(number + 1, failures);
            }
            case AT_MOST_ONCE -> unknown(number, failures, new Results.Failure(LOST,
                    "in flight or lost when its process ended; it is not tried again", LOST));
            case RECONCILED -> {
                Verified<T> verified = verify();
                if (verified instanceof Verified.NotCompleted) {
                    scope.commit(new Advance.Retry(key, number + 1));
                    yield attempts(number + 1, failures);
                }
                yield reconciled(number, failures, verified);
            }
        };
    }

    Verified<T> verify() {
        if (reconciling == null) {
            return new Verified.Indeterminate<>("it has a key, but nobody says how to look it up");
        }
        try {
            return reconciling.verify();
        } catch (Exception e) {
            return new Verified.Indeterminate<>("the verifier failed: " + e);
        }
    }

    /** Nobody can tell whether it has happened: whatever is of that kind comes by here. */
    private T unknown(int number, int failures, Results.Failure why) {
        if (deciding == null) {
            throw failed(number, why);
        }
        return deciding.ask(number, failures, why);
    }

    T reconciled(int number, int failures, Verified<T> verified) {
        return switch (verified) {
            case Verified.Completed<T> completed -> finished(number, completed.result());
            case Verified.ResultUnavailable<T> unavailable -> unknown(number, failures,
                    new Results.Failure("ReconciledWithoutResult", unavailable.why(), "ReconciledWithoutResult"));
            case Verified.Indeterminate<T> indeterminate -> unknown(number, failures,
                    new Results.Failure("Indeterminate", indeterminate.why(), "Indeterminate"));
            case Verified.NotCompleted<T> not -> throw new IllegalStateException("not completed: to be tried again");
        };
    }

    T finished(int number, T value) {
        Payload output = scope.codec().encode(value);
        scope.hold(new Advance.Finish(key, number, new Response.Final(output)));
        return plain(value) ? value : scope.decode(output, type);
    }

    /** What would be the same after a way through JSON, or would not notice. Everything else is seen as a replay will see it. */
    private static boolean plain(@Nullable Object value) {
        return value == null || value instanceof String || value instanceof Number || value instanceof Boolean
                || value instanceof Enum || value instanceof Instant || value instanceof Duration
                || value instanceof UUID;
    }

    OperationFailed failed(int number, Results.Failure failure) {
        scope.hold(new Advance.Finish(key, number, new Response.Failure(failure.payload())));
        return new OperationFailed(failure.code(), id, failure.type(), failure.message());
    }
}
