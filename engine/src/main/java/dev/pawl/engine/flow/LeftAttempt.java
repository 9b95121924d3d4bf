package dev.pawl.engine.flow;

import dev.pawl.kernel.collation.Advance;
import dev.pawl.kernel.message.Payload;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The run of a plain step that an earlier incarnation in this process has begun and not recorded: it is waited for, not repeated. */
final class LeftAttempt {

    private final Scope scope;
    private final LeftRuns.Run run;

    private LeftAttempt(Scope scope, LeftRuns.Run run) {
        this.scope = scope;
        this.run = run;
    }

    /** Null if there is none, or if the code asks for something else now. */
    static @Nullable LeftAttempt find(Scope scope, String id, Payload header) {
        LeftRuns.Run run = scope.runtime().leftRuns().find(scope.incarnation().workflow(), id);
        return run == null || !run.declaration().input().equals(header) ? null : new LeftAttempt(scope, run);
    }

    /** What declares it, if that has to be. */
    Advance.Begin declaration() {
        return run.declaration();
    }

    /** Its end is recorded. */
    void forget() {
        scope.runtime().leftRuns().remove(scope.incarnation().key(), run);
    }

    /** Takes it over, and returns how it has ended; null if it has not begun, or cannot say. */
    @Nullable AttemptOutcome outcome() {
        Interruption interruption = scope.interruption(null);
        CompletableFuture<Void> unused = interruption.request()
                .thenRun(() -> run.interruption().stop(String.valueOf(interruption.reason())));
        CompletableFuture<Void> over = scope.incarnation().attempts().takeOver(scope, run, interruption);
        forget();
        // Like an attempt that this incarnation has begun itself: an engine that stops lets it come to its end, and records that.
        scope.runtime().threads().await(over);
        scope.checkAlive();
        AttemptOutcome outcome = run.end().join();
        return outcome instanceof AttemptOutcome.NotBegun || outcome instanceof AttemptOutcome.Lost ? null : outcome;
    }
}
