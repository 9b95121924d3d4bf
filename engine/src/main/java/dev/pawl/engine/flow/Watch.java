package dev.pawl.engine.flow;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Runs one attempt on a thread of its own, so that it can be left behind: when its time is up, or when it has been silent too long. */
final class Watch {

    private static final Duration SHORTEST = Duration.ofMillis(1);

    private final Duration timeout;
    private final @Nullable Duration silence;
    private final FlowRuntime runtime;
    private volatile Instant heard;

    /** An attempt that may say that it is still at work. */
    interface Attempt<T extends @Nullable Object> {

        T run(Runnable beat) throws Exception;
    }

    Watch(Duration timeout, @Nullable Duration silence, FlowRuntime runtime) {
        this.timeout = timeout;
        this.silence = silence;
        this.runtime = runtime;
        this.heard = runtime.clock().instant();
    }

    <T extends @Nullable Object> T run(String id, Attempt<T> attempt) throws Exception {
        CompletableFuture<T> result = new CompletableFuture<>();
        CompletableFuture<@Nullable Thread> runner = new CompletableFuture<>();
        runtime.threads().start("pawl-activity-" + id, () -> {
            runner.complete(Thread.currentThread());
            try {
                result.complete(attempt.run(() -> heard = runtime.clock().instant()));
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        });
        try {
            return await(result, runtime.clock().instant().plus(timeout));
        } catch (TimeoutException e) {
            Thread started = runner.getNow(null);
            if (started != null) {
                started.interrupt();
            }
            throw e;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    private <T extends @Nullable Object> T await(CompletableFuture<T> result, Instant deadline)
            throws TimeoutException, InterruptedException, ExecutionException {
        while (true) {
            Instant until = silence == null || deadline.isBefore(heard.plus(silence)) ? deadline : heard.plus(silence);
            Duration left = Duration.between(runtime.clock().instant(), until);
            try {
                return runtime.threads().await(result, left.isPositive() ? left : SHORTEST);
            } catch (TimeoutException e) {
                Instant now = runtime.clock().instant();
                if (!now.isBefore(deadline)) {
                    throw new TimeoutException("no answer within " + timeout);
                }
                if (silence != null && !now.isBefore(heard.plus(silence))) {
                    throw new TimeoutException("no heartbeat within " + silence);
                }
            }
        }
    }
}
