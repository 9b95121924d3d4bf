package dev.pawl.engine.flow;

import dev.pawl.engine.task.FlowHost.Recovery;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One thread of a flow's code: the main one, or that of a branch. Guarded by its incarnation. */
final class Strand {

    /** How many operations of the code it is in, one inside the other; for its own thread. */
    int inside;

    /** Null for the main one. */
    final @Nullable Strand parent;
    private Set<String> awaited = Set.of();
    private CompletableFuture<Void> wakeUp = CompletableFuture.completedFuture(null);
    private boolean running = true;
    private boolean ended;
    /** Lost a race: nothing it does counts any more. */
    private boolean detached;
    /** Waits for signals since which the code has done nothing else, with their topics: what they have got, it has not used. */
    private final Map<String, String> unused = new LinkedHashMap<>();
    /** It has used signals in a branch, and nothing it has recorded since says so. */
    private boolean usesSignals;
    /** What has begun its incarnation, until it is where its code has never been further. */
    private Recovery recovery;
    /** The one that runs it. */
    private volatile @Nullable Thread thread;

    Strand(@Nullable Strand parent, Recovery recovery) {
        this.parent = parent;
        this.recovery = recovery;
    }

    Recovery recovery() {
        return recovery;
    }

    /** It is where its code has never been further: no step that it comes to after this was under way before. */
    void atFront() {
        recovery = Recovery.NONE;
    }

    /**
     * It has come to a plain step.
     *
     * @return whether the step has to be declared before it runs, if nothing is recorded of it
     */
    boolean comesToStep() {
        boolean declares = recovery != Recovery.NONE || usesSignals;
        usesSignals = false;
        return declares;
    }

    void runsOn(Thread newThread) {
        thread = newThread;
    }

    @Nullable Thread thread() {
        return thread;
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

    boolean waits() {
        return !running && !ended && !detached();
    }

    boolean awaits(String operation) {
        return !running && awaited.contains(operation);
    }

    /** Waits for branches, and for no operation. */
    boolean awaitsBranches() {
        return !running && !ended && awaited.isEmpty();
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

    /** Waits for a signal, or has got it. */
    void waitsFor(String hook, String topic) {
        unused.put(hook, topic);
    }

    /** Does something else now: whatever it has got, it may act on. */
    void goesOn() {
        usesSignals |= parent != null && !unused.isEmpty();
        unused.clear();
    }

    /** What is unused in a branch is unused by the code that waits for the branch. */
    void handUp() {
        if (parent != null && !detached()) {
            parent.unused.putAll(unused);
            unused.clear();
        }
    }

    /** What it has not used of the operations that begin so; it is not its own any more. */
    Map<String, String> takeUnused(String path) {
        Map<String, String> taken = new LinkedHashMap<>(unused);
        taken.keySet().removeIf(hook -> !hook.startsWith(path));
        unused.keySet().removeAll(taken.keySet());
        return taken;
    }

    void end() {
        ended = true;
        running = false;
        awaited = Set.of();
    }
}
