package dev.pawl.engine.flow;

import dev.pawl.kernel.workflow.Effect;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The request to one attempt to stop: interrupts the thread of its user code, and lets its heartbeat throw. It comes at most once, and may
 * come before the code has begun: then the code does not begin. Safe for use by many threads.
 */
final class Interruption {

    private final Strand strand;
    private final boolean shielded;
    private final CompletableFuture<Void> request = new CompletableFuture<>();
    private final CompletableFuture<@Nullable Effect> known = new CompletableFuture<>();
    private final @Nullable Function<AttemptOutcome, @Nullable Effect> settling;
    // Under its own lock.
    private @Nullable String reason;
    private @Nullable OperationBody<?> body;

    /**
     * Has not come yet.
     *
     * @param shielded whether it never comes
     * @param settling says what is known of the effect of an attempt that has ended; null if it has no effect that is recorded
     */
    Interruption(Strand strand, boolean shielded, @Nullable Function<AttemptOutcome, @Nullable Effect> settling) {
        this.strand = strand;
        this.shielded = shielded;
        this.settling = settling;
    }

    Strand strand() {
        return strand;
    }

    boolean shielded() {
        return shielded;
    }

    /** Interrupts the user code, or keeps it from beginning. */
    void stop(String why) {
        OperationBody<?> running;
        synchronized (this) {
            if (reason != null) {
                return;
            }
            reason = why;
            running = body;
        }
        if (running != null) {
            running.interrupt();
        }
        request.complete(null);
    }

    /** The code to interrupt. */
    void of(OperationBody<?> newBody) {
        boolean late;
        synchronized (this) {
            body = newBody;
            late = reason != null;
        }
        if (late) {
            newBody.interrupt();
        }
    }

    /** Complete when it has come. */
    CompletableFuture<Void> request() {
        return request;
    }

    synchronized @Nullable String reason() {
        return reason;
    }

    /** For user code that gives a heartbeat. */
    void check() {
        String why = reason();
        if (why != null) {
            throw new ActivityCancelled(why);
        }
    }

    /** The last thing before user code begins. */
    void checkBeforeBeginning() throws NothingHappened {
        String why = reason();
        if (why != null) {
            throw new NothingHappened("it had not begun", new ActivityCancelled(why));
        }
    }

    /** Whether there is something to be known of an effect when the attempt has ended. */
    boolean keyed() {
        return settling != null;
    }

    /** The attempt has ended. */
    void over(AttemptOutcome outcome) {
        known.complete(settling == null ? null : settling.apply(outcome));
    }

    /** What is known of the effect, as soon as the attempt has ended; null if there is nothing to say. */
    CompletableFuture<@Nullable Effect> known() {
        return known;
    }
}
