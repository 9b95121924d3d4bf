package dev.pawl;

import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Waits for the end of a workflow. Hears of what ends here at once; what ends elsewhere is looked for now and then. */
final class EndWait {

    static final Duration FOREVER = Duration.ofDays(36_500);

    /** The longest time between two looks. */
    static final long LOOK_MILLIS_MAX = 1_000;
    private static final long LOOK_MILLIS_MIN = 50;

    private final Pawl pawl;
    private final WorkflowKey key;
    private final boolean begunHere;
    private final Supplier<@Nullable WorkflowRecord> stored;

    /**
     * Has not begun to wait.
     *
     * @param begunHere its end cannot have been missed: whatever becomes of it here is heard
     * @param stored looks in the store, where it may not be yet
     */
    EndWait(Pawl pawl, WorkflowKey key, boolean begunHere, Supplier<@Nullable WorkflowRecord> stored) {
        this.pawl = pawl;
        this.key = key;
        this.begunHere = begunHere;
        this.stored = stored;
    }

    /** Until when somebody waits who waits for so long. */
    static Instant deadline(Pawl pawl, Duration timeout) {
        return pawl.clock().instant().plus(timeout.compareTo(FOREVER) > 0 ? FOREVER : timeout);
    }

    Write.CloseWorkflow await(Duration timeout, Instant deadline) {
        CompletableFuture<Write.CloseWorkflow> end = pawl.ends().await(key);
        try {
            return await(end, timeout, deadline);
        } finally {
            pawl.ends().leave(key);
        }
    }

    private Write.CloseWorkflow await(CompletableFuture<Write.CloseWorkflow> end, Duration timeout, Instant deadline) {
        String id = key.workflowId();
        long pause = begunHere && pawl.owns(id) ? LOOK_MILLIS_MAX : LOOK_MILLIS_MIN;
        while (true) {
            try {
                long left = Duration.between(pawl.clock().instant(), deadline).toMillis();
                return end.get(Math.clamp(left, 1, pause), TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                Duration rest = Duration.between(pawl.clock().instant(), deadline);
                WorkflowRecord workflow = pawl.calling("result of " + id, rest,
                        () -> Optional.ofNullable(stored.get())).orElse(null);
                Write.CloseWorkflow ended = ended(workflow);
                if (ended != null) {
                    return ended;
                }
                String parked = parked(workflow);
                if (parked != null) {
                    pawl.parkedWarnings().parked(key, parked);
                }
                if (!pawl.clock().instant().isBefore(deadline)) {
                    if (parked != null) {
                        throw new WorkflowParked(id, parked);
                    }
                    throw WorkflowError.timeout(id + " has not ended within " + timeout);
                }
                pause = pawl.owns(id) ? LOOK_MILLIS_MAX : Math.min(2 * pause, LOOK_MILLIS_MAX);
            } catch (InterruptedException e) {
                throw WorkflowError.interrupted("result of " + id, e);
            } catch (ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Why it is parked; null if it is not. */
    static @Nullable String parked(@Nullable WorkflowRecord workflow) {
        return workflow == null || workflow.status() != WorkflowStatus.PARKED ? null
                : Objects.toString(workflow.reason(), "no reason was given");
    }

    private static Write.@Nullable CloseWorkflow ended(@Nullable WorkflowRecord workflow) {
        return workflow == null || workflow.closedAt() == null ? null
                : new Write.CloseWorkflow(workflow.status(), workflow.output(), workflow.reason(), workflow.closedAt());
    }
}
