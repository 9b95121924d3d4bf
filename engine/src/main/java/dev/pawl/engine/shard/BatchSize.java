package dev.pawl.engine.shard;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * How many bundles the next commits may hold: as many as allowed, until a batch fails. Then it is taken apart, so that the bundle at
 * fault soon stands alone and its neighbours go on together. Not thread-safe; owned by one shard loop.
 */
final class BatchSize {

    private final int max;
    private final Deque<Integer> planned = new ArrayDeque<>();

    BatchSize(int max) {
        this.max = max;
    }

    int next() {
        return planned.isEmpty() ? max : planned.getFirst();
    }

    void through() {
        planned.poll();
    }

    /** The store says which one it was: those before it, then that one, then those after it. */
    void rejected(int bundle, int bundles) {
        int bad = Math.min(bundle, bundles - 1);
        planned.poll();
        plan(bundles - bad - 1);
        plan(1);
        plan(bad);
    }

    /** One of them is at fault, and nobody knows which: one half, then the other. */
    void halve(int bundles) {
        planned.poll();
        plan(bundles - bundles / 2);
        plan(bundles / 2);
    }

    /** The one that has just failed comes again, and still alone. */
    void alone() {
        planned.poll();
        plan(1);
    }

    private void plan(int bundles) {
        if (bundles > 0) {
            planned.addFirst(bundles);
        }
    }
}
