package dev.pawl.engine.flow;

import dev.pawl.engine.task.FlowThreads;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The user code of operations that runs in this process: hands it to its threads, and knows what is under way. The code of a flow waits
 * meanwhile on its virtual thread, and holds nobody up. Safe for use by many threads.
 */
final class Bodies {

    private final InstantSource clock;
    private final FlowThreads threads;
    private final Places places;
    private final Set<OperationBody<?>> running = ConcurrentHashMap.newKeySet();

    Bodies(InstantSource clock, FlowThreads threads, int max) {
        this.clock = clock;
        this.threads = threads;
        this.places = new Places(max);
    }

    /**
     * Waits for a place.
     *
     * @param optional whether the attempt need not be if the flow is to end
     */
    Place enter(Scope scope, boolean optional) {
        scope.checkWritable();
        Place place = places.enter();
        if (place.turn().isDone()) {
            return place;
        }
        boolean entered = false;
        try {
            scope.await(place.turn(), optional);
            entered = true;
            return place;
        } finally {
            if (!entered) {
                place.giveBack();
            }
        }
    }

    /** Has it run on a thread for that. */
    <T extends @Nullable Object> OperationBody<T> start(OperationBody.Job job, Place place, StepFunction<T> function) {
        OperationBody<T> body = body(job, place, function);
        try {
            threads.work(body);
        } catch (RejectedExecutionException e) {
            // The process closes: it has not begun.
            ended(body);
            place.leave();
            throw new LeaseLapsed();
        }
        return body;
    }

    /** The same, and waits for its end; if it is stopped, not for longer than so. */
    <T extends @Nullable Object> T run(OperationBody.Job job, Place place, Interruption interruption, Duration grace,
            StepFunction<T> function) throws Exception {
        OperationBody<T> body = start(job, place, () -> {
            interruption.checkBeforeBeginning();
            return function.run();
        });
        interruption.of(body);
        threads.await(CompletableFuture.anyOf(body.end(), interruption.request()));
        try {
            return threads.await(body.end(), grace).get();
        } catch (TimeoutException e) {
            throw unstopped(interruption, grace);
        }
    }

    /** Of an attempt that was stopped and still runs. */
    static ActivityCancelled unstopped(Interruption interruption, Duration grace) {
        return new ActivityCancelled("stopped (" + interruption.reason() + "), but still at work " + grace + " later");
    }

    /** The same for what is not stopped, and waits for its end. */
    <T extends @Nullable Object> T run(OperationBody.Job job, Place place, StepFunction<T> function) throws Exception {
        return threads.await(start(job, place, function).end()).get();
    }

    /** On the thread it is called on, which may be blocked. */
    <T extends @Nullable Object> T runHere(OperationBody.Job job, Place place, StepFunction<T> function)
            throws Exception {
        OperationBody<T> body = body(job, place, function);
        body.run();
        return body.end().join().get();
    }

    private <T extends @Nullable Object> OperationBody<T> body(OperationBody.Job job, Place place,
            StepFunction<T> function) {
        OperationBody<T> body = new OperationBody<>(this, job, place, function);
        place.take();
        running.add(body);
        return body;
    }

    void ended(OperationBody<?> body) {
        running.remove(body);
    }

    Instant now() {
        return clock.instant();
    }

    Places places() {
        return places;
    }

    Set<OperationBody<?>> running() {
        return running;
    }

    List<RunningOperation> described() {
        return running.stream().map(OperationBody::described).toList();
    }
}
