package dev.pawl;

import dev.pawl.engine.world.Ticker;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Waits for the end of a workflow. While its shard is owned here, the owner hands the end over ({@link Ends}) and the store is not read. A
 * workflow that another engine owns is looked for in the store now and then.
 */
final class EndWait {

    static final Duration FOREVER = Duration.ofDays(36_500);

    /** The longest time between two looks at a workflow that is not owned here; and between two looks at the clock. */
    static final long LOOK_MILLIS_MAX = 1_000;
    private static final long LOOK_MILLIS_MIN = 50;

    /** A workflow that is owned here is looked for so often all the same: no caller waits for ever because of a mistake in here. */
    private static final long LOOK_ANYWAY_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Pawl pawl;
    private final WorkflowKey key;
    private final long since;
    private final Supplier<@Nullable WorkflowRecord> stored;

    /**
     * Has not begun to wait.
     *
     * @param since the number of the latest end before the workflow was started here, or {@link Ends#UNKNOWN}
     * @param stored looks in the store, where it may not be yet
     */
    EndWait(Pawl pawl, WorkflowKey key, long since, Supplier<@Nullable WorkflowRecord> stored) {
        this.pawl = pawl;
        this.key = key;
        this.since = since;
        this.stored = stored;
    }

    /** When a wait that begins now and lasts so long is over. */
    static Instant deadline(Pawl pawl, Duration timeout) {
        return pawl.clock().instant().plus(timeout.compareTo(FOREVER) > 0 ? FOREVER : timeout);
    }

    Write.CloseWorkflow await(Duration timeout, Instant deadline) {
        try (Ends.Wait wait = pawl.ends().await(key, since)) {
            return await(wait, timeout, deadline);
        } catch (InterruptedException e) {
            throw WorkflowError.interrupted("result of " + key.workflowId(), e);
        }
    }

    private Write.CloseWorkflow await(Ends.Wait wait, Duration timeout, Instant deadline) throws InterruptedException {
        // Whether the end, when it comes, is certain to be handed over here.
        boolean heard = wait.end() != null || (wait.heard() && owned());
        long lookedNanos = Ticker.nanos();
        long pause = LOOK_MILLIS_MIN;
        while (true) {
            if (!heard) {
                // Before the read: what is committed here after it is heard of, and what another owner has committed before is read.
                boolean owned = owned();
                wait.looking();
                WorkflowRecord workflow = look(deadline);
                Write.CloseWorkflow found = ended(workflow);
                if (found != null) {
                    return found;
                }
                refuseLate(workflow, timeout, deadline);
                heard = owned && workflow != null;
                lookedNanos = Ticker.nanos();
            }
            Write.CloseWorkflow end = wait.end();
            if (end == null) {
                long left = Duration.between(pawl.clock().instant(), deadline).toMillis();
                wait.await(Math.clamp(left, 1, heard ? LOOK_MILLIS_MAX : pause));
                end = wait.end();
            }
            if (end != null) {
                return end;
            }
            pause = heard || wait.look() ? LOOK_MILLIS_MIN : Math.min(2 * pause, LOOK_MILLIS_MAX);
            heard &= !wait.look() && owned() && pawl.clock().instant().isBefore(deadline)
                    && Ticker.nanos() - lookedNanos < LOOK_ANYWAY_NANOS;
        }
    }

    private boolean owned() {
        return pawl.owns(key.workflowId());
    }

    private @Nullable WorkflowRecord look(Instant deadline) {
        Duration rest = Duration.between(pawl.clock().instant(), deadline);
        return pawl.calling("result of " + key.workflowId(), rest, () -> Optional.ofNullable(stored.get()))
                .orElse(null);
    }

    /** Warns of a workflow that is parked, and throws when the time is up. */
    private void refuseLate(@Nullable WorkflowRecord workflow, Duration timeout, Instant deadline) {
        String parked = parked(workflow);
        if (parked != null) {
            pawl.parkedWarnings().parked(key, parked);
        }
        if (!pawl.clock().instant().isBefore(deadline)) {
            if (parked != null) {
                throw new WorkflowParked(key.workflowId(), parked);
            }
            throw WorkflowError.timeout(key.workflowId() + " has not ended within " + timeout);
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
