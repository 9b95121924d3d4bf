package dev.pawl.engine.flow;

import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many operations run their user code at a time in this process. An attempt waits for its place before it is declared: nothing of it
 * has happened then. Safe for use by many threads.
 *
 * <p>The limit gives way rather than let everything stand still: user code may wait for other workflows, whose operations wait for a
 * place. When nothing has ended between two looks and something waits, there is one place more.
 */
final class Places {

    private static final CompletableFuture<Void> NOW = CompletableFuture.completedFuture(null);

    private final int max;
    private final AtomicInteger used = new AtomicInteger();
    private final AtomicInteger extra = new AtomicInteger();
    private final Queue<CompletableFuture<Void>> waiting = new ConcurrentLinkedQueue<>();
    /** Whether one was left since the last look. */
    private volatile boolean moved;

    Places(int max) {
        if (max < 1) {
            throw new IllegalArgumentException("at least one operation at a time, but workersMax is " + max);
        }
        this.max = max;
    }

    /** A place, at once or later; to be left in any case. */
    Place enter() {
        if (take()) {
            return new Place(this, NOW);
        }
        CompletableFuture<Void> turn = new CompletableFuture<>();
        waiting.add(turn);
        grant();
        return new Place(this, turn);
    }

    private boolean take() {
        while (true) {
            int now = used.get();
            if (now >= max + extra.get()) {
                return false;
            }
            if (used.compareAndSet(now, now + 1)) {
                return true;
            }
        }
    }

    private void grant() {
        while (!waiting.isEmpty() && take()) {
            CompletableFuture<Void> next = waiting.poll();
            if (next == null || !next.complete(null)) {
                used.decrementAndGet();
            }
        }
    }

    void left(CompletableFuture<Void> turn) {
        if (turn.cancel(false)) {
            // It was never there; who grants the next one passes it over.
            return;
        }
        used.decrementAndGet();
        if (!moved) {
            moved = true;
        }
        if (!waiting.isEmpty()) {
            grant();
        }
    }

    int used() {
        return used.get();
    }

    int waiting() {
        return (int) waiting.stream().filter(each -> !each.isDone()).count();
    }

    /** To be called again and again, with pauses that are long for an operation. */
    void look() {
        if (waiting() == 0) {
            extra.set(0);
        } else if (!moved) {
            extra.incrementAndGet();
            grant();
        }
        moved = false;
    }
}
