package dev.pawl.engine.shard;

import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.Waiting;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Delivery.Place;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Waker;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * What comes to a shard from outside its own queues: the inbox, the clock, and answers of tasks in this process. Each message is
 * handed on once; it comes again only after it was let go.
 */
final class Inflow {

    private static final int PAGE = 1_000;

    private final Store store;
    private final ShardId shard;
    private final Queue<Message> offers = new ConcurrentLinkedQueue<>();
    private final Set<Long> held = new HashSet<>();
    private final Set<Guid> firing = new HashSet<>();
    private @Nullable Instant nextDue;

    Inflow(Store store, ShardId shard) {
        this.store = store;
        this.shard = shard;
    }

    /** From any thread: a message that needs no place of its own, because its activity's row stands for it. */
    void offer(Message message) {
        offers.add(message);
    }

    /** What was offered and never taken, when the shard is lost. */
    List<Message> unclaimedOffers() {
        List<Message> left = new ArrayList<>();
        for (Message message = offers.poll(); message != null; message = offers.poll()) {
            left.add(message);
        }
        return left;
    }

    void reset() {
        held.clear();
        firing.clear();
        nextDue = store.nextDue(shard);
    }

    List<Delivery> offered() {
        return unclaimedOffers().stream().map(Delivery::ofRow).toList();
    }

    List<Delivery> inbox() {
        return store.inbox(shard, PAGE).stream()
                .filter(delivery -> !(delivery.place() instanceof Place.Inbox inbox) || held.add(inbox.id()))
                .toList();
    }

    /** Timers and tasks whose time has come and that are not under way already. */
    List<Waiting> due(Instant now) {
        if (nextDue == null || now.isBefore(nextDue)) {
            return List.of();
        }
        List<Waiting> due = store.due(shard, now, PAGE);
        nextDue = store.nextDue(shard);
        // Marked only now: a store that fails in between must find everything unmarked in the next turn.
        return due.stream().filter(waiting -> firing.add(mark(waiting))).toList();
    }

    private static Guid mark(Waiting waiting) {
        Instant at = dueAt(waiting.waker());
        return Guid.ofTimer(waiting.workflow(), waiting.activity(), at == null ? 0 : at.toEpochMilli());
    }

    /** Done with, or to be read again: either way no longer in hand. */
    void letGo(Delivery delivery) {
        forget(delivery);
        firing.remove(delivery.message().guid());
    }

    /** Given up: no longer in the inbox, and a timer it came from does not fire again while this owner lasts. */
    void forget(Delivery delivery) {
        if (delivery.place() instanceof Place.Inbox inbox) {
            held.remove(inbox.id());
        }
    }

    void letGo(Waiting waiting) {
        firing.remove(mark(waiting));
    }

    /** New timers and deadlines of a committed bundle. */
    void committed(Bundle bundle) {
        bundle.writes()
                .filter(Write.PutActivity.class::isInstance)
                .map(write -> ((Write.PutActivity) write).activity())
                .map(ActivityRecord::waker)
                .forEach(this::note);
    }

    private void note(Waker waker) {
        Instant at = dueAt(waker);
        if (at != null && (nextDue == null || at.isBefore(nextDue))) {
            nextDue = at;
        }
    }

    private static @Nullable Instant dueAt(Waker waker) {
        return switch (waker) {
            case Waker.Timer timer -> timer.dueAt();
            case Waker.Task task -> task.deadline();
            case Waker.Hook hook -> null;
            case Waker.Child child -> null;
            case Waker.FanOut fanOut -> null;
            case Waker.None none -> null;
        };
    }

    /** When something will be due, as far as is known. */
    @Nullable Instant nextDue() {
        return nextDue;
    }
}
