package dev.pawl.engine.shard;

import dev.pawl.engine.CheckpointOwnership;
import dev.pawl.engine.CheckpointOwnershipCapabilityError;
import dev.pawl.engine.Definition;
import dev.pawl.engine.EngineSettings;
import dev.pawl.engine.Incidents;
import dev.pawl.engine.shard.ShardLoop.State;
import dev.pawl.engine.store.Claim;
import dev.pawl.engine.store.Lease;
import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.SignalRequest;
import dev.pawl.engine.store.SignalResult;
import dev.pawl.engine.store.StartResult;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.StoreException;
import dev.pawl.engine.task.Dispatcher;
import dev.pawl.engine.task.FlowHost;
import dev.pawl.engine.task.ProcessLease;
import dev.pawl.engine.task.Submission;
import dev.pawl.engine.task.Task;
import dev.pawl.engine.task.Transaction;
import dev.pawl.kernel.collation.Collation;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Attribute;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One engine: owns its share of its group's shards, and drives each of them. Starting anew after a crash is nothing special: the
 * shards are claimed when the old leases have run out, and everything else is in the store.
 *
 * <p>It has no thread of its own. Either one thread calls {@link #turn()} again and again; or one calls {@link #tend()}, so that a
 * slow commit never costs a lease, and others each a lane of {@link #turn(int, int)}. All other methods may be called from any
 * thread.
 */
public final class Engine implements ProcessLease {

    /** So many shards are read anew in one turn of a lane. */
    private static final int RECOVERIES_MAX = 2;

    private final String owner;
    private final Store store;
    private final String namespace;
    private final String group;
    private final Definitions definitions;
    private final Dispatcher dispatcher;
    private final FlowHost host;
    private final InstantSource clock;
    private final EngineSettings settings;
    private final Map<ShardId, ShardLoop> loops = new ConcurrentSkipListMap<>();
    private final LongSupplier ticker;
    private final Incidents incidents;
    private final StoreWatch storeWatch;
    private final BrokenShards broken;
    private final LeaseKeeper leases;
    private final Stranded stranded;
    private final HeadStart headStart = new HeadStart(() -> shards().forEach(loop -> wake(loop.fence().shard())));
    private volatile Consumer<ShardId> waker = shard -> {};
    private volatile Runnable looker = () -> {};

    /**
     * An engine that owns nothing yet.
     *
     * @param owner unique among all engines that ever use the store, and new at every start
     */
    public Engine(String owner, Store store, String namespace, String group, List<Definition> definitions,
            Dispatcher dispatcher, InstantSource clock, EngineSettings settings) {
        this(owner, store, namespace, group, definitions, dispatcher, FlowHost.NONE, clock, settings);
    }

    /**
     * An engine that runs flows, too, and owns nothing yet.
     *
     * @param host runs the code of the flows among the definitions
     */
    public Engine(String owner, Store store, String namespace, String group, List<Definition> definitions,
            Dispatcher dispatcher, FlowHost host, InstantSource clock, EngineSettings settings) {
        this(owner, store, namespace, group, definitions, dispatcher, host, clock, () -> nanos(clock.instant()),
                settings);
    }

    private static long nanos(Instant instant) {
        return TimeUnit.SECONDS.toNanos(instant.getEpochSecond()) + instant.getNano();
    }

    /**
     * The same with a clock that is never set.
     *
     * @param ticker nanoseconds that only grow and go on while the process is stopped; leases are judged by it
     */
    public Engine(String owner, Store store, String namespace, String group, List<Definition> definitions,
            Dispatcher dispatcher, FlowHost host, InstantSource clock, LongSupplier ticker,
            EngineSettings settings) {
        this(owner, store, namespace, group, definitions, dispatcher, host, clock, ticker, settings, new Incidents());
    }

    /**
     * The same for an engine that shares its incidents with others.
     *
     * @param incidents logs and counts what takes something out of service
     */
    public Engine(String owner, Store store, String namespace, String group, List<Definition> definitions,
            Dispatcher dispatcher, FlowHost host, InstantSource clock, LongSupplier ticker,
            EngineSettings settings, Incidents incidents) {
        if (settings.checkpointOwnership() == CheckpointOwnership.CAS_REQUIRED
                && !store.capabilities().conditionalBatch()) {
            throw new CheckpointOwnershipCapabilityError(settings.checkpointOwnership(), store.getClass());
        }
        this.owner = owner;
        this.store = store;
        this.namespace = namespace;
        this.group = group;
        this.definitions = new Definitions(definitions);
        this.dispatcher = dispatcher;
        this.host = host;
        this.clock = clock;
        this.settings = settings;
        this.ticker = ticker;
        this.incidents = incidents;
        this.storeWatch = new StoreWatch(incidents, clock);
        this.broken = new BrokenShards(owner, incidents, settings.leaseTtl(), ticker);
        this.leases = new LeaseKeeper(owner, store, namespace, group, settings, clock, ticker, loops, this::open,
                this::wake, host::present, storeWatch, broken, new LeaseLog(owner, group, incidents));
        this.stranded = new Stranded(store, group);
        store.listen(hints());
    }

    private ShardLoop open(Claim.Claimed claimed) {
        return new ShardLoop(store, claimed, owner, definitions, dispatcher, host,
                () -> wake(claimed.fence().shard()), settings, incidents, storeWatch, ticker,
                headStart);
    }

    public EngineSettings settings() {
        return settings;
    }

    /** Is told from now on, from any thread, of a shard that has something to do before its time. */
    public void wakeBy(Consumer<ShardId> newWaker) {
        waker = newWaker;
    }

    private void wake(ShardId shard) {
        waker.accept(shard);
    }

    private Store.Listener hints() {
        return new Store.Listener() {

            @Override
            public void posted(ShardId shard) {
                ShardLoop loop = loops.get(shard);
                if (loop != null) {
                    loop.hint();
                    wake(shard);
                }
            }

            @Override
            public void freed(ShardId shard) {
                if (shard.namespace().equals(namespace) && shard.group().equals(group)) {
                    look();
                }
            }
        };
    }

    /** Everything there is to do, on one thread. Returns whether there was anything. */
    public boolean turn() {
        tend();
        return turn(0, 1);
    }

    /** Gives a turn to each owned shard whose number, modulo the number of lanes, is the lane. */
    public boolean turn(int lane, int lanes) {
        boolean busy = false;
        int recoveries = 0;
        List<ShardLoop> begun = new ArrayList<>();
        try {
            for (Map.Entry<ShardId, ShardLoop> entry : loops.entrySet()) {
                ShardLoop loop = entry.getValue();
                if (entry.getKey().number() % lanes != lane) {
                    continue;
                }
                // What the first shards have recovered goes on before the others are read.
                Instant now = clock.instant();
                if (loop.recovers(now) && (headStart.holds(now) || ++recoveries > RECOVERIES_MAX)) {
                    busy |= !headStart.holds(now);
                    continue;
                }
                begun.add(loop);
                busy |= loop.begin(clock.instant());
            }
        } finally {
            end(begun.iterator());
        }
        stranded.post();
        return busy;
    }

    /** Whatever goes wrong with one of them, all are ended. */
    private void end(Iterator<ShardLoop> begun) {
        try {
            while (begun.hasNext()) {
                end(begun.next());
            }
        } finally {
            if (begun.hasNext()) {
                end(begun);
            }
        }
    }

    private void end(ShardLoop loop) {
        loop.end(clock.instant());
        switch (loop.state()) {
            case OWNED, UNSURE -> {}
            case BROKEN -> takeOutOfService(loop);
            case LOST, GIVEN_BACK -> letGo(loop);
        }
    }

    /** When the next turn has something to do at the latest, unless something comes in. */
    public Instant wakeAt() {
        Instant work = wakeAt(0, 1);
        Instant tend = tendAt();
        return work == null || tend.isBefore(work) ? tend : work;
    }

    /** The same for one lane, leases aside; null if it has nothing to wait for. To be called where its turns are. */
    public @Nullable Instant wakeAt(int lane, int lanes) {
        Instant now = clock.instant();
        Instant earliest = null;
        for (Map.Entry<ShardId, ShardLoop> entry : loops.entrySet()) {
            ShardLoop loop = entry.getValue();
            Instant wakeAt = entry.getKey().number() % lanes != lane ? null
                    : headStart.holds(now) && loop.recovers(now) ? headStart.until() : loop.wakeAt();
            earliest = earliest == null || (wakeAt != null && wakeAt.isBefore(earliest)) ? wakeAt : earliest;
        }
        return earliest;
    }

    /**
     * When it is time to, renews the leases, and claims shards or has them handed back, so that every engine has its share. From any
     * thread, whether loops are at work or not.
     */
    public void tend() {
        if (leases.due()) {
            leases.tend();
        }
    }

    /** When leases must be tended again. */
    public Instant tendAt() {
        return leases.next();
    }

    /** What keeps it from having its share of the shards, for people; null if nothing does. */
    public @Nullable String trouble() {
        return leases.trouble();
    }

    /** The loop stays until its lease has been abandoned: the shard must not be claimed again as if nothing had happened. */
    private void takeOutOfService(ShardLoop loop) {
        try {
            store.abandon(loop.fence());
        } catch (StoreException e) {
            stranded.add(loop.stranded());
            return;
        }
        broken.add(loop.fence().shard(), loop.trouble());
        letGo(loop);
    }

    /**
     * Stops for good, as far as that goes without the threads of the engine: nothing more begins, and the shards are free for other engines
     * at once. After an error that nothing here can be trusted with; attempts that still run keep the lease of this process until it
     * runs out. Never throws.
     */
    public void fail() {
        leases.stop();
        for (ShardLoop loop : loops.values()) {
            try {
                store.abandon(loop.fence());
            } catch (RuntimeException | Error e) {
                // Its lease runs out by itself.
            }
            loop.stale(loop.fence());
        }
    }

    /** The shards that are out of service here, each with the reason. */
    public Map<ShardId, String> outOfService() {
        return broken.reasons();
    }

    /** Until when the lease of this engine lasts, by its own clock; null if it has none. */
    public @Nullable Instant leaseUntil() {
        return leases.until();
    }

    /** The shards of the group as they were at the last look; empty before the first. */
    public List<Lease> seen() {
        return leases.seen();
    }

    /** What it knows of its store. */
    public StoreCondition storeCondition() {
        return storeWatch.condition();
    }

    private void letGo(ShardLoop loop) {
        loops.remove(loop.fence().shard(), loop);
        stranded.add(loop.close());
    }

    /** Claims nothing more; what it owns it goes on with. */
    public void retire() {
        try {
            leases.retire();
        } catch (StoreException e) {
            // The others reckon with it until its time is up.
        }
    }

    /**
     * Gives back what it owns, cleanly, and wants nothing more. After the last turn of every lane. Attempts that still run stay this
     * engine's until it {@link #depart departs}.
     */
    public void drain() {
        retire();
        for (ShardLoop loop : loops.values()) {
            try {
                loop.drain(clock.instant());
            } catch (StoreException e) {
                // The lease runs out.
            }
            letGo(loop);
        }
        stranded.post();
    }

    /** Ends the lease of this engine; the last thing it does. What it has begun and not brought to an end is for others to find out. */
    public void depart() {
        try {
            leases.depart();
        } catch (StoreException e) {
            // It runs out.
        }
    }

    @Override
    public String process() {
        return owner;
    }

    @Override
    public boolean holds(ShardId shard) {
        ShardLoop loop = loops.get(shard);
        return leases.holds() && loop != null && loop.state() == State.OWNED;
    }

    @Override
    public CompletableFuture<Void> renewal() {
        return leases.renewal();
    }

    @Override
    public void look() {
        leases.lookSoon();
        looker.run();
    }

    /** Is called from now on, from any thread, when the leases have to be looked at before their time. */
    public void lookBy(Runnable newLooker) {
        looker = newLooker;
    }

    /** The shards it owns at the moment. */
    public List<ShardLoop> shards() {
        return List.copyOf(loops.values());
    }

    /** Starts a workflow, or finds the one that has this id. */
    public StartResult start(String definition, String version, String workflowId, Payload input) {
        return start(definition, version, workflowId, input, List.of());
    }

    /** The same with attributes, which the workflow has from its birth. */
    public StartResult start(String definition, String version, String workflowId, Payload input,
            List<Attribute> attributes) {
        Message.Start plain = beginning(definition, version, workflowId, input);
        Message.Start start = new Message.Start(plain.workflow(), plain.beginning(), attributes);
        StartResult joined = joined(start);
        return joined != null ? joined : store.start(start, Collation.inception(start, clock.instant()));
    }

    /** What became of a start in a shard that is owned here; null if the store has to be asked. */
    private @Nullable StartResult joined(Message.Start start) {
        Starting.Order order = new Starting.Order(start);
        return settings.joins() && handed(start.workflow(), loop -> loop.start(order)) ? answer(order.answer()) : null;
    }

    /** Hands something to the loop that drives a workflow, and wakes it; false if that is not here, or does not take it. */
    private boolean handed(WorkflowKey workflow, Predicate<ShardLoop> over) {
        ShardId shard = shard(workflow);
        ShardLoop loop = loops.get(shard);
        if (loop == null || loop.state() != State.OWNED || !over.test(loop)) {
            return false;
        }
        wake(shard);
        return true;
    }

    private <T> @Nullable T answer(CompletableFuture<@Nullable T> answer) {
        try {
            return answer.get(settings.leaseTtl().toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            // A loop that stands still that long has lost its shard. The store knows what became of it, or takes it.
            answer.cancel(false);
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    /** The same, and accepts a signal for it: both or neither, and neither if the workflow exists and is another one. */
    public Store.StartedWithSignal start(String definition, String version, String workflowId, Payload input,
            SignalRequest signal, Predicate<WorkflowRecord> same) {
        requireConditional(signal);
        Message.Start start = beginning(definition, version, workflowId, input);
        return store.start(start, Collation.inception(start, clock.instant()), signal, same);
    }

    private Message.Start beginning(String definition, String version, String workflowId, Payload input) {
        Definition found = definitions.find(definition, version);
        return new Message.Start(new WorkflowKey(namespace, workflowId), new Message.Beginning(group,
                found.name(), found.version(), found.trigger(), 0, input, null));
    }

    /** Accepts a signal, or finds the answer to it: in the next commit of its shard if that is owned here, or by the store. */
    public SignalResult signal(SignalRequest request) {
        requireConditional(request);
        CompletableFuture<@Nullable SignalResult> joined = settings.joins() ? join(request) : null;
        SignalResult result = joined == null ? null : answer(joined);
        return result != null ? result : store.signal(request);
    }

    /**
     * Has a signal accepted in the next commit of its shard, without waiting for that; null if the shard is not owned here. Whoever is
     * answered null, or not at all, has to ask {@link Store#signal}: it knows what became of the signal, or accepts it.
     */
    public @Nullable CompletableFuture<@Nullable SignalResult> join(SignalRequest request) {
        Joining.Order order = new Joining.Order(request);
        return Joining.fits(request) && handed(request.workflow(), loop -> loop.join(order)) ? order.answer() : null;
    }

    /** A signal that two could accept at once is accepted by nobody. */
    private void requireConditional(SignalRequest request) {
        if (request.keyed() && !store.capabilities().conditionalBatch()) {
            throw new StoreException.CapabilityMissing("conditionalBatch", "a signal with a signalId",
                    store.getClass());
        }
    }

    /** Statements of the user's, in one transaction with what the code of a flow comes to by them. */
    public void transact(Transaction transaction) {
        if (!handed(transaction.workflow(), loop -> loop.transact(transaction))) {
            transaction.outdated("the shard is not owned here");
        }
    }

    /** The code of a flow begins anew from what is durable, if its shard is owned here. */
    public void revive(WorkflowKey workflow) {
        ShardId shard = shard(workflow);
        ShardLoop loop = loops.get(shard);
        if (loop != null) {
            loop.revive(workflow);
            wake(shard);
        }
    }

    /** The code of a flow hands in what it has come to. It hears of it, whatever becomes of it. */
    public void submit(Submission submission) {
        if (!handed(submission.advance().workflow(), loop -> loop.submit(submission))) {
            submission.outdated("the shard is not owned here");
        }
    }

    /** The shard that a workflow of this engine's group lives in. */
    public ShardId shard(WorkflowKey workflow) {
        return ShardId.of(workflow, group, leases.shards());
    }

    /** Whether this engine drives a workflow: then it is the first to hear of everything that becomes of it. */
    public boolean owns(String workflowId) {
        ShardLoop loop = loops.get(shard(new WorkflowKey(namespace, workflowId)));
        return loop != null && loop.state() == State.OWNED;
    }

    /** A worker has answered. The answer counts whoever owns the shard by now. */
    public void answer(Task task, Response response) {
        Message answer = Message.Respond.answer(task.workflow(), task.activity(), task.attempt(), response);
        if (!handed(task.workflow(), loop -> loop.offer(answer))) {
            store.post(task.group(), answer);
        }
    }
}
