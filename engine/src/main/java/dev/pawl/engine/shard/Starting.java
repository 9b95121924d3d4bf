package dev.pawl.engine.shard;

import dev.pawl.engine.store.StartResult;
import dev.pawl.engine.store.StoreException;
import dev.pawl.engine.task.FlowHost;
import dev.pawl.kernel.id.WorkflowKey;
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
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Workflows started by the process that owns their shard: they need no inception and no inbox, but join the next commit. Owned by one
 * shard loop, but for {@link #offer}, which is for any thread.
 */
final class Starting {

    private static final int WARY = 1_000;

    private static final StartResult STARTED = new StartResult.Started();

    private final WorkflowCache cache;
    private final FlowHost host;
    private final Queue<Order> offered = new ConcurrentLinkedQueue<>();
    private final Deque<Order> under = new ArrayDeque<>();
    private final Deque<Order> again = new ArrayDeque<>();
    private volatile boolean closed;
    /** The next ones are looked for before they are begun. Hardly anybody starts what exists, and the commit would find out. */
    private int wary;

    /** A start, and whoever waits for it; null says that the store has to be asked. */
    record Order(Message.Start start, CompletableFuture<@Nullable StartResult> answer) {

        Order(Message.Start start) {
            this(start, new CompletableFuture<>());
        }
    }

    Starting(WorkflowCache cache, FlowHost host) {
        this.cache = cache;
        this.host = host;
    }

    /** False if it comes too late. */
    boolean offer(Order order) {
        offered.add(order);
        return !closed || !offered.remove(order);
    }

    /** Whether there is nothing to begin. */
    boolean idle() {
        return offered.isEmpty() && again.isEmpty() && under.isEmpty();
    }

    /** Puts what was asked for in the batch, up to so many bundles, and what follows from it in {@code born}. */
    boolean begin(Batch batch, int bundlesMax, Collection<Delivery> born) {
        while (under.size() < bundlesMax - batch.size()) {
            Order order = again.isEmpty() ? offered.poll() : again.remove();
            if (order == null) {
                break;
            }
            // From here on it is put back, whatever goes wrong.
            under.add(order);
        }
        if (under.isEmpty()) {
            return false;
        }
        Set<String> existing = wary > 0 ? existing() : Set.of();
        List<Order> twice = new ArrayList<>();
        for (Order order : List.copyOf(under)) {
            begin(batch, order, existing, born, twice);
        }
        again.addAll(twice);
        return true;
    }

    private Set<String> existing() {
        wary = Math.max(0, wary - under.size());
        return cache.existing(under.getFirst().start().workflow().namespace(),
                under.stream().map(order -> order.start().workflow().workflowId()).toList());
    }

    /** One that is in the batch already is answered when that is durable. */
    private void begin(Batch batch, Order order, Set<String> existing, Collection<Delivery> born,
            List<Order> twice) {
        WorkflowKey key = order.start().workflow();
        WorkflowRecord known = existing.contains(key.workflowId()) ? cache.view(key).workflow() : cache.known(key);
        if (known != null) {
            wary = WARY;
            under.remove(order);
            order.answer().complete(new StartResult.AlreadyStarted(known));
        } else if (batch.knows(key)) {
            under.remove(order);
            twice.add(order);
        } else {
            batch.absent(key);
            add(batch, order, born);
        }
    }

    private void add(Batch batch, Order order, Collection<Delivery> born) {
        try {
            born.addAll(batch.add(Delivery.ofRow(order.start())));
        } catch (LedgerViolation | StoreException e) {
            throw e;
        } catch (RuntimeException e) {
            // Tried again from the inbox, where it can be set aside, and given up in the end.
            under.remove(order);
            order.answer().complete(null);
        }
    }

    /** What was in the batch is durable. */
    void through() {
        if (!under.isEmpty()) {
            host.release(under.stream().<Runnable>map(order -> () -> order.answer().complete(STARTED)).toList());
            under.clear();
        }
    }

    /** Nothing came of the batch; perhaps because one of them exists. */
    void putBack() {
        wary = under.isEmpty() ? wary : WARY;
        under.descendingIterator().forEachRemaining(again::addFirst);
        under.clear();
    }

    /** What was begun may be durable: its callers have to ask the store. What was not begun yet can wait for the next batch. */
    void forget() {
        putBack();
        again.forEach(order -> order.answer().complete(null));
        again.clear();
    }

    void close() {
        closed = true;
        forget();
        for (Order late = offered.poll(); late != null; late = offered.poll()) {
            late.answer().complete(null);
        }
    }
}
