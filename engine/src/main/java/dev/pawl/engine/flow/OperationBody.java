package dev.pawl.engine.flow;

import dev.pawl.kernel.id.WorkflowKey;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The user code of one attempt, which runs once, on a thread that may be used for others afterwards: so it is interrupted only while it
 * runs, and leaves no interrupt behind. Safe for use by many threads.
 */
final class OperationBody<T extends @Nullable Object> implements Runnable {

    private final Bodies bodies;
    private final Job job;
    private final Place place;
    private final StepFunction<T> function;
    private final CompletableFuture<End<T>> end = new CompletableFuture<>();
    private volatile @Nullable Instant since;
    private @Nullable Thread thread;

    /** Whose code it is; one with a heartbeat says itself that it is at work. */
    record Job(WorkflowKey workflow, String operation, RunningOperation.Kind kind, int attempt, boolean beats) {
    }

    /** How it ended: a value, or what it threw. */
    record End<T extends @Nullable Object>(@Nullable T value, @Nullable Throwable failure) {

        /** The value; an error is thrown as it is. */
        @SuppressWarnings("NullAway") // Null is a value like any other.
        T get() throws Exception {
            switch (failure) {
                case null -> {
                    return value;
                }
                case Error error -> throw error;
                case Exception exception -> throw exception;
                case Throwable other -> throw new IllegalStateException(other);
            }
        }
    }

    OperationBody(Bodies bodies, Job job, Place place, StepFunction<T> function) {
        this.bodies = bodies;
        this.job = job;
        this.place = place;
        this.function = function;
    }

    @Override
    public void run() {
        synchronized (this) {
            thread = Thread.currentThread();
        }
        since = bodies.now();
        End<T> ended;
        try {
            ended = new End<>(function.run(), null);
        } catch (Throwable e) {
            ended = new End<>(null, e);
        }
        synchronized (this) {
            thread = null;
        }
        // Of this body, whether it was for a time-out or the code has set it: the next one on this thread begins without it.
        Thread.interrupted();
        bodies.ended(this);
        place.leave();
        end.complete(ended);
    }

    synchronized void interrupt() {
        if (thread != null) {
            thread.interrupt();
        }
    }

    CompletableFuture<End<T>> end() {
        return end;
    }

    Job job() {
        return job;
    }

    Place place() {
        return place;
    }

    /** Null before it has begun. */
    @Nullable Instant since() {
        return since;
    }

    /** Null unless it runs. */
    synchronized @Nullable Thread thread() {
        return thread;
    }

    RunningOperation described() {
        return new RunningOperation(job.workflow().namespace(), job.workflow().workflowId(), job.operation(),
                job.kind(), job.attempt(), since);
    }
}
