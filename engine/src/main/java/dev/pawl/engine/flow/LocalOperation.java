package dev.pawl.engine.flow;

import dev.pawl.engine.limit.SlotWait;
import dev.pawl.kernel.collation.Advance;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Effect;
import dev.pawl.kernel.workflow.EffectStatus;
import dev.pawl.kernel.workflow.Waker;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An operation that the flow's own thread runs: declared before it is done, tried again as its policy says, recorded when it is done.
 * A plain step is not declared unless it has to be: it is one entry at its end. What it does after a crash that fell in between depends on what is promised of it, and on nothing else. If it has a key, every
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
    private final Payload header;
    private final Type type;
    private final Guarantee guarantee;
    private final RetryPolicy retry;
    private final Predicate<Throwable> retryable;
    private final Attempt<T> attempt;
    private final @Nullable Reconciling<T> reconciling;
    private Recording<T> recording;
    private @Nullable Deciding<T> deciding;
    private @Nullable Confirming<T> confirming;
    private @Nullable Admission admission;
    private @Nullable IntFunction<Advance.Change> beside;
    /** Time limit of one attempt, if there is one. */
    private @Nullable Duration limit;
    /** Of the attempt that is about to run or runs. */
    private @Nullable SlotWait slots;
    /** An earlier attempt may have had its effect: that a later one had none proves nothing. */
    private boolean unproven;
    /** Of the attempt that is about to run. */
    private @Nullable Place place;
    /** What would declare it; null if it is declared. */
    private Advance.@Nullable Begin undeclared;
    /** What the last attempt has returned; null if it has not. */
    private UserCodec.@Nullable Written written;
    /** Whether something compensates it that knows of it only when it has returned. */
    private boolean compensated;
    /** Whether that need not be if the flow is to end. */
    private boolean optional;

    /** Runs one attempt, in the place it is handed; it ends early if it is interrupted. */
    interface Attempt<T extends @Nullable Object> {

        T run(int number, Place place, Interruption interruption) throws Exception;
    }

    /** Looks whether it was done. */
    interface Reconciling<T extends @Nullable Object> {

        Verified<T> verify() throws Exception;
    }

    LocalOperation(Scope scope, String id, Payload header, Type type, Guarantee guarantee, RetryPolicy retry,
            Predicate<Throwable> retryable, Attempt<T> attempt, @Nullable Reconciling<T> reconciling) {
        this.scope = scope;
        this.id = id;
        this.header = header;
        this.type = type;
        this.guarantee = guarantee;
        this.retry = retry;
        this.retryable = retryable;
        this.attempt = attempt;
        this.reconciling = reconciling;
        this.recording = new Recording<>(scope, id, header, type, null, true);
    }

    /** Records an effect with it, if it has one, and says whether that has happened when an attempt returns. */
    LocalOperation<T> recording(@Nullable Effect declared, boolean completesIt) {
        recording = new Recording<>(scope, id, header, type, declared, completesIt);
        return this;
    }

    /** Has a person asked when the outcome is not known; by the compensation it can be taken back then, if there is one. */
    LocalOperation<T> asking(WhenUnknown policy, Rollbacks.@Nullable Reversal compensation) {
        deciding = policy == WhenUnknown.FAIL ? null
                : new Deciding<>(scope, this, id, type, reconciling != null, compensation);
        return this;
    }

    /** Has the outside world asked whether it agrees, when the end is recorded already. */
    LocalOperation<T> confirming(@Nullable ReplayMode mode) {
        confirming = mode == null ? null : new Confirming<>(scope, this, id, mode);
        return this;
    }

    /** Is compensated if it may have happened: so the record has to tell that it may have. */
    LocalOperation<T> compensatedBy(Rollbacks.@Nullable Reversal compensation) {
        compensated = compensation != null;
        return this;
    }

    /** Has every attempt wait until there is room for it. */
    LocalOperation<T> limited(@Nullable Admission newAdmission) {
        admission = newAdmission;
        return this;
    }

    /** Records something in the commit that declares an attempt. */
    LocalOperation<T> declaringWith(IntFunction<Advance.Change> newBeside) {
        beside = newBeside;
        return this;
    }

    /** Limits how long an attempt of another process is waited for; the attempts of this one are limited by their own function. */
    LocalOperation<T> within(Duration newLimit) {
        limit = newLimit;
        return this;
    }

    T run() {
        // A step that may have happened is run to its end although the flow is to end: only then it can be compensated.
        // Code that only answers a query takes no run over: it is left to the code that goes on.
        boolean perhaps = plain() && !scope.incarnation().readOnly() && scope.mayBeUnderWay(id);
        LeftAttempt left = perhaps ? LeftAttempt.find(scope, id, header) : null;
        ActivityRecord known = perhaps ? scope.reachUnderWay(id, header) : scope.reach(id, header);
        boolean declares = !plain() || scope.strand().comesToStep();
        if (known == null) {
            return first(left, declares, perhaps);
        }
        if (left != null) {
            left.forget();
        }
        if (known.ledger().finalized()) {
            if (confirming != null) {
                confirming.confirm(known);
            }
            return scope.result(id, known, type);
        }
        scope.strand().atFront();
        Waker.Local local = known.waker() instanceof Waker.Local declared ? declared : new Waker.Local(1, "");
        int number = local.attempt();
        int failures = failures(number);
        if (deciding != null && deciding.asked(number)) {
            return deciding.resume(number, failures);
        }
        Effect recorded = recording.stored();
        // A wait after this attempt says that it has failed, whatever became of those before it.
        boolean failed = scope.recorded(backoffId(number)) != null;
        return failed ? again(number, failures, recorded) : recovered(local, failures, recorded);
    }

    /** Whether nothing is promised that would need a record before it acts. */
    private boolean plain() {
        return guarantee == Guarantee.AT_LEAST_ONCE && !compensated && !recording.keyed() && beside == null
                && !id.startsWith(Journal.OWN);
    }

    /** The first attempt. A plain step begins when everything before it is durable, and needs no commit of its own for that. */
    private T first(@Nullable LeftAttempt left, boolean declares, boolean perhaps) {
        if (left != null) {
            recording.undeclared(left.declaration());
            AttemptOutcome outcome = left.outcome();
            if (outcome != null) {
                scope.strand().atFront();
                return conclude(1, 0, outcome);
            }
        }
        if (declares) {
            declare(1, !perhaps, null);
        } else {
            enter(1, true, scope::awaitDurable);
            undeclared = recording.undeclared();
        }
        // Not before: until it is declared, nothing recorded says that it may have been under way.
        scope.strand().atFront();
        return conclude(1, 0, attempt(1));
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
    private void declare(int number, boolean mayBeLeftOut, @Nullable Effect known) {
        undeclared = null;
        enter(number, mayBeLeftOut, () -> {
            Advance.Change declaration = recording.declaring(number, known);
            if (beside == null) {
                scope.commit(declaration);
            } else {
                scope.commit(declaration, beside.apply(number));
            }
        });
    }

    /** Waits for what an attempt needs to run. The slots come first: who waits for those must not hold a place meanwhile. */
    private void enter(int number, boolean mayBeLeftOut, Runnable last) {
        optional = mayBeLeftOut;
        slots = admission == null ? null : admission.enter(number, optional);
        boolean entered = false;
        try {
            place = scope.runtime().bodies().enter(scope, optional);
            last.run();
            entered = true;
        } finally {
            if (!entered) {
                leave();
            }
        }
    }

    private void leave() {
        if (slots != null) {
            slots.end();
            slots = null;
        }
        if (place != null) {
            place.giveBack();
            place = null;
        }
    }

    /**
     * Runs one attempt, once the lease of this process certainly lasts. An attempt that began later could happen beside that of the shard's
     * next owner.
     */
    private AttemptOutcome attempt(int number) {
        Attempts attempts = scope.incarnation().attempts();
        try {
            while (true) {
                scope.awaitLease();
                // If it was declared, it is handed over as never begun: the next owner begins it, whatever its level.
                scope.stopIfDraining();
                Interruption interruption = scope.interruption(recording.keyed() ? this::settled : null);
                if (!attempts.begin(scope, id, undeclared, interruption, optional)) {
                    continue;
                }
                AttemptOutcome outcome = new AttemptOutcome.Lost();
                try {
                    outcome = outcome(number, interruption);
                } finally {
                    // An error is no outcome: the workflow is parked, and whoever runs it again must not wait for this attempt.
                    attempts.ended(id, outcome);
                    interruption.over(outcome);
                }
                scope.checkAlive();
                if (!(outcome instanceof AttemptOutcome.NotBegun)) {
                    return outcome;
                }
            }
        } finally {
            leave();
        }
    }

    private AttemptOutcome outcome(int number, Interruption interruption) {
        Place mine = place == null ? scope.runtime().bodies().enter(scope, false) : place;
        place = null;
        T value;
        try {
            value = scope.naming().inside(() -> attempt.run(number, mine, interruption));
        } catch (LeaseLapsed e) {
            return new AttemptOutcome.NotBegun();
        } catch (Exception e) {
            Throwable cause = NothingHappened.cause(e);
            return new AttemptOutcome.Threw(Results.Failure.of(cause), status(e),
                    !(e instanceof PayloadError) && retryable.test(cause));
        } finally {
            mine.giveBack();
        }
        try {
            written = scope.codec().write(value, type);
            return new AttemptOutcome.Returned(written.payload());
        } catch (PayloadError e) {
            return new AttemptOutcome.Unrecordable(Results.Failure.of(e));
        }
    }

    /** What an attempt has returned, as a replay will see it: the one who checked it has read it already. */
    @SuppressWarnings("unchecked") // Read as this type.
    private T seen(Payload output) {
        UserCodec.Written last = written;
        return last != null && last.read() != null && last.payload().equals(output) ? (T) last.read()
                : scope.decode(id, output, type);
    }

    /** What follows from the outcome of an attempt, and from those of the attempts after it. */
    private T conclude(int first, int failuresBefore, AttemptOutcome firstOutcome) {
        int failures = failuresBefore;
        int number = first;
        AttemptOutcome outcome = firstOutcome;
        while (true) {
            switch (outcome) {
                case AttemptOutcome.Returned returned -> {
                    recording.ends(number, returned.output());
                    return seen(returned.output());
                }
                case AttemptOutcome.Unrecordable unrecordable ->
                    throw recording.failed(number, unrecordable.failure(), EffectStatus.COMPLETED);
                case AttemptOutcome.Threw threw -> {
                    EffectStatus status = unproven && threw.status() == EffectStatus.FAILED
                            ? EffectStatus.INDETERMINATE
                            : threw.status();
                    // What throws may have happened all the same.
                    if (guarantee == Guarantee.RECONCILED && status != EffectStatus.FAILED) {
                        Verified<T> verified = look(number, null);
                        if (verified instanceof Verified.Indeterminate && scope.cancelled() != null) {
                            throw cancelled(status, threw.failure());
                        }
                        if (!(verified instanceof Verified.NotCompleted)) {
                            return reconciled(number, failures, verified, threw.failure());
                        }
                        status = status == EffectStatus.TIMED_OUT ? status : EffectStatus.FAILED;
                    }
                    if (scope.cancelled() != null) {
                        throw cancelled(status, threw.failure());
                    }
                    unproven = guarantee != Guarantee.RECONCILED && status != EffectStatus.FAILED;
                    if (guarantee == Guarantee.AT_MOST_ONCE || !threw.retryable()
                            || ++failures >= retry.maxAttempts()) {
                        throw recording.failed(number, threw.failure(), status);
                    }
                    Effect known = recording.after(status, threw.failure().payload());
                    pause(number, failures, known);
                    number++;
                    retry(number, known, recording.after(EffectStatus.INDETERMINATE, threw.failure().payload()));
                }
                case AttemptOutcome.NotBegun not -> {
                    number++;
                    declare(number, false, recording.retried(null));
                }
                case AttemptOutcome.Lost lost -> throw new IllegalStateException("nothing is known of it");
            }
            outcome = attempt(number);
        }
    }

    /** It has thrown, and the flow is to end: it is not tried again, whatever its policy says. */
    private FlowCancelled cancelled(EffectStatus status, Results.Failure failure) {
        String reason = scope.cancelled();
        recording.cancelled(recording.after(status, failure.payload()));
        return new FlowCancelled(reason == null ? "" : reason);
    }

    /** What is known of the effect of an attempt whose branch has lost: no code looks any further. */
    private @Nullable Effect settled(AttemptOutcome outcome) {
        return switch (outcome) {
            case AttemptOutcome.Returned returned -> recording.completed(returned.output());
            case AttemptOutcome.Unrecordable unrecordable ->
                recording.after(EffectStatus.COMPLETED, unrecordable.failure().payload());
            case AttemptOutcome.Threw threw -> recording.after(
                    threw.status() != EffectStatus.FAILED ? threw.status()
                            : unproven ? EffectStatus.INDETERMINATE : EffectStatus.CANCELLED,
                    threw.failure().payload());
            case AttemptOutcome.NotBegun not -> null;
            case AttemptOutcome.Lost lost -> null;
        };
    }

    /** What is known of the effect of an attempt that threw, before anybody has looked. */
    private static EffectStatus status(Exception error) {
        return switch (error) {
            case NothingHappened sure -> EffectStatus.FAILED;
            case TimeoutException late -> EffectStatus.TIMED_OUT;
            default -> EffectStatus.INDETERMINATE;
        };
    }

    private T again(int number, int failures, @Nullable Effect recorded) {
        unproven = guarantee != Guarantee.RECONCILED
                && (recorded == null || recorded.status() != EffectStatus.FAILED);
        pause(number, failures, recorded);
        retry(number + 1, recorded, recording.retried(recorded));
        return conclude(number + 1, failures, attempt(number + 1));
    }

    /** Another attempt, after a crash; what went wrong before it is not forgotten. */
    @Override
    public T next(int number, int failures, @Nullable Effect recorded) {
        unproven = guarantee != Guarantee.RECONCILED;
        declare(number + 1, false, recording.retried(recorded));
        return conclude(number + 1, failures, attempt(number + 1));
    }

    /** Another attempt, after one that is known to have failed: it need not be. */
    private void retry(int number, @Nullable Effect known, @Nullable Effect begun) {
        unlessCancelled(known, () -> declare(number, true, begun));
    }

    /** A wait between two attempts survives a crash, and is how a failed attempt is told from one that disappeared. */
    private void pause(int number, int failures, @Nullable Effect known) {
        unlessCancelled(known, () -> new WaitOperation(scope, backoffId(number))
                .pause(retry.backoff(failures), recording.lateDeclaration(), known));
    }

    private void unlessCancelled(@Nullable Effect known, Runnable wait) {
        try {
            wait.run();
        } catch (FlowCancelled e) {
            recording.cancelled(known);
            throw e;
        }
    }

    /** Begun, and no record of an end: it still runs in its process, or that process is gone. */
    private T recovered(Waker.Local local, int failures, @Nullable Effect recorded) {
        int number = local.attempt();
        scope.checkWritable();
        if (recorded != null && recorded.status() == EffectStatus.COMPLETED) {
            return caughtUp(number, failures, recorded);
        }
        unproven = number > 1 && guarantee != Guarantee.RECONCILED;
        AttemptOutcome outcome = new ForeignAttempt(scope, id, number, local.runner()).outcome(limit);
        if (outcome != null && !(outcome instanceof AttemptOutcome.Lost)) {
            return conclude(number, failures, outcome);
        }
        return switch (guarantee) {
            case AT_LEAST_ONCE, IDEMPOTENT, TRANSACTIONAL -> {
                if (number >= ATTEMPTS_MAX) {
                    Results.Failure failure = new Results.Failure("AttemptsExhausted",
                            "begun " + number + " times, and never came to an end", "AttemptsExhausted");
                    throw recording.failed(number, failure, EffectStatus.INDETERMINATE);
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
        return recording.caughtUp(number, result);
    }

    /** What the outside world says, compared with nothing. */
    Verified<T> ask() {
        return recording.reconciliation(reconciling).ask();
    }

    /** What the outside world says; what contradicts itself fails, whoever would be asked: there is nothing to believe. */
    @Override
    public Verified<T> look(int number, @Nullable Effect recorded) {
        try {
            return recording.reconciliation(reconciling).look(recorded);
        } catch (Reconciliation.Contradiction e) {
            throw recording.failed(number, e.failure(), recording.after(EffectStatus.INDETERMINATE, e.error()));
        }
    }

    @Override
    public T reconciled(int number, int failures, Verified<T> verified, Results.@Nullable Failure before) {
        return switch (verified) {
            case Verified.Completed<T> completed -> recording.finished(number, completed.result());
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
        return recording.finished(number, value);
    }

    /** Every outcome that nobody can tell, or tell all of: it may have happened, and it is not tried again unless a person says so. */
    private T unknown(int number, int failures, Results.Failure failure, EffectStatus status) {
        if (deciding == null) {
            throw recording.failed(number, failure, status);
        }
        return deciding.ask(number, failures, failure);
    }

    /** It may have happened or not; that is all that is known of its effect. */
    @Override
    public OperationFailed failed(int number, Results.Failure failure) {
        return recording.failed(number, failure, EffectStatus.INDETERMINATE);
    }
}
