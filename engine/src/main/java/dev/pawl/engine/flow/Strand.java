package dev.pawl.engine.flow;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One thread of a flow's code: the main one, or that of a branch. Guarded by its incarnation. */
final class Strand {

    /** Null for the main one. */
    final @Nullable Strand parent;
    private Set<String> awaited = Set.of();
    private CompletableFuture<Void> wakeUp = CompletableFuture.completedFuture(null);
    private boolean running = true;
    /** Lost a race: nothing it does counts any more. */
    private boolean detached;

    Strand(@Nullable Strand parent) {
        this.parent = parent;
    }

    boolean running() {
        return running && !detached;
    }

    boolean detached() {
        return detached || (parent != null && parent.detached());
    }

    void detach() {
        detached = true;
    }

    boolean awaits(String operation) {
        return !running && awaited.contains(operation);
    }

    /** Waits from now on, until it is woken. */
    CompletableFuture<Void> block(Set<String> operations) {
        awaited = operations;
        running = false;
        wakeUp = new CompletableFuture<>();
        return wakeUp;
    }

    /** The future to complete, outside of any lock. */
    CompletableFuture<Void> wake() {
        running = true;
        return wakeUp;
    }

    void end() {
        running = false;
        awaited = Set.of();
    }
}
