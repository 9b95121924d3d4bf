package dev.pawl.engine.shard;

import dev.pawl.engine.store.SignalRequest;
import dev.pawl.engine.store.SignalResult;
import dev.pawl.engine.store.StoreException;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.ledger.LedgerViolation;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Delivery.Place;
import dev.pawl.kernel.message.Message;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Signals sent by the process that owns their workflow's shard: they need no transaction of their own and no inbox, but are accepted
 * in the commit that deals with them. Whatever is not plain, because a signal may be known or its workflow takes none, is left to
 * the store: nobody is answered here but who was accepted here, durably. To send a signal to the store that may have been accepted
 * does no harm: it has its id.
 *
 * <p>Owned by one shard loop, but for {@link #offer}, which is for any thread.
 */
final class Joining {

    private static final int CHARS_MAX = 300;

    private final Queue<Order> offered = new ConcurrentLinkedQueue<>();
    /** In hand, by the GUID of the message; those of the same id wait for the first. */
    private final Map<Guid, List<Order>> inHand = new HashMap<>();
    /** Answers to senders whose signals are durable. */
    private final List<Runnable> answers = new ArrayList<>();
    private volatile boolean closed;

    /** A signal, and whoever waits for what comes of it; null says that the store has to be asked. */
    record Order(SignalRequest request, Delivery delivery, CompletableFuture<@Nullable SignalResult> answer) {

        Order(SignalRequest request) {
            this(request, Delivery.ofRow(request.message()), new CompletableFuture<>());
        }
    }

    /** A name that is too long to be kept is the store's to refuse: in a commit it would be in the way of others. */
    static boolean fits(SignalRequest request) {
        return request.signalName().length() + request.signalId().length() <= CHARS_MAX;
    }

    /** True for a signal that lies nowhere: it came this way. */
    static boolean joins(Delivery delivery) {
        return delivery.place() instanceof Place.Row && delivery.message() instanceof Message.Signal;
    }

    /** False if it comes too late. */
    boolean offer(Order order) {
        offered.add(order);
        return !closed || !offered.remove(order);
    }

    /** What was sent since, up to so many, in its order. */
    List<Delivery> take(int max) {
        if (offered.isEmpty()) {
            return List.of();
        }
        List<Delivery> taken = new ArrayList<>();
        while (taken.size() < max) {
            Order order = offered.poll();
            if (order == null) {
                break;
            }
            List<Order> alike = inHand.computeIfAbsent(order.delivery().message().guid(), none -> new ArrayList<>());
            alike.add(order);
            if (alike.size() == 1) {
                taken.add(order.delivery());
            }
        }
        return taken;
    }

    /** Puts it in the batch; returns what follows from it, or null if it is not in there, and nobody waits for it here any more. */
    @Nullable List<Delivery> begin(Batch batch, Delivery delivery, Standing standing) {
        List<Order> alike = inHand.get(delivery.message().guid());
        if (alike != null && !alike.stream().allMatch(order -> order.answer().isDone())) {
            try {
                List<Delivery> queued = batch.add(delivery, alike.getFirst().request().accept());
                if (queued != null) {
                    return queued;
                }
            } catch (LedgerViolation | StoreException e) {
                throw e;
            } catch (RuntimeException e) {
                // Tried again from the inbox, where it can be set aside, and given up in the end.
                standing.trouble(e.toString());
            }
        }
        refuse(delivery);
        return null;
    }

    /** Durable: the first one is accepted, and the others were sent again. Their senders are among the next {@link #answers}. */
    void accepted(Delivery delivery) {
        List<Order> alike = inHand.remove(delivery.message().guid());
        if (alike != null) {
            answers.add(() -> answer(alike));
        }
    }

    private static void answer(List<Order> alike) {
        Order first = alike.getFirst();
        first.answer().complete(new SignalResult.Accepted(first.request().accepted()));
        alike.forEach(order -> order.answer().complete(new SignalResult.Duplicate(first.request().accepted())));
    }

    /** Takes the answers to senders whose signals are durable. */
    List<Runnable> answers() {
        List<Runnable> taken = List.copyOf(answers);
        answers.clear();
        return taken;
    }

    /** Nothing was written of it: whoever waits has to ask the store. */
    void refuse(Delivery delivery) {
        List<Order> alike = inHand.remove(delivery.message().guid());
        if (alike != null) {
            alike.forEach(order -> order.answer().complete(null));
        }
    }

    /** One of those in the batch is known to the store. It is asked about all that may have been sent before; the rest runs again. */
    void known(@Nullable Delivery known, Collection<Delivery> taken) {
        taken.removeIf(delivery -> {
            boolean doubtful = joins(delivery) && (delivery.equals(known) || keyed(delivery));
            if (doubtful) {
                refuse(delivery);
            }
            return doubtful;
        });
    }

    private boolean keyed(Delivery delivery) {
        List<Order> alike = inHand.get(delivery.message().guid());
        return alike == null || alike.getFirst().request().keyed();
    }

    /** What was taken may be accepted: its senders have to ask the store. What was not taken yet can wait for the next batch. */
    void forgetTaken() {
        inHand.values().forEach(alike -> alike.forEach(order -> order.answer().complete(null)));
        inHand.clear();
    }

    /** Every sender has to ask the store. */
    void forget() {
        forgetTaken();
        for (Order late = offered.poll(); late != null; late = offered.poll()) {
            late.answer().complete(null);
        }
    }

    void close() {
        closed = true;
        forget();
    }
}
