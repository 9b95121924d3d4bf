package dev.pawl.engine.shard;

import dev.pawl.engine.store.StartResult;
import dev.pawl.engine.store.StoreException;
import dev.pawl.kernel.ledger.LedgerViolation;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Workflows started by the process that owns their shard: they need no inception and no inbox, but join the next commit. Owned by one
 * shard loop, but for {@link #offer}, which is for any thread.
 */
final class Starting {

    private final WorkflowCache cache;
    private final Queue<Order> offered = new ConcurrentLinkedQueue<>();
    private final Deque<Order> under = new ArrayDeque<>();
    private final Deque<Order> again = new ArrayDeque<>();
    private volatile boolean closed;

    /** A start, and whoever waits for it; null says that the store has to be asked. */
    record Order(Message.Start start, CompletableFuture<@Nullable StartResult> answer) {

        Order(Message.Start start) {
            this(start, new CompletableFuture<>());
        }
    }

    Starting(WorkflowCache cache) {
        this.cache = cache;
    }

    /** False if it comes too late. */
    boolean offer(Order order) {
        offered.add(order);
        return !closed || !offered.remove(order);
    }

    /** Puts what was asked for in the batch, up to so many bundles, and what follows from it in {@code born}. */
    boolean begin(Batch batch, int bundlesMax, Collection<Delivery> born) {
        boolean any = false;
        List<Order> twice = new ArrayList<>();
        while (batch.size() < bundlesMax) {
            Order order = again.isEmpty() ? offered.poll() : again.remove();
            if (order == null) {
                break;
            }
            any = true;
            if (!begin(batch, order, born)) {
                twice.add(order);
            }
        }
        again.addAll(twice);
        return any;
    }

    /** False if the same one is in the batch already: it is answered when that one is durable. */
    private boolean begin(Batch batch, Order order, Collection<Delivery> born) {
        under.add(order);
        WorkflowRecord known = cache.view(order.start().workflow()).workflow();
        if (known != null) {
            under.removeLast();
            order.answer().complete(new StartResult.AlreadyStarted(known));
            return true;
        }
        if (batch.overlay(order.start().workflow()).workflow() != null) {
            under.removeLast();
            return false;
        }
        try {
            born.addAll(batch.add(Delivery.ofRow(order.start())));
        } catch (LedgerViolation | StoreException e) {
            throw e;
        } catch (RuntimeException e) {
            // Tried again from the inbox, where it can be set aside, and given up in the end.
            under.removeLast();
            order.answer().complete(null);
        }
        return true;
    }

    /** What was in the batch is durable. */
    void through() {
        under.forEach(order -> order.answer().complete(new StartResult.Started()));
        under.clear();
    }

    /** Nothing came of the batch. */
    void putBack() {
        under.descendingIterator().forEachRemaining(again::addFirst);
        under.clear();
    }

    /** Whoever waits has to ask the store. */
    void forget() {
        putBack();
        again.forEach(order -> order.answer().complete(null));
        again.clear();
        for (Order late = offered.poll(); late != null; late = offered.poll()) {
            late.answer().complete(null);
        }
    }

    void close() {
        closed = true;
        forget();
    }
}
