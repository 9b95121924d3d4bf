package dev.pawl.engine.shard;

import dev.pawl.engine.EngineSettings;
import dev.pawl.engine.Incidents;
import dev.pawl.engine.store.Claim;
import dev.pawl.engine.store.Fence;
import dev.pawl.engine.store.Lease;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.StoreException;
import dev.pawl.engine.task.Dispatcher;
import dev.pawl.engine.task.FlowHost;
import dev.pawl.engine.task.Submission;
import dev.pawl.engine.task.Transaction;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.ledger.LedgerViolation;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Message;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Drives the workflows of one owned shard, one turn at a time: messages in, a batch computed, one commit, and only then what
 * follows from it. Nothing it keeps in memory is needed after a crash; a new owner finds everything in the store.
 *
 * <p>Turns must not overlap, nor must {@link #stranded} with one; everything else may be called from any thread.
 *
 * <p>It does not ask whether its lease has run out: as long as no other engine has taken the shard it may commit, and from then on the fence
 * keeps every commit of it out. What acts on the outside world does ask, before it begins ({@link Engine#holds}).
 */
public final class ShardLoop {

    /** A store that is busy, full or away is asked again after so long, twice as long each time. */
    private static final Duration SHORTEST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofSeconds(1);

    /** A shard that is to be handed back is looked at so often, until nothing of it runs any more. */
    private static final Duration LEAVING_LOOK = Duration.ofMillis(20);

    /** How it stands between this loop and its shard. */
    public enum State {
        OWNED,
        /** A write was sent and nobody heard what became of it: the epoch must be raised before anything is read. */
        UNSURE,
        /** Somebody else has the shard. */
        LOST,
        /** Handed back, for somebody else to take. */
        GIVEN_BACK,
        /** The stored state contradicts itself. Out of service: never repaired from here. */
        BROKEN
    }

    private final Store store;
    private final String owner;
    private final EngineSettings settings;
    private final FlowHost host;
    private final Standing standing;
    private final WorkflowCache cache;
    private final TaskTable tasks;
    private final MissingDefinitions missing;
    private final FlowTable flows;
    private final AwakeFlows awake;
    private final Backlog backlog;
    private final Committer committer;
    private final Transacting transacting;
    private final Starting starting;
    private final Running running;
    private final Redelivering redelivering;
    private final StoreWatch watch;
    private final long claimedNanos;
    private volatile int waiting;
    private boolean clean;
    private boolean recovered;
    private int failures;
    /** A turn is under way, and nothing has failed in it. */
    private boolean begun;
    private Rest rest = Rest.OVER;
    private volatile boolean surplus;
    /** How long what runs may go on before the shard is handed back; null if it is not to be. */
    private @Nullable Rest leaving;
    private Instant leavingLook = Instant.EPOCH;

    ShardLoop(Store store, Claim.Claimed claim, String owner, Definitions definitions, Dispatcher dispatcher,
            FlowHost host, Runnable waking, EngineSettings settings, Incidents incidents, StoreWatch watch,
            LongSupplier ticker, HeadStart headStart) {
        String group = claim.fence().shard().group();
        this.store = store;
        this.owner = owner;
        this.settings = settings;
        this.host = host;
        this.clean = claim.clean();
        this.watch = watch;
        this.claimedNanos = ticker.getAsLong();
        this.standing = new Standing(claim.fence());
        this.cache = new WorkflowCache(store, settings.shards(), incidents);
        this.tasks = new TaskTable(group, dispatcher);
        this.missing = new MissingDefinitions(definitions, cache, incidents);
        this.flows = new FlowTable(claim.fence().shard(), cache, host, missing);
        this.awake = new AwakeFlows(store, claim.fence().shard(), cache, flows, headStart);
        this.backlog = new Backlog(store, claim.fence().shard(),
                new Inflow(store, claim.fence().shard(), settings.lookEvery()), settings.batchMax());
        Committer committer =
                new Committer(store, standing, cache, tasks, flows, awake, backlog, settings.stepsApart(),
                        watch, ticker, incidents);
        Function<Instant, Batch> batches = now -> new Batch(cache, group, definitions, store, now);
        this.transacting = new Transacting(store, standing, cache, definitions, host::beside, waking);
        this.starting = new Starting(cache, host);
        this.running = new Running(backlog, committer, standing, settings, batches, transacting, starting);
        this.committer = committer;
        this.redelivering = new Redelivering(backlog, committer, standing, cache, batches, missing);
    }

    public State state() {
        return standing.state();
    }

    public Fence fence() {
        return standing.fence();
    }

    /** What went wrong last, for people; null if nothing did. */
    public @Nullable String trouble() {
        return standing.trouble();
    }

    /** Whether the next turn reads what the last owner left. */
    boolean recovers(Instant now) {
        return !recovered && state() == State.OWNED && rest.over(now);
    }

    /** How many messages it has in hand, as of its last turn. */
    public int waiting() {
        return waiting;
    }

    long claimedNanos() {
        return claimedNanos;
    }

    /** Not this engine's shard any more. */
    boolean over() {
        State state = state();
        return state == State.LOST || state == State.GIVEN_BACK;
    }

    /** Hands in a message whose activity's row stands for it; it joins the next batch. False if the loop has ended. */
    boolean offer(Message message) {
        return backlog.inflow().offer(message);
    }

    /** Hands in what the code of a flow has come to; it joins the next batch. False if the loop has ended. */
    boolean submit(Submission submission) {
        return backlog.inflow().submit(submission);
    }

    /** Hands in a start; it joins the next batch. False if the loop has ended. */
    boolean start(Starting.Order order) {
        return starting.offer(order);
    }

    /** Hands in a signal; it joins the next batch. False if the loop has ended. */
    boolean join(Joining.Order order) {
        return backlog.joining().offer(order);
    }

    /** Hands in statements of the user's; they run beside the loop. False if the loop has ended. */
    boolean transact(Transaction transaction) {
        return transacting.offer(transaction);
    }

    /** The code of a flow is to begin anew, in the next turn. */
    void revive(WorkflowKey workflow) {
        backlog.inflow().revive(workflow);
    }

    /** Somebody has left something in the inbox. */
    void hint() {
        backlog.inflow().hint();
    }

    /** Whether the shard is to be handed back, in a turn of its own. */
    void surplus(boolean tooMany) {
        surplus = tooMany;
    }

    /** The store knows a later epoch than this one. */
    void stale(Fence fence) {
        standing.stale(fence);
    }

    /** Takes no more offers; returns those that would be lost with it. */
    List<Message> close() {
        watch.forget(fence().shard());
        backlog.inflow().close();
        running.forget("the shard is not owned any more");
        transacting.close();
        starting.close();
        backlog.joining().close();
        flows.lost();
        flows.released();
        return stranded();
    }

    /** Answers that lie nowhere but here, of a loop that will not run them. */
    List<Message> stranded() {
        return backlog.stranded();
    }

    /** When there will be something to do at the latest, unless something comes in. */
    @Nullable Instant wakeAt() {
        if (failures > 0) {
            return rest.until();
        }
        return switch (state()) {
            case OWNED -> recovered
                    ? earlier(awake.next(), earlier(backlog.wakeAt(), leaving == null ? null : leavingLook))
                    : Instant.EPOCH;
            case UNSURE -> Instant.EPOCH;
            case LOST, GIVEN_BACK, BROKEN -> null;
        };
    }

    /** The earlier of two moments, either of which may not be known. */
    static @Nullable Instant earlier(@Nullable Instant one, @Nullable Instant other) {
        return one == null || (other != null && other.isBefore(one)) ? other : one;
    }

    /**
     * Does what there is to do now, up to a commit. Returns whether it was anything. What was begun has to be {@link #end ended} before
     * the next turn; in between other shards may begin theirs, and all their commits are under way at once.
     */
    boolean begin(Instant now) {
        if (!rest.over(now)) {
            return false;
        }
        begun = true;
        State before = state();
        return guarded(now, () -> switch (before) {
            case OWNED -> work(now);
            case UNSURE -> raise();
            case LOST, GIVEN_BACK, BROKEN -> false;
        });
    }

    /** Hears what became of the commit, and does what follows. */
    void end(Instant now) {
        guarded(now, () -> {
            running.end(now);
            return true;
        });
        if (begun) {
            failures = 0;
            watch.succeeded(fence().shard());
        }
        begun = false;
        waiting = backlog.size();
    }

    /** A store that fails is left alone for a while. */
    private boolean guarded(Instant now, BooleanSupplier work) {
        State before = state();
        try {
            return work.getAsBoolean();
        } catch (StoreException.CommitUnknown e) {
            watch.failed(fence().shard(), e);
            standing.unsure();
            if (before == State.UNSURE) {
                failed(e, now);
            } else {
                begun = false;
                standing.trouble(e.getMessage());
            }
            return true;
        } catch (StoreException e) {
            watch.failed(fence().shard(), e);
            failed(e, now);
            return false;
        } catch (LedgerViolation e) {
            standing.broken(e.getMessage());
            return false;
        } catch (RuntimeException e) {
            // Nobody's fault that is known. The others of this engine go on, and this one when it has rested.
            failed(e, now);
            throw e;
        }
    }

    private void failed(RuntimeException e, Instant now) {
        begun = false;
        // Whoever waits for a signal to be accepted hears from the store itself how it is.
        backlog.joining().forget();
        standing.trouble(e.getMessage());
        rest = Rest.after(failures++, SHORTEST, LONGEST, now);
    }

    private boolean work(Instant now) {
        if (surplus ? inOrder(now) && quiet(now) : stays(now)) {
            return handBack();
        }
        if (!recovered) {
            recover(now);
        }
        boolean transacted = transacting.turn(committer, now);
        boolean parked = missing.turn(committer, now);
        Later.Entry<Delivery> suspect = backlog.suspects().take(now);
        if (suspect != null && transacting.holds(suspect.what().message().workflow())) {
            backlog.suspects().addFirst(suspect.what());
        } else if (suspect != null) {
            redelivering.run(suspect, now);
            return true;
        }
        backlog.takeIn(now);
        boolean woken = awake.begin(now);
        boolean revived = revive();
        return running.begin(now) || woken || revived || transacted || parked;
    }

    private boolean revive() {
        boolean any = false;
        for (WorkflowKey workflow = backlog.inflow().takeRevival(); workflow != null; workflow =
                backlog.inflow().takeRevival()) {
            flows.revive(workflow);
            any = true;
        }
        return any;
    }

    /**
     * Whether nothing of the shard runs any more, or has run for long enough: what still runs then is declared, stays this process's, and its
     * outcome goes to the next owner by the inbox. From the first call on the flows of the shard begin nothing new.
     */
    private boolean quiet(Instant now) {
        if (leaving == null) {
            leaving = Rest.of(settings.handOverMax(), now);
        }
        leavingLook = now.plus(LEAVING_LOOK);
        return host.quiesce(fence().shard()) || (leaving.over(now) && flows.declareRunning());
    }

    /** The shard is not to be handed back after all: what has been stopped for that begins again from what is durable. */
    private boolean stays(Instant now) {
        if (leaving != null) {
            leaving = null;
            clean = inOrder(now) && settled();
            recovered = false;
        }
        return false;
    }

    /** Whoever claims the shard next may take it as it is: no suspect lies in it that has not had its turn. */
    private boolean inOrder(Instant now) {
        return recovered ? !backlog.suspectsDue(now) : clean;
    }

    /** Whatever the last owner left is in the store. */
    private void recover(Instant now) {
        cache.clear();
        tasks.clear();
        running.forget("what is durable has to be read anew");
        transacting.forget("what is durable has to be read anew");
        starting.forget();
        flows.lost();
        backlog.recover(clean, now);
        new Recovery(store, fence().shard()).tasks(tasks::found);
        missing.reset();
        flows.recovers(clean);
        awake.reset();
        recovered = true;
    }

    /** After an unknown outcome: a new epoch first, so that the lost commit can no longer come through; then read again. */
    private boolean raise() {
        Fence fence = fence();
        Lease lease = store.leases(fence.shard().namespace(), fence.shard().group()).get(fence.shard().number());
        Fence latest = new Fence(fence.shard(), lease.epoch());
        if (owner.equals(lease.owner()) && store.raise(latest, settings.leaseTtl()) instanceof Claim.Claimed claimed) {
            clean = false;
            recovered = false;
            standing.owned(claimed.fence());
        } else {
            standing.lost();
        }
        return true;
    }

    /** Whether what may have been under way at an unclean end is declared, so that the next owner finds it. */
    private boolean settled() {
        return clean || (awake.done() && flows.settled());
    }

    /** Between two turns nothing is under way. */
    private boolean handBack() {
        if (settled()) {
            store.release(fence());
        } else {
            // The next owner has to know of the unclean end, too.
            store.abandon(fence());
        }
        standing.givenBack();
        return true;
    }

    /**
     * The engine stops: gives the shard back if it is in order, and if everything that still runs is declared. If not, its lease must run out,
     * so that the next owner knows. After the last turn.
     */
    void drain(Instant now) {
        if (state() == State.OWNED && inOrder(now) && flows.declareRunning()) {
            handBack();
        }
    }
}
