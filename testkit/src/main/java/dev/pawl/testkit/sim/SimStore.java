package dev.pawl.testkit.sim;

import dev.pawl.engine.store.Claim;
import dev.pawl.engine.store.Commit;
import dev.pawl.engine.store.Cutoffs;
import dev.pawl.engine.store.DecisionRecord;
import dev.pawl.engine.store.DecisionRequest;
import dev.pawl.engine.store.DecisionResult;
import dev.pawl.engine.store.Fence;
import dev.pawl.engine.store.GivenUp;
import dev.pawl.engine.store.HeldSlot;
import dev.pawl.engine.store.Lease;
import dev.pawl.engine.store.Page;
import dev.pawl.engine.store.PoolUse;
import dev.pawl.engine.store.Presence;
import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.SignalRequest;
import dev.pawl.engine.store.SignalResult;
import dev.pawl.engine.store.SlotGrant;
import dev.pawl.engine.store.SlotHolder;
import dev.pawl.engine.store.SlotKey;
import dev.pawl.engine.store.SlotPool;
import dev.pawl.engine.store.StaleOwner;
import dev.pawl.engine.store.StartResult;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.StoreCapabilities;
import dev.pawl.engine.store.StoreException;
import dev.pawl.engine.store.Swept;
import dev.pawl.engine.store.Transacted;
import dev.pawl.engine.store.Waiting;
import dev.pawl.engine.store.WorkflowQuery;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Fold;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.event.Event;
import dev.pawl.kernel.event.JournalEntry;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Recipient;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.ledger.LedgerViolation;
import dev.pawl.kernel.message.Attribute;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.EffectRecord;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A store in memory with real transactions. Connected to by a {@link SimLink}, its every call can fail at any point. Deterministic: what it answers depends
 * on the calls and the clock alone. Safe for use by many threads; one call at a time.
 */
public final class SimStore implements Store, SimRows {

    private final SimTables tables = new SimTables();
    private final Map<String, Integer> rows = new HashMap<>();
    private final StoreCapabilities capabilities;
    private final Set<Flaw> flaws;
    private final SimLeases leases;
    private final SimSignals signals;
    private final SimReads reads;
    private final SimRetention retention;
    private final SimDecisions decisions;
    private final SimSlots slots;
    private SimObserver observer = SimObserver.NONE;

    public SimStore(InstantSource clock) {
        this(clock, StoreCapabilities.FULL, EnumSet.noneOf(Flaw.class));
    }

    public SimStore(InstantSource clock, StoreCapabilities capabilities, Set<Flaw> flaws) {
        this.capabilities = capabilities;
        this.flaws = flaws;
        this.leases = new SimLeases(tables, clock, flaws);
        this.signals = new SimSignals(tables, flaws);
        this.reads = new SimReads(tables, flaws);
        this.retention = new SimRetention(tables, flaws);
        this.decisions = new SimDecisions(tables, signals, flaws);
        this.slots = new SimSlots(tables, clock, flaws);
    }

    /** A connection of one caller's own, whose calls fail as the faults say. */
    public SimLink connect(Faults faults) {
        return new SimLink(this, this::rob, faults);
    }

    /** Is told from now on of everything that becomes durable. */
    public synchronized void observe(SimObserver newObserver) {
        observer = newObserver;
    }

    /** Another engine takes the shard from under its owner, and is gone at once. */
    public synchronized void rob(Fence fence) {
        leases.robbed(fence);
    }

    /** How often the shard of a workflow was robbed. */
    public synchronized int robberies(WorkflowKey workflow, String group) {
        return leases.robberies(workflow, group);
    }

    @Override
    public StoreCapabilities capabilities() {
        return capabilities;
    }

    @Override
    public int createShards(String namespace, String group, int count) {
        return locked(() -> leases.create(namespace, group, count));
    }

    @Override
    public List<Lease> leases(String namespace, String group) {
        return locked(() -> leases.leases(namespace, group));
    }

    @Override
    public Claim claim(ShardId shard, String owner, Duration ttl, int format) {
        return locked(() -> leases.claim(shard, owner, ttl, format));
    }

    @Override
    public Claim takeOver(Lease seen, String owner, Duration ttl, int format) {
        return locked(() -> leases.takeOver(seen, owner, ttl, format));
    }

    @Override
    public List<Presence> renewAll(String namespace, String group, String owner, Duration ttl, boolean shares) {
        return locked(() -> leases.renewAll(namespace, group, owner, ttl, shares));
    }

    /** When the lease of an engine began that has not run out since then; null if the engine has none. For those who check. */
    public synchronized @Nullable Instant presentSince(String namespace, String group, String owner) {
        return leases.presentSince(namespace, group, owner);
    }

    @Override
    public List<Presence> presences(String namespace, String group) {
        return locked(() -> leases.presences(namespace, group));
    }

    @Override
    public Claim raise(Fence fence, Duration ttl) {
        return locked(() -> leases.raise(fence, ttl));
    }

    @Override
    public void abandon(Fence fence) {
        locked(() -> {
            leases.abandon(fence);
            return true;
        });
    }

    @Override
    public void forget(String namespace, String group, Presence seen) {
        locked(() -> leases.forget(namespace, group, seen));
    }

    @Override
    public void depart(String namespace, String group, String owner) {
        locked(() -> leases.depart(namespace, group, owner));
    }

    @Override
    public void release(Fence fence) {
        locked(() -> {
            leases.release(fence);
            return true;
        });
    }

    @Override
    public synchronized Commit commit(Fence fence, List<Bundle> bundles) {
        Commit commit = commitNow(fence, bundles);
        if (commit instanceof Commit.Committed) {
            observer.committed(fence, leases.shard(fence.shard()).epoch(), bundles);
        }
        return commit;
    }

    private Commit commitNow(Fence fence, List<Bundle> bundles) {
        SimShard shard = leases.shard(fence.shard());
        if (!shard.heldUnder(fence) && !flaws.contains(Flaw.SKIPS_FENCE)) {
            if (flaws.contains(Flaw.KEEPS_REFUSED_ACCEPTANCE)) {
                new SimCommit(tables, flaws, fence, bundles).acceptAnyway();
            }
            return new StaleOwner(shard.epoch());
        }
        bundles.stream().flatMap(bundle -> bundle.writes().stream()).forEach(this::noteAcknowledged);
        return new SimCommit(tables, flaws, fence, bundles).run();
    }

    private void noteAcknowledged(Write write) {
        if (write instanceof Write.Acknowledge(Delivery.Place.Inbox inbox)) {
            reads.acknowledged(inbox.id());
        }
    }

    @Override
    public Snapshot load(WorkflowKey workflow) {
        return locked(() -> {
            SimWorkflow rows = tables.workflows.get(workflow);
            return rows == null ? Snapshot.ABSENT : rows.snapshot();
        });
    }

    @Override
    public StartResult start(Message.Start start, Bundle inception) {
        return locked(() -> startNow(start, inception));
    }

    @Override
    public StartedWithSignal start(Message.Start start, Bundle inception, SignalRequest signal,
            Predicate<WorkflowRecord> same) {
        return locked(() -> {
            StartResult started = startNow(start, inception);
            boolean other = started instanceof StartResult.AlreadyStarted already && !same.test(already.workflow());
            return new StartedWithSignal(started, other ? null : signals.accept(signal));
        });
    }

    private StartResult startNow(Message.Start start, Bundle inception) {
        if (flaws.contains(Flaw.OVERWRITES_START)) {
            tables.workflows.remove(start.workflow());
        }
        SimTransaction transaction = new SimTransaction(tables);
        SimWorkflow existing = transaction.workflow(start.workflow());
        if (existing != null) {
            return new StartResult.AlreadyStarted(existing.row);
        }
        String group = start.beginning().group();
        if (!transaction.post(group, start)) {
            throw new IllegalArgumentException("group " + group + " has no shards; create them first");
        }
        int count = tables.shardCount(start.workflow().namespace(), group);
        ShardId shard = ShardId.of(start.workflow(), group, count);
        try {
            new SimBundle(transaction, flaws, shard, inception, true).apply();
        } catch (SimCommit.Refused e) {
            throw new IllegalArgumentException("the start of " + start.workflow() + " is refused: " + e.why, e);
        }
        transaction.install();
        return new StartResult.Started();
    }

    @Override
    public Set<String> existing(String namespace, Collection<String> workflowIds) {
        return workflowIds.stream().filter(id -> load(new WorkflowKey(namespace, id)).workflow() != null)
                .collect(Collectors.toSet());
    }

    /** Nothing: it is no cheaper here, and seeds are older than that. */
    @Override
    public Map<WorkflowKey, Snapshot> loadAhead(Collection<WorkflowKey> workflows) {
        return Map.of();
    }

    @Override
    public SignalResult signal(SignalRequest request) {
        if (request.keyed() && !capabilities.conditionalBatch()) {
            throw new StoreException.CapabilityMissing("conditionalBatch", "a signal with a signalId", getClass());
        }
        return locked(() -> signals.accept(request));
    }

    @Override
    public void post(String group, Message message) {
        locked(() -> {
            SimTransaction transaction = new SimTransaction(tables);
            if (!transaction.post(group, message)) {
                throw new IllegalArgumentException("group " + group + " has no shards; create them first");
            }
            transaction.install();
            return true;
        });
    }

    @Override
    public void listen(Listener listener) {
        // Nobody is ever told: an engine must get along without.
    }

    @Override
    public List<Delivery> inbox(ShardId shard, int limit) {
        return locked(() -> reads.inbox(shard, limit));
    }

    @Override
    public List<Delivery> queue(ShardId shard, @Nullable Delivery after, int limit) {
        return locked(() -> reads.queue(shard, after, limit));
    }

    @Override
    public List<Waiting> due(ShardId shard, Instant now, int limit) {
        return locked(() -> reads.due(shard, now, limit));
    }

    @Override
    public synchronized @Nullable Instant nextDue(ShardId shard) {
        return reads.nextDue(shard);
    }

    @Override
    public Commit transact(Fence fence, Transacted work) throws Exception {
        List<String> put = new ArrayList<>();
        Commit commit = commit(fence, List.of(work.run(SimRows.connection(put::add))));
        if (commit instanceof Commit.Committed) {
            put.forEach(this::put);
        }
        return commit;
    }

    /** At once, in no transaction. */
    @Override
    public synchronized void put(String row) {
        rows.merge(row, 1, Integer::sum);
    }

    /** What transactions of flows have put into a table of the application's, and how often. */
    public synchronized Map<String, Integer> rows() {
        return new TreeMap<>(rows);
    }

    @Override
    public List<Waiting> awake(ShardId shard, @Nullable Waiting after, int limit) {
        return locked(() -> reads.awake(shard, after, limit));
    }

    @Override
    public List<Waiting> tasks(ShardId shard, @Nullable Waiting after, int limit) {
        return locked(() -> reads.tasks(shard, after, limit));
    }

    @Override
    public synchronized @Nullable WorkflowRecord workflow(WorkflowKey workflow) {
        SimWorkflow rows = tables.workflows.get(workflow);
        return rows == null ? null : rows.row;
    }

    @Override
    public synchronized @Nullable ActivityRecord activity(WorkflowKey workflow, ActivityKey activity, long after) {
        return reads.activity(workflow, activity, after);
    }

    @Override
    public Page<WorkflowRecord> workflows(WorkflowQuery query, @Nullable String cursor, int limit) {
        return locked(() -> reads.workflows(query, cursor, limit));
    }

    @Override
    public Page<Recipient> hooked(String namespace, String topic, @Nullable String cursor, int limit) {
        return locked(() -> reads.hooked(namespace, topic, cursor, limit));
    }

    @Override
    public List<EffectRecord> effects(WorkflowKey workflow) {
        return locked(() -> reads.effects(workflow));
    }

    @Override
    public boolean accepted(WorkflowKey workflow, String signalName, String signalId) {
        return locked(() -> signals.accepted(workflow, signalName, signalId));
    }

    @Override
    public List<Attribute> attributes(WorkflowKey workflow) {
        return locked(() -> reads.attributes(workflow));
    }

    @Override
    public List<Event> events(WorkflowKey workflow, long after, int limit) {
        return locked(() -> reads.events(workflow, after, limit));
    }

    @Override
    public List<JournalEntry> journal(WorkflowKey workflow, long after, int limit) {
        return locked(() -> reads.journal(workflow, after, limit));
    }

    @Override
    public List<Waiting> waiting(WorkflowKey workflow) {
        return locked(() -> reads.waiting(workflow));
    }

    @Override
    public Page<GivenUp> givenUp(String namespace, @Nullable String cursor, int limit) {
        return locked(() -> reads.givenUp(namespace, cursor, limit));
    }

    @Override
    public DecisionResult decide(DecisionRequest request) {
        return locked(() -> decisions.decide(request));
    }

    @Override
    public List<DecisionRecord> decisions(WorkflowKey workflow) {
        return locked(() -> decisions.decisions(workflow));
    }

    @Override
    public Page<Waiting> awaiting(String namespace, String topicPrefix, @Nullable String cursor, int limit) {
        return locked(() -> reads.awaiting(namespace, topicPrefix, cursor, limit));
    }

    @Override
    public Page<WorkflowRecord> parked(String namespace, @Nullable String cursor, int limit) {
        return locked(() -> reads.parked(namespace, cursor, limit));
    }

    @Override
    public SlotGrant acquireSlots(String namespace, String process, List<SlotPool> pools,
            List<SlotHolder> holders) {
        return locked(() -> slots.acquire(namespace, process, pools, holders));
    }

    @Override
    public Set<SlotKey> renewSlots(String namespace, Collection<SlotKey> held, Duration ttl) {
        return locked(() -> slots.renew(namespace, held, ttl));
    }

    @Override
    public void releaseSlots(String namespace, Collection<SlotKey> held) {
        locked(() -> slots.release(namespace, held));
    }

    @Override
    public List<PoolUse> pools(String namespace) {
        return locked(() -> slots.pools(namespace));
    }

    @Override
    public List<HeldSlot> slots(String namespace, String pool, int limit) {
        return locked(() -> slots.slots(namespace, pool, limit));
    }

    @Override
    public Page<EffectRecord> unknownEffects(String namespace, @Nullable String cursor, int limit) {
        return locked(() -> reads.unknownEffects(namespace, cursor, limit));
    }

    @Override
    public Swept sweep(String namespace, Cutoffs cutoffs, Instant now, int limit) {
        return locked(() -> retention.sweep(namespace, cutoffs, now, limit));
    }

    @Override
    public Swept sweepable(String namespace, Cutoffs cutoffs, Instant now) {
        return locked(() -> retention.sweepable(namespace, cutoffs, now));
    }

    @Override
    public Map<String, Long> orphans(String namespace) {
        return locked(() -> retention.orphans(namespace));
    }

    @Override
    public void close() {
        // Nothing is held outside memory.
    }

    /** Everything durable, as text, in an order that depends on nothing but the content. */
    public synchronized String dump(SimDump.Style style) {
        return new SimDump(tables, style).text();
    }

    /** Every workflow there is. */
    public synchronized List<WorkflowRecord> all() {
        return tables.workflows.values().stream().map(workflow -> workflow.row).toList();
    }

    /** Workflows whose state is not what their journal folds to. */
    public synchronized List<String> unlikeTheirJournal() {
        List<String> unlike = new ArrayList<>();
        tables.workflows.forEach((key, rows) -> {
            Fold fold = new Fold(key);
            try {
                rows.journal.forEach(fold::add);
                if (!fold.snapshot().equals(rows.snapshot())) {
                    unlike.add("P1 the journal of %s folds to %s and not to %s".formatted(key, fold.snapshot(),
                            rows.snapshot()));
                }
            } catch (LedgerViolation e) {
                unlike.add("P1 the journal of %s: %s".formatted(key, e.getMessage()));
            }
        });
        return unlike;
    }

    /** Whether every workflow has ended. */
    public synchronized boolean over() {
        for (SimWorkflow workflow : tables.workflows.values()) {
            if (!workflow.row.status().terminal()) {
                return false;
            }
        }
        return true;
    }

    /** Messages that nobody has consumed yet. */
    public synchronized int undelivered() {
        int left = tables.inbox.size();
        for (SimWorkflow rows : tables.workflows.values()) {
            left += rows.queue.size();
        }
        return left;
    }

    private synchronized <T> T locked(Supplier<T> body) {
        return body.get();
    }
}
