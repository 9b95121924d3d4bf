package dev.pawl.engine.flow;

import dev.pawl.engine.ValidationFailed;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
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
    private final Type output;
    private final Body<I, O> body;
    private final @Nullable Function<I, String> key;
    private final @Nullable Verifier<I, O> verifier;
    private final @Nullable Compensation<I, O> compensation;
    private final @Nullable Guarantee declared;
    private final RetryPolicy retry;
    private final Duration timeout;
    private final Set<Class<? extends Throwable>> hopeless;
    private final @Nullable Duration heartbeat;
    private final @Nullable Elsewhere elsewhere;
    private final Doubts doubts;
    private final Limiting<I> limiting;

    /** What to do where nobody can be sure. */
    record Doubts(WhenUnknown whenUnknown, @Nullable ReplayMode replay) {

        static final Doubts NONE = new Doubts(WhenUnknown.FAIL, null);
    }

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

    private Activity(String name, Type output, Body<I, O> body, @Nullable Function<I, String> key,
            @Nullable Verifier<I, O> verifier, @Nullable Compensation<I, O> compensation, @Nullable Guarantee declared,
            RetryPolicy retry, Duration timeout, Set<Class<? extends Throwable>> hopeless,
            @Nullable Duration heartbeat, @Nullable Elsewhere elsewhere, Doubts doubts, Limiting<I> limiting) {
        this.name = ValidationFailed.name("an activity's name", name);
        this.output = output;
        this.body = body;
        this.key = key;
        this.verifier = verifier;
        this.compensation = compensation;
        this.declared = declared;
        this.retry = retry;
        this.timeout = timeout;
        this.hopeless = hopeless;
        this.heartbeat = heartbeat;
        this.elsewhere = elsewhere;
        this.doubts = doubts;
        this.limiting = limiting;
    }

    public static <I extends @Nullable Object, O extends @Nullable Object> Activity<I, O> named(String name,
            Class<I> input, Class<O> output, Plain<I, O> body) {
        return named(name, output, (attempt, value) -> body.run(value));
    }

    /** One that wants to know which attempt it is, or its key. */
    public static <I extends @Nullable Object, O extends @Nullable Object> Activity<I, O> named(String name,
            Class<I> input, Class<O> output, Body<I, O> body) {
        return named(name, output, body);
    }

    /** One whose result is of a type with parameters. */
    public static <I extends @Nullable Object, O extends @Nullable Object> Activity<I, O> named(String name,
            TypeRef<O> output, Body<I, O> body) {
        return named(name, output.type(), body);
    }

    private static <I extends @Nullable Object, O extends @Nullable Object> Activity<I, O> named(String name,
            Type output, Body<I, O> body) {
        return new Activity<>(name, output, body, null, null, null, null, RetryPolicy.DEFAULT, TIMEOUT_DEFAULT,
                Set.of(), null, null, Doubts.NONE, new Limiting<>(List.of(), null));
    }

    /**
     * The key by which the outside world knows this effect: 1 to 512 bytes of UTF-8, taken as they are. It must depend on the input
     * alone.
     */
    public Activity<I, O> key(Function<I, String> newKey) {
        return new Activity<>(name, output, body, newKey, verifier, compensation, declared, retry, timeout, hopeless,
                heartbeat, elsewhere, doubts, limiting);
    }

    public Activity<I, O> verify(Verifier<I, O> newVerifier) {
        return new Activity<>(name, output, body, key, newVerifier, compensation, declared, retry, timeout, hopeless,
                heartbeat, elsewhere, doubts, limiting);
    }

    public Activity<I, O> compensate(Compensation<I, O> newCompensation) {
        return new Activity<>(name, output, body, key, verifier, newCompensation, declared, retry, timeout, hopeless,
                heartbeat, elsewhere, doubts, limiting);
    }

    /** Refuses a promise that cannot be kept. */
    public Activity<I, O> guarantee(Guarantee guarantee) {
        if (guarantee == Guarantee.TRANSACTIONAL) {
            throw new IllegalArgumentException("an activity is not transactional; use flow.transaction(…)");
        }
        return new Activity<>(name, output, body, key, verifier, compensation, guarantee, retry, timeout, hopeless,
                heartbeat, elsewhere, doubts, limiting);
    }

    public Activity<I, O> retry(RetryPolicy policy) {
        return new Activity<>(name, output, body, key, verifier, compensation, declared, policy, timeout, hopeless,
                heartbeat, elsewhere, doubts, limiting);
    }

    /** Of one attempt. */
    public Activity<I, O> timeout(Duration newTimeout) {
        if (!newTimeout.isPositive()) {
            throw new IllegalArgumentException("a time-out is positive, not " + newTimeout);
        }
        return new Activity<>(name, output, body, key, verifier, compensation, declared, retry, newTimeout,
                hopeless, heartbeat, elsewhere, doubts, limiting);
    }

    /** Errors after which another attempt would not help. */
    @SafeVarargs
    @SuppressWarnings("varargs")
    public final Activity<I, O> nonRetryable(Class<? extends Throwable>... errors) {
        return new Activity<>(name, output, body, key, verifier, compensation, declared, retry, timeout,
                Set.of(errors), heartbeat, elsewhere, doubts, limiting);
    }

    /** An attempt that is silent for so long counts as failed. */
    public Activity<I, O> heartbeat(Duration silence) {
        if (!silence.isPositive()) {
            throw new IllegalArgumentException("a heartbeat's time is positive, not " + silence);
        }
        return new Activity<>(name, output, body, key, verifier, compensation, declared, retry, timeout, hopeless,
                silence, elsewhere, doubts, limiting);
    }

    /**
     * Its code only hands the work to somebody else, who completes it with the token of the attempt, within the time-out; what the code
     * itself returns is not looked at.
     */
    public Activity<I, O> completedElsewhere() {
        return elsewhere(new Elsewhere(null));
    }

    /**
     * The same with a visibility time-out: if nobody completes it, or gives a heartbeat with the token, for so long, the work is handed
     * over once more, as often as the retry policy has attempts. It is not if it must not be done twice; what has a verifier is looked
     * up before. Whoever was handed it first may still complete it. The time-out is that of handing it over.
     */
    public Activity<I, O> completedElsewhere(Duration visibility) {
        if (!visibility.isPositive()) {
            throw new ValidationFailed("a visibility time-out is positive, not " + visibility);
        }
        return elsewhere(new Elsewhere(visibility));
    }

    private Activity<I, O> elsewhere(Elsewhere newElsewhere) {
        return new Activity<>(name, output, body, key, verifier, compensation, declared, retry, timeout, hopeless,
                heartbeat, newElsewhere, doubts, limiting);
    }

    /**
     * What becomes of it when nobody can tell whether it has happened. If a person is asked and has it taken back, the compensation is
     * given null for what it came to, and must cope with its never having happened.
     */
    public Activity<I, O> whenUnknown(WhenUnknown policy) {
        return new Activity<>(name, output, body, key, verifier, compensation, declared, retry, timeout, hopeless,
                heartbeat, elsewhere, new Doubts(policy, doubts.replay()), limiting);
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
        return new Activity<>(name, output, body, key, verifier, compensation, declared, retry, timeout, hopeless,
                heartbeat, elsewhere, new Doubts(doubts.whenUnknown(), mode), limiting);
    }

    /**
     * Lets an attempt begin only when there is room for it, in all processes of the namespace together. An attempt waits before it is
     * declared, and its time-out begins afterwards. Of an activity that is completed elsewhere only the handing over is limited.
     */
    public Activity<I, O> limit(Limit limit) {
        List<Limit> limits = new ArrayList<>(limiting.limits());
        if (limits.stream().anyMatch(limit::samePool)) {
            throw new ValidationFailed(name + " has two limits of the same kind in the pool " + limit.pool()
                    + "; keep the smaller one");
        }
        limits.add(limit);
        return limiting(new Limiting<>(List.copyOf(limits), limiting.fairBy()));
    }

    /** On whose behalf an attempt waits: in one process they take turns, however many attempts of each wait. */
    public Activity<I, O> fairBy(Function<I, String> key) {
        return limiting(new Limiting<>(limiting.limits(), key));
    }

    private Activity<I, O> limiting(Limiting<I> newLimiting) {
        return new Activity<>(name, output, body, key, verifier, compensation, declared, retry, timeout, hopeless,
                heartbeat, elsewhere, doubts, newLimiting);
    }

    Limiting<I> limiting() {
        return limiting;
    }

    WhenUnknown whenUnknown() {
        return doubts.whenUnknown();
    }

    @Nullable ReplayMode replay() {
        return doubts.replay();
    }

    public String name() {
        return name;
    }

    /** What was declared; else what follows from key and verifier, and never more than that. */
    public Guarantee guarantee() {
        if (declared != null) {
            return declared;
        }
        return key == null ? Guarantee.AT_LEAST_ONCE : Guarantee.RECONCILED;
    }

    /** Whether its effect is recorded by a key: it was given one, or what is promised of it needs one. */
    boolean keyed() {
        return key != null || guarantee() != Guarantee.AT_LEAST_ONCE;
    }

    Type output() {
        return output;
    }

    Body<I, O> body() {
        return body;
    }

    @Nullable Function<I, String> key() {
        return key;
    }

    @Nullable Verifier<I, O> verifier() {
        return verifier;
    }

    @Nullable Compensation<I, O> compensation() {
        return compensation;
    }

    RetryPolicy retry() {
        return retry;
    }

    Duration timeout() {
        return timeout;
    }

    @Nullable Duration heartbeat() {
        return heartbeat;
    }

    @Nullable Elsewhere elsewhere() {
        return elsewhere;
    }

    boolean retryable(Throwable error) {
        return hopeless.stream().noneMatch(type -> type.isInstance(error));
    }
}
