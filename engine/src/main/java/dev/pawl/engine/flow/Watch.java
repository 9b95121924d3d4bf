package dev.pawl.engine.flow;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Waits for the user code of one attempt, and leaves it behind when its time is up, or when it has been silent too long. Its time begins
 * when it has a thread.
 */
final class Watch {

    private static final Duration SHORTEST = Duration.ofMillis(1);

    private final Duration timeout;
    private final @Nullable Duration silence;
    private final FlowRuntime runtime;
    private volatile @Nullable Instant heard;

    /** An attempt that may say that it is still at work. */
    interface Attempt<T extends @Nullable Object> {

        T run(Runnable beat) throws Exception;
    }

    Watch(Duration timeout, @Nullable Duration silence, FlowRuntime runtime) {
        this.timeout = timeout;
        this.silence = silence;
        this.runtime = runtime;
    }

    <T extends @Nullable Object> T run(OperationBody.Job job, Place place, Interruption interruption,
            Attempt<T> attempt) throws Exception {
        OperationBody<T> body = runtime.bodies().start(job, place, () -> {
            interruption.checkBeforeBeginning();
            return attempt.run(() -> {
                heard = runtime.clock().instant();
                interruption.check();
            });
        });
        interruption.of(body);
        OperationBody.End<T> end;
        try {
            end = await(body, interruption);
        } catch (TimeoutException e) {
            body.interrupt();
            throw e;
        }
        // An error of an activity is one of its failures; nothing of the flow is broken by it.
        if (end.failure() instanceof Error error) {
            throw new ExecutionException(error);
        }
        return end.get();
    }

    private <T extends @Nullable Object> OperationBody.End<T> await(OperationBody<T> body, Interruption interruption)
            throws TimeoutException, InterruptedException, ExecutionException {
        Instant stopped = null;
        while (!body.end().isDone()) {
            Instant until = until(body.since());
            if (stopped == null && interruption.request().isDone()) {
                stopped = runtime.clock().instant();
            }
            Instant over = stopped == null ? until : stopped.plus(runtime.cancelGrace());
            Duration left = Duration.between(runtime.clock().instant(), over.isBefore(until) ? over : until);
            CompletableFuture<?> coming = stopped == null ? CompletableFuture.anyOf(body.end(), interruption.request())
                    : body.end();
            try {
                runtime.threads().await(coming, left.isPositive() ? left : SHORTEST);
            } catch (TimeoutException e) {
                check(body.since());
                if (stopped != null && !runtime.clock().instant().isBefore(over)) {
                    throw Bodies.unstopped(interruption, runtime.cancelGrace());
                }
            }
        }
        return body.end().get();
    }

    /** When to look: at the end of its time, or when it will have been silent too long. */
    private Instant until(@Nullable Instant since) {
        Instant begun = since == null ? runtime.clock().instant() : since;
        Instant deadline = begun.plus(timeout);
        Instant silent = silence == null ? deadline : lastHeard(begun).plus(silence);
        return silent.isBefore(deadline) ? silent : deadline;
    }

    private Instant lastHeard(Instant begun) {
        Instant last = heard;
        return last == null ? begun : last;
    }

    private void check(@Nullable Instant since) throws TimeoutException {
        if (since == null) {
            return;
        }
        Instant now = runtime.clock().instant();
        if (!now.isBefore(since.plus(timeout))) {
            throw new TimeoutException("no answer within " + timeout);
        }
        if (silence != null && !now.isBefore(lastHeard(since).plus(silence))) {
            throw new TimeoutException("no heartbeat within " + silence);
        }
    }
}
