package dev.pawl.engine.shard;

import dev.pawl.engine.EngineSettings;
import dev.pawl.engine.store.Claim;
import dev.pawl.engine.store.Commit;
import dev.pawl.engine.store.Fence;
import dev.pawl.engine.store.Lease;
import dev.pawl.engine.store.Rejection;
import dev.pawl.engine.store.StaleOwner;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.StoreException;
import dev.pawl.engine.store.Waiting;
import dev.pawl.engine.task.Dispatcher;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Overlay;
import dev.pawl.kernel.collation.Collation;
import dev.pawl.kernel.collation.Redelivery;
import dev.pawl.kernel.ledger.LedgerViolation;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Delivery.Place;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Waker;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Drives the workflows of one owned shard, one turn at a time: messages in, a batch computed, one commit, and only then what
 * follows from it. Nothing it keeps in memory is needed after a crash; a new owner finds everything in the store.
 *
 * <p>Turns must not overlap; {@link #offer} may be called from any thread.
 */
public final class ShardLoop {

    private static final int REJECTIONS_MAX = 3;

    /** How it stands between this loop and its shard. */
    public enum State {
        OWNED,
        /** A commit was sent and nobody heard what became of it: the epoch must be raised before anything is read. */
        UNSURE,
        /** Somebody else has the shard. */
        LOST,
        /** The stored state contradicts itself. Out of service: never repaired from here. */
        BROKEN
    }

    private final Store store;
    private final String owner;
    private final Definitions definitions;
    private final EngineSettings settings;
    private final WorkflowCache cache;
    private final TaskTable tasks;
    private final Inflow inflow;
    private final Suspects suspects = new Suspects();
    private final Deque<Delivery> ready = new ArrayDeque<>();
    private final Deque<Waiting> overdue = new ArrayDeque<>();
    private Fence fence;
    private boolean clean;
    private boolean recovered;
    private State state = State.OWNED;
    /** How many messages run in a commit of their own, because a batch was rejected. */
    private int single;
    private int rejections;
    /** The last single bundle can never be committed, whatever is stored: its message is at fault. */
    private boolean poison;
    /** The last single message is not there any more: somebody has taken it out. */
    private boolean gone;
    private @Nullable String trouble;

    public ShardLoop(Store store, Claim.Claimed claim, String owner, Definitions definitions, Dispatcher dispatcher,
            EngineSettings settings) {
        this.store = store;
        this.owner = owner;
        this.definitions = definitions;
        this.settings = settings;
        this.fence = claim.fence();
        this.clean = claim.clean();
        this.cache = new WorkflowCache(store);
        this.tasks = new TaskTable(fence.shard().group(), dispatcher);
        this.inflow = new Inflow(store, fence.shard());
    }

    public State state() {
        return state;
    }

    public Fence fence() {
        return fence;
    }

    /** What went wrong last, for people; null if nothing did. */
    public @Nullable String trouble() {
        return trouble;
    }

    /** Hands in a message whose activity's row stands for it; it joins the next batch. From any thread. */
    public void offer(Message message) {
        inflow.offer(message);
    }

    /** What was offered and not taken, when the shard is lost. */
    public List<Message> unclaimedOffers() {
        return inflow.unclaimedOffers();
    }

    /** The shard is somebody else's, as a renewal found out. */
    public void lose() {
        state = State.LOST;
    }

    /** When there will be something to do at the latest, unless something comes in. */
    public @Nullable Instant wakeAt() {
        Instant due = inflow.nextDue();
        Instant suspect = suspects.next();
        return due == null || (suspect != null && suspect.isBefore(due)) ? suspect : due;
    }

    /** Does what there is to do now. Returns whether it was anything. A store that fails is asked again in the next turn. */
    public boolean turn(Instant now) {
        try {
            return switch (state) {
                case OWNED -> work(now);
                case UNSURE -> raise();
                case LOST, BROKEN -> false;
            };
        } catch (StoreException.CommitUnknown e) {
            trouble = e.getMessage();
            state = State.UNSURE;
            return true;
        } catch (StoreException e) {
            trouble = e.getMessage();
            return false;
        } catch (LedgerViolation e) {
            breakDown(e.getMessage());
            return false;
        }
    }

    private void breakDown(@Nullable String reason) {
        trouble = reason;
        state = State.BROKEN;
    }

    private boolean work(Instant now) {
        if (!recovered) {
            recover();
        }
        ready.addAll(inflow.offered());
        ready.addAll(inflow.inbox());
        for (Waiting waiting : inflow.due(now)) {
            if (waiting.waker() instanceof Waker.Timer timer) {
                ready.add(Delivery.ofRow(
                        Message.Respond.wake(waiting.workflow(), waiting.activity(), timer.dueAt())));
            } else {
                overdue.add(waiting);
            }
        }
        Delivery suspect = suspects.take(now);
        if (suspect != null) {
            redeliver(suspect, now);
            return true;
        }
        return runBatch(now);
    }

    /** Whatever the last owner left is in the store; after an unclean end each message is a suspect. */
    private void recover() {
        cache.clear();
        suspects.clear();
        overdue.clear();
        tasks.clear();
        inflow.reset();
        ready.removeIf(delivery -> !(delivery.place() instanceof Place.Row));
        Recovery recovery = new Recovery(store, fence.shard());
        List<Delivery> found = new ArrayList<>(recovery.queue());
        found.addAll(inflow.inbox());
        recovery.tasks().forEach(tasks::found);
        if (clean) {
            ready.addAll(found);
        } else {
            found.forEach(suspects::found);
        }
        recovered = true;
    }

    /** After an unknown outcome: a new epoch first, so that the lost commit can no longer come through; then read again. */
    private boolean raise() {
        Lease lease = store.leases(fence.shard().namespace(), fence.shard().group()).get(fence.shard().number());
        Fence latest = new Fence(fence.shard(), lease.epoch());
        if (owner.equals(lease.owner()) && store.raise(latest, settings.leaseTtl()) instanceof Claim.Claimed claimed) {
            fence = claimed.fence();
            clean = false;
            recovered = false;
            state = State.OWNED;
        } else {
            state = State.LOST;
        }
        return true;
    }

    private void redeliver(Delivery suspect, Instant now) {
        Delivery next = suspect;
        boolean through = false;
        try {
            Redelivery redelivery = Collation.redeliver(cache.view(suspect.message().workflow()), suspect, now);
            if (!commit(List.of(Batch.Item.of(redelivery.bundle())))) {
                return;
            }
            switch (redelivery) {
                case Redelivery.GivenUp givenUp -> {
                    trouble = "gave up on " + suspect.message().guid() + " of " + suspect.message().workflow();
                    inflow.forget(suspect);
                    through = true;
                }
                case Redelivery.Charged charged -> {
                    next = charged.delivery();
                    Batch batch = new Batch(cache, fence.shard().group(), definitions, store, now);
                    compute(batch, next, now);
                    through = batch.isEmpty() || commit(batch.items());
                }
            }
        } finally {
            if (gone) {
                inflow.letGo(next);
                gone = false;
            } else if (!through) {
                suspects.cutShort(next);
            }
        }
    }

    private boolean runBatch(Instant now) {
        Batch batch = new Batch(cache, fence.shard().group(), definitions, store, now);
        int max = single > 0 || settings.stepsApart() ? 1 : settings.batchMax();
        Deque<Delivery> taken = new ArrayDeque<>();
        Deque<Waiting> again = new ArrayDeque<>();
        Deque<Delivery> born = new ArrayDeque<>();
        boolean through = false;
        try {
            while (batch.size() < max && !overdue.isEmpty()) {
                again.add(overdue.remove());
                reattempt(batch, again.getLast(), now);
            }
            while (batch.size() < max && !(ready.isEmpty() && born.isEmpty())) {
                Delivery delivery = ready.isEmpty() ? born.remove() : ready.remove();
                if (!batch.bore(delivery)) {
                    taken.add(delivery);
                }
                if (settings.stepsApart() && lodge(batch, delivery, now)) {
                    break;
                }
                born.addAll(compute(batch, delivery, now));
            }
            single = Math.max(0, single - 1);
            through = batch.isEmpty() || commit(batch.items());
        } finally {
            if (through) {
                again.forEach(inflow::letGo);
            } else {
                single = batch.size();
                if (poison && !taken.isEmpty()) {
                    setAside(taken.remove(), now, trouble);
                } else if (gone && !taken.isEmpty()) {
                    inflow.letGo(taken.remove());
                }
                poison = false;
                gone = false;
                taken.descendingIterator().forEachRemaining(ready::addFirst);
                overdue.addAll(again);
            }
        }
        return !taken.isEmpty() || !again.isEmpty();
    }

    /** With a commit for every step, a message that lies nowhere must be lodged first, or a crash would lose the rest of it. */
    private boolean lodge(Batch batch, Delivery delivery, Instant now) {
        WorkflowRecord workflow = batch.overlay(delivery.message().workflow()).workflow();
        if (!(delivery.place() instanceof Place.Row) || workflow == null || workflow.gate().closed()) {
            return false;
        }
        Bundle bundle = Collation.lodge(workflow, delivery.message(), now);
        batch.add(new Batch.Item(delivery, bundle, Delivery.queued(workflow.messages(), delivery.message())));
        return true;
    }

    /** Adds a message to the batch; one that fails is set aside, and the batch stays as it was. */
    private List<Delivery> compute(Batch batch, Delivery delivery, Instant now) {
        try {
            return batch.add(delivery);
        } catch (LedgerViolation | StoreException e) {
            throw e;
        } catch (RuntimeException e) {
            // A message of this very batch does not exist yet; it will fail again when it does.
            if (!batch.bore(delivery)) {
                setAside(delivery, now, e.getMessage());
            }
            return List.of();
        }
    }

    private void setAside(Delivery delivery, Instant now, @Nullable String reason) {
        trouble = reason;
        if (delivery.place() instanceof Place.Row) {
            // It has nowhere to be charged: in the inbox it is counted, and in the end given up.
            store.post(fence.shard().group(), delivery.message());
        } else {
            suspects.failed(delivery, now);
        }
    }

    /** Hands a task out again whose worker did not answer in time, unless it has answered after all. */
    private void reattempt(Batch batch, Waiting waiting, Instant now) {
        Overlay workflow = batch.overlay(waiting.workflow());
        ActivityRecord activity = workflow.activity(waiting.activity());
        if (activity != null && activity.waker().equals(waiting.waker())) {
            Instant deadline = now.plus(settings.taskTimeout());
            batch.add(Batch.Item.of(Collation.reattempt(workflow.started(), activity, deadline, now)));
        }
    }

    /** One transaction, then what follows from it. False if nothing was written, or only the first steps. */
    private boolean commit(List<Batch.Item> items) {
        List<Bundle> bundles = items.stream().map(Batch.Item::bundle).toList();
        List<List<Bundle>> commits = settings.stepsApart()
                ? bundles.stream().flatMap(bundle -> bundle.apart().stream()).map(List::of).toList()
                : List.of(bundles);
        Set<Delivery> known = Batch.deliveries(items);
        for (List<Bundle> commit : commits) {
            switch (store.commit(fence, commit)) {
                case Commit.Committed committed -> commit.forEach(bundle -> follow(bundle, known));
                case StaleOwner stale -> {
                    state = State.LOST;
                    return false;
                }
                case Commit.Rejected rejected -> {
                    bundles.forEach(bundle -> cache.evict(bundle.workflow()));
                    rejected(rejected.why(), commit.size());
                    return false;
                }
            }
        }
        rejections = 0;
        items.forEach(this::settle);
        return true;
    }

    /** A batch is taken apart; a single bundle is computed again from what is stored, and not for ever. */
    private void rejected(Rejection why, int bundles) {
        trouble = why.toString();
        if (why instanceof Rejection.UnknownGroup) {
            poison = bundles == 1;
        } else if (why instanceof Rejection.MessageGone) {
            gone = bundles == 1;
        } else if (bundles == 1 && ++rejections > REJECTIONS_MAX) {
            breakDown("rejected again and again: " + why);
        }
    }

    /** What follows from a bundle that is durable, whether the rest of its transition will be or not. */
    private void follow(Bundle bundle, Set<Delivery> known) {
        cache.apply(bundle);
        tasks.committed(bundle);
        inflow.committed(bundle);
        Batch.queued(bundle).filter(queued -> !known.contains(queued)).forEach(ready::add);
    }

    private void settle(Batch.Item item) {
        Delivery delivery = item.delivery();
        if (item.again() != null) {
            ready.addFirst(item.again());
        } else if (delivery != null) {
            inflow.letGo(delivery);
        }
    }
}
