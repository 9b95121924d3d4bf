package dev.pawl.engine.shard;

import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.ledger.LedgerViolation;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Delivery.Place;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Messages that wait for their turn. A message that lies in a queue or an inbox is here once: run twice, it would be charged and
 * acknowledged twice. Answers of tasks lie nowhere and may come twice, since a worker may answer twice; the ledgers refuse the second.
 * Not thread-safe; owned by one shard loop.
 */
final class ReadyMessages {

    private final Deque<Delivery> messages = new ArrayDeque<>();
    private final Set<Object> places = new HashSet<>();

    /** Where a message of a queue lies. */
    record InQueue(WorkflowKey workflow, long number) {

        /** Null if it lies elsewhere. */
        static @Nullable InQueue of(Delivery delivery) {
            return delivery.place() instanceof Place.Queue queue
                    ? new InQueue(delivery.message().workflow(), queue.number())
                    : null;
        }
    }

    void add(Delivery delivery) {
        note(delivery);
        messages.add(delivery);
    }

    void addFirst(Delivery delivery) {
        note(delivery);
        messages.addFirst(delivery);
    }

    private void note(Delivery delivery) {
        Object place = place(delivery);
        if (place != null && !places.add(place)) {
            throw new LedgerViolation("message " + delivery.message().guid() + " of " + delivery.message().workflow()
                    + " is twice in the hands of its shard's owner");
        }
    }

    private static @Nullable Object place(Delivery delivery) {
        return switch (delivery.place()) {
            case Place.Queue queue -> InQueue.of(delivery);
            case Place.Inbox inbox -> inbox;
            case Place.Row row -> null;
        };
    }

    private void forget(Delivery delivery) {
        Object place = place(delivery);
        if (place != null) {
            places.remove(place);
        }
    }

    Delivery remove() {
        Delivery next = messages.remove();
        forget(next);
        return next;
    }

    /** Takes out what the test is true for, and has it looked at by the test once each. */
    void removeIf(Predicate<Delivery> test) {
        for (Iterator<Delivery> each = messages.iterator(); each.hasNext();) {
            Delivery delivery = each.next();
            if (test.test(delivery)) {
                each.remove();
                forget(delivery);
            }
        }
    }

    Stream<Delivery> stream() {
        return messages.stream();
    }

    boolean isEmpty() {
        return messages.isEmpty();
    }

    int size() {
        return messages.size();
    }
}
