package dev.pawl.engine.flow;

import dev.pawl.engine.flow.Waiting.Handling;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Branches side by side, each with a context of its own on a thread of its own. */
final class Fork<A extends @Nullable Object, T extends @Nullable Object> {

    private static final int NOBODY = -1;

    private final Scope scope;
    private final Incarnation incarnation;
    private final Strand parent;
    private final String id;
    private final List<A> items;
    private final FlowContext.ItemBranch<A, T> branch;
    private final List<@Nullable Outcome<T>> outcomes;

    /** What a branch came to. */
    private record Outcome<T extends @Nullable Object>(@Nullable T result, @Nullable Throwable failure) {
    }

    Fork(Scope scope, String id, List<A> items, FlowContext.ItemBranch<A, T> branch) {
        this.scope = scope;
        this.incarnation = scope.incarnation();
        this.parent = scope.strand();
        this.id = id;
        this.items = items;
        this.branch = branch;
        this.outcomes = Collections.synchronizedList(new ArrayList<>(Collections.nCopies(items.size(), null)));
    }

    /** Where the operations of a branch are. */
    String path(int item) {
        return id + "." + item + ":";
    }

    /** Runs all of them, so many at a time, and waits for all of them. */
    List<T> all(int atOnce, Handling handling) {
        AtomicInteger next = new AtomicInteger();
        List<Strand> strands = incarnation.strands().fork(parent, Math.min(atOnce, items.size()));
        AtomicInteger left = new AtomicInteger(strands.size());
        for (Strand strand : strands) {
            start(strand, () -> {
                for (int item = next.getAndIncrement(); item < items.size(); item = next.getAndIncrement()) {
                    run(strand, item);
                }
            }, () -> left.decrementAndGet() == 0);
        }
        incarnation.waiting().forBranches(parent, () -> left.get() == 0, handling);
        outcomes.forEach(Fork::requireEnded);
        List<T> results = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            results.add(result(i));
        }
        return results;
    }

    /**
     * A branch that was stopped, by an engine that drains for example, runs again later. Until then it has not won, and the failure of another
     * one must not end the whole.
     */
    private static void requireEnded(@Nullable Outcome<?> outcome) {
        if (outcome == null) {
            throw new Unwound("a branch was cut off");
        }
        if (outcome.failure() instanceof Unwound unwound) {
            throw unwound;
        }
    }

    /**
     * Runs all of them, and waits for the first. The others are cut off, but not before they stand where they stood when the code ran
     * before: only then it is known what they have used.
     */
    Won first(Handling handling) {
        AtomicInteger winner = new AtomicInteger(NOBODY);
        List<Strand> strands = incarnation.strands().fork(parent, items.size());
        for (int i = 0; i < strands.size(); i++) {
            int item = i;
            start(strands.get(i), () -> run(strands.get(item), item),
                    () -> winner.compareAndSet(NOBODY, item));
        }
        incarnation.waiting().forBranches(parent, () -> winner.get() != NOBODY && othersCaughtUp(winner.get()),
                handling);
        requireEnded(outcomes.get(winner.get()));
        // While the losers still count: what they run is declared if the shard is handed over before the race is decided.
        scope.stopIfDraining();
        List<Strand> losers = new ArrayList<>(strands);
        losers.remove(winner.get());
        List<String> lost = otherPaths(winner.get());
        Map<String, String> unused = incarnation.strands().detach(parent, losers, lost);
        Map<String, Interruption> running = incarnation.attempts().on(Strand::detached);
        // Branches of other races may have lost at the same time.
        running.keySet().removeIf(operation -> lost.stream().noneMatch(operation::startsWith));
        return new Won(winner.get(), unused, running);
    }

    /**
     * Which branch has won.
     *
     * @param unused the waits of the others whose signals they have not used, with their topics
     * @param running the attempts of the others that still run, by their operations
     */
    record Won(int branch, Map<String, String> unused, Map<String, Interruption> running) {
    }

    private boolean othersCaughtUp(int winner) {
        return otherPaths(winner).stream().allMatch(incarnation.progress()::caughtUp);
    }

    private List<String> otherPaths(int winner) {
        return IntStream.range(0, items.size()).filter(item -> item != winner).mapToObj(this::path).toList();
    }

    /** Runs the one that is known to have won. */
    T only(int item) {
        run(parent, item);
        return result(item);
    }

    private void start(Strand strand, Runnable code, java.util.function.BooleanSupplier wakesParent) {
        incarnation.runtime().threads().start("pawl-flow-" + id, () -> {
            try {
                code.run();
            } finally {
                incarnation.waiting().branchEnded(strand, wakesParent.getAsBoolean());
            }
        });
    }

    private void run(Strand strand, int item) {
        try {
            T result = branch.run(new StrandContext(scope.branch(strand, path(item))), items.get(item));
            incarnation.progress().ended(path(item));
            outcomes.set(item, new Outcome<>(result, null));
        } catch (Throwable e) {
            outcomes.set(item, new Outcome<>(null, e));
        }
        if (strand != parent) {
            incarnation.strands().handUp(strand);
        }
    }

    @SuppressWarnings("NullAway") // Null is a result like any other.
    T result(int item) {
        Outcome<T> outcome = outcomes.get(item);
        if (outcome == null) {
            throw new Unwound("a branch was cut off");
        }
        if (outcome.failure() instanceof Error error) {
            throw error;
        }
        if (outcome.failure() != null) {
            throw BranchFailed.of(outcome.failure());
        }
        return outcome.result();
    }
}
