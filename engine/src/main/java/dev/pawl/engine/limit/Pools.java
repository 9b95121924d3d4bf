package dev.pawl.engine.limit;

import dev.pawl.engine.store.PoolUse;
import dev.pawl.engine.store.SlotHolder;
import dev.pawl.engine.store.SlotPool;
import dev.pawl.engine.store.Slots;
import dev.pawl.engine.task.FlowThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Those in this process who wait for slots or have some. The slots themselves are rows of the store's; who waits is known here alone,
 * and forgotten with the process: whoever waited has done nothing yet. Safe for use by many threads.
 */
public final class Pools {

    private final String process;
    private final Slots store;
    private final FlowThreads threads;
    private final Duration ttl;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Place, Line> lines = new LinkedHashMap<>();
    private final Keeper keeper;
    private long asked;
    private boolean closed;

    private record Place(String namespace, List<SlotPool> pools) {
    }

    /**
     * A pool as it is now.
     *
     * @param held how many slots of it are held, wherever
     * @param waiting how many wait for one in this process
     */
    public record Use(String pool, SlotPool.Kind kind, int max, int held, int waiting) {
    }

    /**
     * Nobody waits yet.
     *
     * @param process what this process is called, different from every other one
     * @param ttl how long a slot stays with a process that does not prolong it
     * @param renewEvery how often it is prolonged
     */
    public Pools(String process, Slots store, FlowThreads threads, Duration ttl, Duration renewEvery) {
        this.process = process;
        this.store = store;
        this.threads = threads;
        this.ttl = ttl;
        this.keeper = new Keeper(this, ttl, renewEvery);
    }

    /** How long a slot is held that is not prolonged. */
    public Duration ttl() {
        return ttl;
    }

    /**
     * Joins those who wait for slots in all of these pools.
     *
     * @param who what for, to be shown
     * @param fairKey keys take turns, whoever waits for how many slots
     */
    public SlotWait join(String namespace, List<SlotPool> pools, String who, String fairKey) {
        return locked(() -> {
            lines.values().removeIf(Line::idle);
            return lines.computeIfAbsent(new Place(namespace, pools), place -> new Line(this, namespace, pools))
                    .join(new SlotHolder(who + "@" + process + "#" + ++asked, fairKey));
        });
    }

    /** The pools of a namespace, by name and kind. */
    public List<Use> uses(String namespace) {
        List<Use> uses = new ArrayList<>();
        for (PoolUse use : store.pools(namespace)) {
            SlotPool pool = use.pool();
            int waiting = locked(() -> lines.values().stream().filter(line -> line.namespace().equals(namespace))
                    .mapToInt(line -> line.waiting(pool.name(), pool.kind())).sum());
            uses.add(new Use(pool.name(), pool.kind(), pool.max(), use.held(), waiting));
        }
        return uses;
    }

    /** How many slots were lost here because they were not prolonged in time. */
    public long lost() {
        return keeper.lost();
    }

    /** Whether everything that is not needed any more was given back. */
    public boolean settled() {
        return keeper.settled();
    }

    /** Asks for nothing any more, and prolongs nothing: what is still held runs out. */
    public void close() {
        List<Line> all = locked(() -> {
            closed = true;
            return List.copyOf(lines.values());
        });
        all.forEach(Line::nudge);
        keeper.close();
    }

    String process() {
        return process;
    }

    Keeper keeper() {
        return keeper;
    }

    /** Only under the lock. */
    boolean closed() {
        return closed;
    }

    void nudge(String namespace) {
        List<Line> all = locked(() -> lines.values().stream().filter(line -> line.namespace().equals(namespace))
                .toList());
        all.forEach(Line::nudge);
    }

    void start(String name, Runnable code) {
        threads.start(name, code);
    }

    /** Asks the store, on a thread that may wait for it. Null if there was no answer. */
    <T> @Nullable T ask(Function<Slots, T> question) {
        CompletableFuture<@Nullable T> answer = new CompletableFuture<>();
        try {
            threads.beside(() -> {
                try {
                    answer.complete(question.apply(store));
                } catch (RuntimeException e) {
                    answer.completeExceptionally(e);
                } finally {
                    // Whatever else went wrong: somebody waits.
                    answer.complete(null);
                }
            });
            return threads.await(answer);
        } catch (CompletionException | RejectedExecutionException e) {
            return null;
        }
    }

    /** Rests for so long, or until something has come. True if nothing has. */
    boolean rest(CompletableFuture<Void> news, Duration longest) {
        try {
            threads.await(news, longest);
            return false;
        } catch (TimeoutException e) {
            return true;
        } catch (InterruptedException | ExecutionException e) {
            return false;
        }
    }

    <T extends @Nullable Object> T locked(Supplier<T> body) {
        lock.lock();
        try {
            return body.get();
        } finally {
            lock.unlock();
        }
    }
}
