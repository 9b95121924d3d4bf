package dev.pawl.engine.flow;

import dev.pawl.engine.ValidationFailed;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Something done to the outside world, with what is promised of it. Immutable.
 *
 * @param <I> what it is given
 * @param <O> what it comes to
 */
public final class Activity<I extends @Nullable Object, O extends @Nullable Object> {

    public static final Duration TIMEOUT_DEFAULT = Duration.ofMinutes(5);

    private final String name;
    /** Null if its author has not said. */
    private final @Nullable Type input;
    private final Type output;
    private final Body<I, O> body;
    private final Options<I, O> options;

    /** How somebody else completes it: if there is a visibility time-out, it is handed over again after so much silence. */
    record Elsewhere(@Nullable Duration visibility) {
    }

    /** What an attempt waits for before it begins. */
    record Limiting<I extends @Nullable Object>(List<Limit> limits, @Nullable Function<I, String> fairBy) {
    }

    /** What it does. */
    @FunctionalInterface
    public interface Body<I extends @Nullable Object, O extends @Nullable Object> {

        O run(ActivityContext attempt, I input) throws Exception;
    }

    /** What it does, if it need not know which attempt it is. */
    @FunctionalInterface
    public interface Plain<I extends @Nullable Object, O extends @Nullable Object> {

        O run(I input) throws Exception;
    }

    /**
     * Looks whether the effect with this key has happened. It has as long as an attempt has; if it throws, answers null or comes too
     * late, nobody knows.
     */
    @FunctionalInterface
    public interface Verifier<I extends @Nullable Object, O extends @Nullable Object> {

        Verified<O> verify(String key, I input) throws Exception;
    }

    /** Takes back what it did. */
    @FunctionalInterface
    public interface Compensation<I extends @Nullable Object, O extends @Nullable Object> {

        void run(I input, O output) throws Exception;
    }

    /** Takes back what it did, with the key and the attempt of the compensation itself. */
    @FunctionalInterface
    public interface CompensationBody<I extends @Nullable Object, O extends @Nullable Object> {

        void run(ActivityContext attempt, I input, O output) throws Exception;
    }

    /** What can be said of an activity beside what it does. Changed only while nobody else has seen it. */
    private static final class Options<I extends @Nullable Object, O extends @Nullable Object> {

        private @Nullable Function<I, String> key;
        private @Nullable Verifier<I, O> verifier;
        private @Nullable Activity<Undo<I, O>, ?> compensation;
        private @Nullable Guarantee declared;
        private @Nullable RetryPolicy retry;
        private Duration timeout = TIMEOUT_DEFAULT;
        private Set<Class<? extends Throwable>> hopeless = Set.of();
        private @Nullable Duration heartbeat;
        private @Nullable Elsewhere elsewhere;
        private WhenUnknown whenUnknown = WhenUnknown.FAIL;
        private @Nullable ReplayMode replay;
        private Limiting<I> limiting = new Limiting<>(List.of(), null);

        private Options<I, O> copy() {
            Options<I, O> copy = new Options<>();
            copy.key = key;
            copy.verifier = verifier;
            copy.compensation = compensation;
            copy.declared = declared;
            copy.retry = retry;
            copy.timeout = timeout;
            copy.hopeless = hopeless;
            copy.heartbeat = heartbeat;
            copy.elsewhere = elsewhere;
            copy.whenUnknown = whenUnknown;
            copy.replay = replay;
            copy.limiting = limiting;
            return copy;
        }
    }

    private Activity(String name, @Nullable Type input, Type output, Body<I, O> body, Options<I, O> options) {
        this.name = ValidationFailed.name("an activity's name", name);
        this.input = input;
        this.output = output;
        this.body = body;
        this.options = options;
    }

    private Activity<I, O> with(Consumer<Options<I, O>> change) {
        Options<I, O> changed = options.copy();
        change.accept(changed);
        return new Activity<>(name, input, output, body, changed);
    }

    public static <I extends @Nullable Object, O extends @Nullable Object> Activity<I, O> named(String name,
            Class<I> input, Class<O> output, Plain<I, O> body) {
        return new Activity<>(name, input, output, (attempt, value) -> body.run(value), new Options<>());
    }

    /** One that wants to know which attempt it is, or its key. */
    public static <I extends @Nullable Object, O extends @Nullable Object> Activity<I, O> named(String name,
            Class<I> input, Class<O> output, Body<I, O> body) {
        return new Activity<>(name, input, output, body, new Options<>());
    }

    /** One whose result is of a type with parameters. Its input is not read back from what is written of it, for want of its type. */
    public static <I extends @Nullable Object, O extends @Nullable Object> Activity<I, O> named(String name,
            TypeRef<O> output, Body<I, O> body) {
        return new Activity<>(name, null, output.type(), body, new Options<>());
    }

    /** One whose input or result is of a type with parameters. */
    public static <I extends @Nullable Object, O extends @Nullable Object> Activity<I, O> named(String name,
            TypeRef<I> input, TypeRef<O> output, Body<I, O> body) {
        return new Activity<>(name, input.type(), output.type(), body, new Options<>());
    }

    /**
     * The key by which the outside world knows this effect: 1 to 512 bytes of UTF-8, taken as they are. It must depend on the input
     * alone.
     */
    public Activity<I, O> key(Function<I, String> newKey) {
        return with(changed -> changed.key = newKey);
    }

    public Activity<I, O> verify(Verifier<I, O> newVerifier) {
        return with(changed -> changed.verifier = newVerifier);
    }

    /** The same as {@link #compensate(CompensationBody)}, for code that needs neither key nor attempt. */
    public Activity<I, O> compensate(Compensation<I, O> newCompensation) {
        return compensate((attempt, input, output) -> newCompensation.run(input, output));
    }

    /**
     * What runs when this activity has completed and the flow fails or is cancelled later. Compensations run in reverse order of completion,
     * each as an operation of its own; one that fails for good is recorded and named in the failure of the flow, and the rest still runs. Tried
     * twice ({@link RetryPolicy#COMPENSATION}).
     *
     * <p>It is idempotent if this activity is declared so, and at-least-once otherwise: after a crash between its effect and the record of it, it
     * runs again, with the same key. If it must not happen twice, pass the key on to a receiver that recognises it, or say how to look it up:
     * {@link #compensateWith}.
     */
    public Activity<I, O> compensate(CompensationBody<I, O> newCompensation) {
        return compensateWith(compensation(name, newCompensation));
    }

    /**
     * Compensates by an activity with everything an activity can have: a guarantee, a verifier, retries, a time limit, a worker elsewhere. With
     * a key or a verifier it is reconciled unless it is declared otherwise. Its key is {@code pawl:{namespace}:{workflowId}:{operationId}:compensate}
     * unless it has one of its own.
     *
     * <pre>{@code
     * CHARGE.compensateWith(Activity.<Order, Receipt>compensation("refund",
     *         (attempt, order, receipt) -> bank.refund(receipt.id(), attempt.idempotencyKey()))
     *         .verify((key, undo) -> bank.hasRefund(key) ? new Verified.Completed<>(null) : new Verified.NotCompleted<>()));
     * }</pre>
     */
    public Activity<I, O> compensateWith(Activity<Undo<I, O>, ?> newCompensation) {
        if (newCompensation.options.compensation != null) {
            throw new ValidationFailed("the compensation " + newCompensation.name + " of " + name
                    + " has a compensation of its own, which would never run; leave it out");
        }
        return with(changed -> changed.compensation = newCompensation);
    }

    /** An activity for {@link #compensateWith}. */
    public static <I extends @Nullable Object, O extends @Nullable Object> Activity<Undo<I, O>, @Nullable Object> compensation(
            String name, CompensationBody<I, O> body) {
        return new Activity<>(name, null, Object.class, (attempt, undo) -> {
            body.run(attempt, undo.input(), undo.output());
            return null;
        }, new Options<>());
    }

    /** Refuses a promise that cannot be kept. */
    public Activity<I, O> guarantee(Guarantee guarantee) {
        if (guarantee == Guarantee.TRANSACTIONAL) {
            throw new IllegalArgumentException("an activity is not transactional; use flow.transaction(…)");
        }
        return with(changed -> changed.declared = guarantee);
    }

    public Activity<I, O> retry(RetryPolicy policy) {
        return with(changed -> changed.retry = policy);
    }

    /** Of one attempt. */
    public Activity<I, O> timeout(Duration newTimeout) {
        if (!newTimeout.isPositive()) {
            throw new IllegalArgumentException("a time-out is positive, not " + newTimeout);
        }
        return with(changed -> changed.timeout = newTimeout);
    }

    /** Errors after which another attempt would not help. */
    @SafeVarargs
    @SuppressWarnings("varargs")
    public final Activity<I, O> nonRetryable(Class<? extends Throwable>... errors) {
        return with(changed -> changed.hopeless = Set.of(errors));
    }

    /** An attempt that is silent for so long counts as failed. */
    public Activity<I, O> heartbeat(Duration silence) {
        if (!silence.isPositive()) {
            throw new IllegalArgumentException("a heartbeat's time is positive, not " + silence);
        }
        return with(changed -> changed.heartbeat = silence);
    }

    /**
     * Its code only hands the work to somebody else, who completes it with the token of the attempt, within the time-out; what the code
     * itself returns is not looked at.
     */
    public Activity<I, O> completedElsewhere() {
        return with(changed -> changed.elsewhere = new Elsewhere(null));
    }

    /**
     * The same with a visibility time-out: if nobody completes it, or gives a heartbeat with the token, for so long, the work is handed
     * over once more, as often as the retry policy has attempts. It is not if it must not be done twice; what has a verifier is looked
     * up before. Each hand-over has a token of its own; the first worker's completion is still accepted, and the first completion counts.
     * The time-out is that of handing it over.
     */
    public Activity<I, O> completedElsewhere(Duration visibility) {
        if (!visibility.isPositive()) {
            throw new ValidationFailed("a visibility time-out is positive, not " + visibility);
        }
        return with(changed -> changed.elsewhere = new Elsewhere(visibility));
    }

    /**
     * What becomes of it when nobody can tell whether it has happened. If a person is asked and has it taken back, the compensation is
     * given null for what it came to, and must cope with its never having happened.
     */
    public Activity<I, O> whenUnknown(WhenUnknown policy) {
        return with(changed -> changed.whenUnknown = policy);
    }

    /** Strictly: see {@link #confirmOnReplay(ReplayMode)}. */
    public Activity<I, O> confirmOnReplay() {
        return confirmOnReplay(ReplayMode.STRICT);
    }

    /**
     * Whenever the code of the flow is run again and comes to this activity with its result recorded, the verifier is asked whether the
     * outside world still agrees; not more often than once while its shard stays with the same engine. The mode says what follows if it
     * does not.
     */
    public Activity<I, O> confirmOnReplay(ReplayMode mode) {
        return with(changed -> changed.replay = mode);
    }

    /**
     * Lets an attempt begin only when there is room for it, in all processes of the namespace together. An attempt waits before it is
     * declared, and its time-out begins afterwards. Of an activity that is completed elsewhere only the handing over is limited.
     */
    public Activity<I, O> limit(Limit limit) {
        List<Limit> limits = new ArrayList<>(options.limiting.limits());
        if (limits.stream().anyMatch(limit::samePool)) {
            throw new ValidationFailed(name + " has two limits of the same kind in the pool " + limit.pool()
                    + "; keep the smaller one");
        }
        limits.add(limit);
        return with(changed -> changed.limiting =
                new Limiting<>(List.copyOf(limits), options.limiting.fairBy()));
    }

    /** On whose behalf an attempt waits: in one process they take turns, however many attempts of each wait. */
    public Activity<I, O> fairBy(Function<I, String> key) {
        return with(changed -> changed.limiting = new Limiting<>(options.limiting.limits(), key));
    }

    Limiting<I> limiting() {
        return options.limiting;
    }

    WhenUnknown whenUnknown() {
        return options.whenUnknown;
    }

    @Nullable ReplayMode replay() {
        return options.replay;
    }

    public String name() {
        return name;
    }

    /** What was declared; else what follows from key and verifier, and never more than that. */
    public Guarantee guarantee() {
        Guarantee declared = options.declared;
        if (declared != null) {
            return declared;
        }
        return options.key == null ? Guarantee.AT_LEAST_ONCE : Guarantee.RECONCILED;
    }

    /** Whether its effect is recorded by a key: it was given one, or what is promised of it needs one. */
    boolean keyed() {
        return options.key != null || guarantee() != Guarantee.AT_LEAST_ONCE;
    }

    @Nullable Type input() {
        return input;
    }

    Type output() {
        return output;
    }

    Body<I, O> body() {
        return body;
    }

    @Nullable Function<I, String> key() {
        return options.key;
    }

    @Nullable Verifier<I, O> verifier() {
        return options.verifier;
    }

    /** With what it says of itself, and otherwise with what follows from this activity. */
    @Nullable Activity<Undo<I, O>, ?> compensation() {
        Activity<Undo<I, O>, ?> compensation = options.compensation;
        return compensation == null ? null : compensation.compensating(options.declared == Guarantee.IDEMPOTENT);
    }

    /** The same as the compensation of an activity, which may be idempotent. */
    Activity<I, O> compensating(boolean idempotent) {
        return with(changed -> {
            if (changed.declared == null) {
                changed.declared = changed.key != null || changed.verifier != null ? Guarantee.RECONCILED
                        : idempotent ? Guarantee.IDEMPOTENT : Guarantee.AT_LEAST_ONCE;
            }
            if (changed.retry == null) {
                changed.retry = RetryPolicy.COMPENSATION;
            }
        });
    }

    RetryPolicy retry() {
        return options.retry == null ? RetryPolicy.DEFAULT : options.retry;
    }

    Duration timeout() {
        return options.timeout;
    }

    @Nullable Duration heartbeat() {
        return options.heartbeat;
    }

    @Nullable Elsewhere elsewhere() {
        return options.elsewhere;
    }

    boolean retryable(Throwable error) {
        return options.hopeless.stream().noneMatch(type -> type.isInstance(error));
    }
}
