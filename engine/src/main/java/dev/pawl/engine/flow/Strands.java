package dev.pawl.engine.flow;

import dev.pawl.engine.task.FlowHost;
import dev.pawl.engine.task.FlowThreads;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The strands of one incarnation, and whether what they do still counts.
 *
 * <p>The futures that let a strand run are handed to the caller, who completes them when he does not hold the lock any more.
 */
final class Strands {

    static final String LOST = "another branch has won";

    private final Guard guard;
    private final FlowThreads threads;
    private final Strand main;
    // Under the lock, and so is what is in a strand.
    private final List<Strand> all = new ArrayList<>();
    /** Of strands that wait for something that is no operation: what has them look up. */
    private final Map<Strand, CompletableFuture<Void>> calls = new LinkedHashMap<>();
    private @Nullable String dead;
    /** How often something has come that ends waits. */
    private int notices;

    Strands(Guard guard, FlowThreads threads, FlowHost.Recovery recovery) {
        this.guard = guard;
        this.threads = threads;
        this.main = new Strand(null, recovery);
        all.add(main);
    }

    Strand main() {
        return main;
    }

    /** Nothing any of them does counts from now on; false if that was so before. Under the lock. */
    boolean die(String why) {
        guard.require();
        if (dead != null) {
            return false;
        }
        dead = why;
        return true;
    }

    /** Under the lock. */
    boolean dead() {
        guard.require();
        return dead != null;
    }

    /** Ends the strand if what it does does not count any more. Under the lock. */
    void alive(Strand strand) {
        guard.require();
        if (dead != null) {
            throw new Unwound(dead);
        }
        if (strand.detached()) {
            throw new Unwound(LOST);
        }
    }

    /** The same for who does nothing else under the lock. */
    void check(Strand strand) {
        guard.run(() -> alive(strand));
    }

    /** Something has come that ends waits: who is about to wait looks again. Under the lock. */
    void notice() {
        guard.require();
        notices++;
    }

    /** Under the lock. */
    int notices() {
        guard.require();
        return notices;
    }

    /** Whether one of them may come to a step that was under way before, and of which nothing is recorded. Under the lock. */
    boolean uncertain() {
        guard.require();
        return all.stream().anyMatch(strand -> strand.recovery() == FlowHost.Recovery.UNCLEAN);
    }

    /** Under the lock. */
    boolean noneRuns() {
        guard.require();
        for (Strand strand : all) {
            if (strand.running()) {
                return false;
            }
        }
        return true;
    }

    /** The threads of those that run. */
    List<Thread> threads() {
        return guard.locked(() -> all.stream().filter(Strand::running).map(Strand::thread).filter(Objects::nonNull)
                .map(Objects::requireNonNull).toList());
    }

    /** Has some of them run again. Under the lock. */
    List<CompletableFuture<Void>> wake(Predicate<Strand> which) {
        guard.require();
        List<CompletableFuture<Void>> waking = new ArrayList<>();
        for (Strand strand : all) {
            if (which.test(strand)) {
                waking.add(strand.wake());
            }
        }
        return waking;
    }

    /** New ones, for branches. */
    List<Strand> fork(Strand parent, int count) {
        return guard.locked(() -> {
            alive(parent);
            List<Strand> forked = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                forked.add(new Strand(parent, parent.recovery()));
            }
            all.addAll(forked);
            return forked;
        });
    }

    /** A branch has come to its end. Under the lock. */
    void remove(Strand branch) {
        guard.require();
        branch.end();
        all.remove(branch);
    }

    /** The main thread has ended, whatever for. */
    void stopped() {
        guard.run(main::end);
    }

    /**
     * Branches that have lost end where they next touch their context.
     *
     * @param paths of the branches that have lost
     * @return waits for signals whose signals they have not used, with their topics
     */
    Map<String, String> detach(Strand parent, List<Strand> losers, List<String> paths) {
        Map<String, String> unused = new LinkedHashMap<>();
        List<CompletableFuture<Void>> waking = guard.locked(() -> {
            List<Strand> lost = all.stream()
                    .filter(strand -> losers.stream().anyMatch(loser -> loser == strand || descends(strand, loser)))
                    .toList();
            for (String path : paths) {
                unused.putAll(parent.takeUnused(path));
                lost.forEach(strand -> unused.putAll(strand.takeUnused(path)));
            }
            lost.forEach(Strand::detach);
            return wake(lost::contains);
        });
        waking.forEach(each -> each.completeExceptionally(new Unwound(LOST)));
        call();
        return unused;
    }

    /** A branch is at its end: what it has not used, its parent has not used. */
    void handUp(Strand branch) {
        guard.run(branch::handUp);
    }

    /** Has strands look up that wait for branches. Under the lock. */
    List<CompletableFuture<Void>> wakeParents() {
        return wake(strand -> strand.awaitsBranches() && !strand.detached());
    }

    private static boolean descends(Strand strand, Strand ancestor) {
        for (Strand each = strand.parent; each != null; each = each.parent) {
            if (each == ancestor) {
                return true;
            }
        }
        return false;
    }

    /** What has the strand look up, if it waits for something that is no operation. */
    CompletableFuture<Void> listen(Strand strand) {
        CompletableFuture<Void> call = new CompletableFuture<>();
        guard.run(() -> {
            alive(strand);
            calls.put(strand, call);
        });
        return call;
    }

    void listenNoMore(Strand strand) {
        guard.run(() -> calls.remove(strand));
    }

    /** Has all look up that listen. */
    void call() {
        List<CompletableFuture<Void>> called = guard.locked(() -> {
            List<CompletableFuture<Void>> listening = List.copyOf(calls.values());
            calls.clear();
            return listening;
        });
        called.forEach(each -> each.complete(null));
    }

    /** Blocks the thread it is called on; ends it if what it waits for will never be. */
    void join(CompletableFuture<Void> coming) {
        try {
            threads.await(coming);
        } catch (CompletionException e) {
            if (e.getCause() instanceof Unwound unwound) {
                throw new Unwound(String.valueOf(unwound.getMessage()));
            }
            throw e;
        }
    }
}
