package dev.pawl.engine.flow;

import dev.pawl.engine.task.FlowThreads;
import dev.pawl.kernel.collation.Advance.Change;
import dev.pawl.kernel.workflow.ActivityRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Where the strands of an incarnation wait: the last one that runs has the incarnation hand in that all of them do. */
final class Waiting {

    private static final int ANSWERED = -1;

    private final Incarnation incarnation;
    private final Guard guard;
    private final Strands strands;
    private final Outbox outbox;
    // Under the lock.
    private final Journal journal;

    Waiting(Incarnation incarnation, Guard guard, Strands strands, Outbox outbox, Journal journal) {
        this.incarnation = incarnation;
        this.guard = guard;
        this.strands = strands;
        this.outbox = outbox;
        this.journal = journal;
    }

    /** What a strand does instead of waiting, if there is something to be done. */
    interface Handling {

        /** Returns whether anything was done; may throw what ends the wait. */
        boolean handle();
    }

    /**
     * Waits until one of the operations has been answered; begins what has to be begun first.
     *
     * @param handling what the strand does meanwhile when something has come for the code itself; returns whether it did anything
     */
    void forAnswer(Strand strand, List<Change> begins, Set<String> ids, Handling handling) {
        List<Change> pending = begins;
        while (true) {
            int noticed = guard.locked(() -> {
                strands.alive(strand);
                return answered(ids) ? ANSWERED : strands.notices();
            });
            if (noticed == ANSWERED) {
                return;
            }
            if (handling.handle()) {
                continue;
            }
            incarnation.writable();
            List<Change> beginning = pending;
            CompletableFuture<Void> wakeUp = guard.locked(() -> {
                strands.alive(strand);
                // Something may have come while the handling looked elsewhere.
                if (answered(ids) || strands.notices() != noticed) {
                    return null;
                }
                strand.atFront();
                CompletableFuture<Void> blocked = strand.block(ids);
                if (!beginning.isEmpty() || strands.noneRuns()) {
                    outbox.submit(beginning, null);
                }
                return blocked;
            });
            if (wakeUp != null) {
                pending = List.of();
                strands.join(wakeUp);
            }
        }
    }

    private boolean answered(Set<String> ids) {
        return ids.stream().anyMatch(id -> {
            ActivityRecord record = journal.get(id);
            return record != null && record.ledger().finalized();
        });
    }

    /**
     * Waits for something that is no operation: nothing of it is recorded. Looks up when there is news for the code, and when nothing
     * it does counts any more.
     */
    void forTurn(Strand strand, CompletableFuture<Void> coming, Handling handling) {
        forTurn(strand, coming, handling, null);
    }

    /** The same, but for no longer than that. */
    void forTurn(Strand strand, CompletableFuture<Void> coming, Handling handling, @Nullable Duration longest) {
        Instant until = longest == null ? null : incarnation.runtime().clock().instant().plus(longest);
        boolean late = false;
        while (!coming.isDone() && !late) {
            CompletableFuture<Void> call = strands.listen(strand);
            outbox.stopIfDraining(strand);
            if (!handling.handle()) {
                late = await(CompletableFuture.anyOf(coming, call), until);
            }
            strands.listenNoMore(strand);
        }
        strands.check(strand);
    }

    /** Whether it has not come in time. */
    private boolean await(CompletableFuture<Object> coming, @Nullable Instant until) {
        FlowThreads threads = incarnation.runtime().threads();
        if (until == null) {
            threads.await(coming);
            return false;
        }
        Duration left = Duration.between(incarnation.runtime().clock().instant(), until);
        try {
            if (left.isPositive()) {
                threads.await(coming, left);
            }
            return !left.isPositive();
        } catch (TimeoutException e) {
            return true;
        } catch (InterruptedException | ExecutionException e) {
            throw new CompletionException(e);
        }
    }

    /** Waits for branches until they are complete. */
    void forBranches(Strand parent, BooleanSupplier complete, Handling handling) {
        while (!complete.getAsBoolean()) {
            if (handling.handle()) {
                continue;
            }
            CompletableFuture<Void> wakeUp = guard.locked(() -> {
                strands.alive(parent);
                if (complete.getAsBoolean()) {
                    return CompletableFuture.completedFuture(null);
                }
                CompletableFuture<Void> blocked = parent.block(Set.of());
                if (strands.noneRuns()) {
                    outbox.submit(List.of(), null);
                }
                return blocked;
            });
            strands.join(wakeUp);
        }
    }

    /** A branch has ended; wakes its parent if that waits for nothing else. */
    void branchEnded(Strand branch, boolean wakesParent) {
        CompletableFuture<Void> waking = guard.locked(() -> {
            strands.remove(branch);
            if (strands.dead()) {
                return null;
            }
            Strand parent = branch.parent;
            if (wakesParent && parent != null && !parent.running() && !parent.detached()) {
                return parent.wake();
            }
            if (strands.noneRuns() && !branch.detached()) {
                outbox.submit(List.of(), null);
            }
            return null;
        });
        if (waking != null) {
            waking.complete(null);
        }
    }
}
