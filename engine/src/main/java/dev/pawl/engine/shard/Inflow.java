package dev.pawl.engine.shard;

import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.Waiting;
import dev.pawl.engine.task.Submission;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Delivery.Place;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Waker;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What comes to a shard from outside its own queues: the inbox, the clock, and answers of tasks in this process. Each message is
 * handed on once; it comes again only after it was let go.
 *
 * <p>Owned by one shard loop, except for {@link #offer}, {@link #hint} and {@link #close}, which are for any thread.
 */
final class Inflow {

    private static final int PAGE = 1_000;
    private static final Duration STUCK_PAUSE = Duration.ofMillis(100);

    private final Store store;
    private final ShardId shard;
    private final Duration lookEvery;
    private final Queue<Message> offers = new ConcurrentLinkedQueue<>();
    private final Queue<Submission> submissions = new ConcurrentLinkedQueue<>();
    private final Queue<WorkflowKey> revivals = new ConcurrentLinkedQueue<>();
    private final AtomicLong hints = new AtomicLong();
    private final Set<Long> held = new HashSet<>();
    private final Set<Guid> firing = new HashSet<>();
    private volatile boolean closed;
    private long hintsFollowed;
    private boolean more = true;
    private Rest untilLook = Rest.OVER;
    private @Nullable Instant nextDue;

    Inflow(Store store, ShardId shard, Duration lookEvery) {
        this.store = store;
        this.shard = shard;
        this.lookEvery = lookEvery;
    }

    /**
     * A message that needs no place of its own, because its activity's row stands for it. False if it comes too late: then it is
     * the caller's to put somewhere.
     */
    boolean offer(Message message) {
        offers.add(message);
        // Whoever closed it may have emptied it a moment before; then nobody else will find the message.
        return !closed || !offers.remove(message);
    }

    /** Something that the code of a flow hands in; false if it comes too late. */
    boolean submit(Submission submission) {
        submissions.add(submission);
        return !closed || !submissions.remove(submission);
    }

    /** The code of a flow begins anew from what is durable. */
    void revive(WorkflowKey workflow) {
        revivals.add(workflow);
    }

    @Nullable WorkflowKey takeRevival() {
        return revivals.poll();
    }

    boolean anySubmitted() {
        return !submissions.isEmpty();
    }

    @Nullable Submission takeSubmission() {
        return submissions.poll();
    }

    /** Takes no more offers. What was submitted is void: the code begins anew, wherever the shard is then. */
    void close() {
        closed = true;
        refuse("the shard is not owned any more");
    }

    void refuse(String why) {
        for (Submission late = submissions.poll(); late != null; late = submissions.poll()) {
            late.outdated(why);
        }
    }

    List<Message> takeOffers() {
        List<Message> taken = new ArrayList<>();
        for (Message message = offers.poll(); message != null; message = offers.poll()) {
            taken.add(message);
        }
        return taken;
    }

    void reset() {
        held.clear();
        firing.clear();
        more = true;
        nextDue = store.nextDue(shard);
    }

    List<Delivery> offered() {
        return offers.isEmpty() ? List.of() : takeOffers().stream().map(Delivery::ofRow).toList();
    }

    /** Somebody has left something in the inbox. */
    void hint() {
        hints.incrementAndGet();
    }

    /**
     * What is new in the inbox. It is read when there is reason to, and every now and then without one, because a hint may be
     * lost.
     *
     * @param hungry whether there is room for as many as there are; if not, those that nobody looks after must wait, and what
     *        is in hand already counts as part of the page
     */
    List<Delivery> inbox(Instant now, boolean hungry) {
        long hinted = hints.get();
        boolean reason = hungry && (more || hinted != hintsFollowed);
        if (!reason && !untilLook.over(now)) {
            return List.of();
        }
        int limit = hungry ? PAGE + held.size() : PAGE;
        List<Delivery> page = store.inbox(shard, limit);
        // Only now: a store that fails must be asked again. A hint that came while it was read is not followed yet.
        hintsFollowed = hinted;
        more = page.size() == limit;
        untilLook = lookEvery.isZero() ? Rest.OVER : Rest.of(lookEvery, now);
        return page.isEmpty() ? page : page.stream()
                .filter(delivery -> !(delivery.place() instanceof Place.Inbox inbox) || held.add(inbox.id()))
                .toList();
    }

    /** When the inbox is read without any reason; null if that is in every turn. */
    @Nullable Instant nextLook() {
        return lookEvery.isZero() ? null : untilLook.until();
    }

    /** Timers and tasks whose time has come and that are not under way already. */
    List<Waiting> due(Instant now) {
        if (nextDue == null || now.isBefore(nextDue)) {
            return List.of();
        }
        List<Waiting> due = store.due(shard, now, PAGE);
        nextDue = store.nextDue(shard);
        // Marked only now: a store that fails in between must find everything unmarked in the next turn.
        List<Waiting> fresh = due.stream().filter(waiting -> firing.add(mark(waiting))).toList();
        if (fresh.isEmpty() && nextDue != null && !nextDue.isAfter(now)) {
            // What is in hand and does not get done hides what is due next; it must not be asked for without a pause.
            nextDue = now.plus(STUCK_PAUSE);
        }
        return fresh;
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

    /** A committed activity may have a timer or a deadline. */
    void committed(ActivityRecord activity) {
        Instant at = dueAt(activity.waker());
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
            case Waker.Receipt receipt -> null;
            case Waker.Local local -> null;
            case Waker.Code code -> null;
            case Waker.FanOut fanOut -> null;
            case Waker.None none -> null;
        };
    }

    /** When something will be due, as far as is known. */
    @Nullable Instant nextDue() {
        return nextDue;
    }
}
