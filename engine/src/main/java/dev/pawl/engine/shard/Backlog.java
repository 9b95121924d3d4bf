package dev.pawl.engine.shard;

import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.Waiting;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Delivery.Place;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.workflow.Waker;
import java.time.Instant;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a loop has in hand: messages ready to run, tasks whose worker is overdue, and suspects. A suspect may have brought an engine
 * down, or has failed here: it is charged in a commit of its own before it runs, alone, so that it counts its own failures and
 * nobody else's. Not thread-safe; owned by one shard loop.
 */
final class Backlog {

    private final Store store;
    private final String group;
    private final int hungryBelow;
    private final Inflow inflow;
    private final LeftMessages left;
    /** Whether what the last owner left may be run as it is; if not, each is a suspect. */
    private boolean clean;
    private final Joining joining = new Joining();
    private final ReadyMessages ready = new ReadyMessages();
    private final Later<Waiting> overdue = new Later<>();
    private final Later<Delivery> suspects = new Later<>();

    /**
     * A loop that has nothing in hand.
     *
     * @param hungryBelow with fewer messages ready than that it takes in as many as there are
     */
    Backlog(Store store, ShardId shard, Inflow inflow, int hungryBelow) {
        this.store = store;
        this.group = shard.group();
        this.left = new LeftMessages(store, shard);
        this.inflow = inflow;
        this.hungryBelow = hungryBelow;
    }

    Inflow inflow() {
        return inflow;
    }

    Joining joining() {
        return joining;
    }

    Later<Waiting> overdue() {
        return overdue;
    }

    Later<Delivery> suspects() {
        return suspects;
    }

    /** Begins anew with what is in the store; after an unclean end each message found is a suspect. */
    void recover(boolean inOrder, Instant now) {
        clean = inOrder;
        left.reset();
        suspects.clear();
        overdue.clear();
        inflow.reset();
        ready.removeIf(delivery -> !(delivery.place() instanceof Place.Row) || Joining.joins(delivery));
        joining.forgetTaken();
        takeLeft();
        inflow.inbox(now, true).forEach(found());
    }

    private Consumer<Delivery> found() {
        return clean ? ready::add : suspects::add;
    }

    private void takeLeft() {
        left.page().forEach(found());
    }

    /** Whether there are suspects that have not had their turn, in hand or not read yet. */
    boolean suspectsDue(Instant now) {
        return suspects.anyDue(now) || (!clean && left.more());
    }

    /** What has come in since. */
    void takeIn(Instant now) {
        if (left.more() && (clean ? ready.size() < hungryBelow : !suspects.anyDue(now))) {
            takeLeft();
        }
        inflow.offered().forEach(ready::add);
        boolean hungry = ready.size() < hungryBelow;
        // Before the inbox is read, and run after it: whoever has left one signal there and then sent another one here sees
        // them in this order.
        List<Delivery> joined = hungry ? joining.take(hungryBelow) : List.of();
        inflow.inbox(now, hungry).forEach(ready::add);
        joined.forEach(ready::add);
        for (Waiting waiting : inflow.due(now)) {
            if (waiting.waker() instanceof Waker.Timer timer) {
                ready.add(Delivery.ofRow(
                        Message.Respond.wake(waiting.workflow(), waiting.activity(), timer.dueAt())));
            } else {
                overdue.add(waiting);
            }
        }
    }

    /** How many messages and tasks wait for their turn. */
    int size() {
        return ready.size() + suspects.size() + overdue.size() + (left.more() ? 1 : 0);
    }

    boolean anyReady() {
        return !ready.isEmpty();
    }

    /** The workflows of the next messages. */
    List<WorkflowKey> next(int messages) {
        return ready.stream().limit(messages).map(delivery -> delivery.message().workflow()).toList();
    }

    Delivery takeReady() {
        return ready.remove();
    }

    void add(Delivery delivery) {
        left.hold(delivery);
        ready.add(delivery);
    }

    void addFirst(Delivery delivery) {
        left.hold(delivery);
        ready.addFirst(delivery);
    }

    /** Done with, or to be read again: either way no longer in hand. */
    void letGo(Delivery delivery) {
        left.letGo(delivery);
        inflow.letGo(delivery);
    }

    /** Given up: no longer where it lay. */
    void forget(Delivery delivery) {
        left.letGo(delivery);
        inflow.forget(delivery);
    }

    /** Nothing came of them: they run again, before the others and in their order. */
    void putBack(Deque<Delivery> taken, Deque<Waiting> reattempted) {
        taken.descendingIterator().forEachRemaining(ready::addFirst);
        reattempted.descendingIterator().forEachRemaining(overdue::addFirst);
    }

    /** Failed, and by its own fault: it is tried again alone, later, and in the end given up. */
    void setAside(Delivery delivery, int failures, Instant now) {
        if (Joining.joins(delivery)) {
            joining.refuse(delivery);
        } else if (delivery.place() instanceof Place.Row) {
            // It has nowhere to be charged: in the inbox it is counted.
            store.post(group, delivery.message());
        } else {
            suspects.failed(delivery, Math.max(failures, delivery.marks()), now);
        }
    }

    /** Answers that lie nowhere but here, taken out: they would be lost with the loop. */
    List<Message> stranded() {
        joining.forget();
        List<Message> stranded = inflow.takeOffers();
        ready.removeIf(delivery -> delivery.place() instanceof Place.Row
                && delivery.message() instanceof Message.Respond respond && respond.source() == Message.Source.TASK
                && stranded.add(respond));
        return stranded;
    }

    /** When there will be something to do at the latest, unless something comes in. */
    @Nullable Instant wakeAt() {
        return left.more() ? Instant.EPOCH
                : ShardLoop.earlier(ShardLoop.earlier(inflow.nextDue(), inflow.nextLook()),
                        ShardLoop.earlier(suspects.next(), overdue.next()));
    }
}
