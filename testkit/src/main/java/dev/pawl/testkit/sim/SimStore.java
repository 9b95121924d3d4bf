package dev.pawl.testkit.sim;

import dev.pawl.engine.store.Claim;
import dev.pawl.engine.store.Commit;
import dev.pawl.engine.store.Fence;
import dev.pawl.engine.store.GivenUp;
import dev.pawl.engine.store.Lease;
import dev.pawl.engine.store.Page;
import dev.pawl.engine.store.Rejection;
import dev.pawl.engine.store.Renewal;
import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.SignalRequest;
import dev.pawl.engine.store.SignalResult;
import dev.pawl.engine.store.StaleOwner;
import dev.pawl.engine.store.StartResult;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.StoreCapabilities;
import dev.pawl.engine.store.StoreException;
import dev.pawl.engine.store.Waiting;
import dev.pawl.engine.store.WorkflowQuery;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.Recipient;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store in memory with real transactions, whose every call can fail at any point. Deterministic: what it answers depends
 * on the calls and the clock alone. Safe for use by many threads; one call at a time.
 */
public final class SimStore implements Store {

    private final SimTables tables = new SimTables();
    private final Faults.Counter calls = new Faults.Counter();
    private final StoreCapabilities capabilities;
    private final Set<Flaw> flaws;
    private final SimLeases leases;
    private final SimSignals signals;
    private final SimReads reads;
    private Faults faults = Faults.none();

    public SimStore(InstantSource clock) {
        this(clock, StoreCapabilities.FULL, EnumSet.noneOf(Flaw.class));
    }

    public SimStore(InstantSource clock, StoreCapabilities capabilities, Set<Flaw> flaws) {
        this.capabilities = capabilities;
        this.flaws = flaws;
        this.leases = new SimLeases(tables, clock, flaws);
        this.signals = new SimSignals(tables, flaws);
        this.reads = new SimReads(tables, flaws);
    }

    /** From now on, calls fail as these say. */
    public synchronized void strike(Faults newFaults) {
        faults = newFaults;
    }

    public Faults.Counter calls() {
        return calls;
    }

    @Override
    public StoreCapabilities capabilities() {
        return capabilities;
    }

    @Override
    public int createShards(String namespace, String group, int count) {
        return call(Operation.CREATE_SHARDS, () -> leases.create(namespace, group, count));
    }

    @Override
    public List<Lease> leases(String namespace, String group) {
        return call(Operation.LEASES, () -> leases.leases(namespace, group));
    }

    @Override
    public Claim claim(ShardId shard, String owner, Duration ttl, int format) {
        return call(Operation.CLAIM, () -> leases.claim(shard, owner, ttl, format));
    }

    @Override
    public Renewal renew(Fence fence, Duration ttl) {
        return call(Operation.RENEW, () -> leases.renew(fence, ttl));
    }

    @Override
    public Claim raise(Fence fence, Duration ttl) {
        return call(Operation.RAISE, () -> leases.raise(fence, ttl));
    }

    @Override
    public void release(Fence fence) {
        call(Operation.RELEASE, () -> {
            leases.release(fence);
            return true;
        });
    }

    @Override
    public synchronized Commit commit(Fence fence, List<Bundle> bundles) {
        Fault fault = faults.strike(Operation.COMMIT, calls.next(Operation.COMMIT));
        if (fault == Fault.STALE_FENCE) {
            leases.robbed(fence);
        }
        if (fault == Fault.WRONG_VERSION) {
            long expected = bundles.getFirst().expectedVersion();
            return new Commit.Rejected(0, new Rejection.VersionConflict(expected, expected + 1));
        }
        return struck(fault, () -> commitNow(fence, bundles));
    }

    private Commit commitNow(Fence fence, List<Bundle> bundles) {
        SimShard shard = leases.shard(fence.shard());
        if (!shard.heldUnder(fence) && !flaws.contains(Flaw.SKIPS_FENCE)) {
            return new StaleOwner(shard.epoch());
        }
        bundles.stream().flatMap(Bundle::writes).forEach(this::noteAcknowledged);
        return new SimCommit(tables, flaws, fence, bundles).run();
    }

    private void noteAcknowledged(Write write) {
        if (write instanceof Write.Acknowledge(Delivery.Place.Inbox inbox)) {
            reads.acknowledged(inbox.id());
        }
    }

    @Override
    public Snapshot load(WorkflowKey workflow) {
        return call(Operation.LOAD, () -> {
            SimWorkflow rows = tables.workflows.get(workflow);
            return rows == null ? Snapshot.ABSENT : rows.snapshot();
        });
    }

    @Override
    public StartResult start(Message.Start start, Bundle inception) {
        return call(Operation.START, () -> startNow(start, inception));
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
        new SimBundle(transaction, flaws, shard, inception, true).apply();
        transaction.install();
        return new StartResult.Started();
    }

    @Override
    public SignalResult signal(SignalRequest request) {
        if (request.keyed() && !capabilities.conditionalBatch()) {
            throw new StoreException.CapabilityMissing("conditionalBatch", "a signal with a signalId", getClass());
        }
        return call(Operation.SIGNAL, () -> signals.accept(request));
    }

    @Override
    public void post(String group, Message message) {
        call(Operation.POST, () -> {
            SimTransaction transaction = new SimTransaction(tables);
            if (!transaction.post(group, message)) {
                throw new IllegalArgumentException("group " + group + " has no shards; create them first");
            }
            transaction.install();
            return true;
        });
    }

    @Override
    public List<Delivery> inbox(ShardId shard, int limit) {
        return call(Operation.INBOX, () -> reads.inbox(shard, limit));
    }

    @Override
    public List<Delivery> queue(ShardId shard, @Nullable Delivery after, int limit) {
        return call(Operation.QUEUE, () -> reads.queue(shard, after, limit));
    }

    @Override
    public List<Waiting> due(ShardId shard, Instant now, int limit) {
        return call(Operation.DUE, () -> reads.due(shard, now, limit));
    }

    @Override
    public synchronized @Nullable Instant nextDue(ShardId shard) {
        struck(faults.strike(Operation.NEXT_DUE, calls.next(Operation.NEXT_DUE)), () -> true);
        return reads.nextDue(shard);
    }

    @Override
    public List<Waiting> tasks(ShardId shard, @Nullable Waiting after, int limit) {
        return call(Operation.TASKS, () -> reads.tasks(shard, after, limit));
    }

    @Override
    public Page<WorkflowRecord> workflows(WorkflowQuery query, @Nullable String cursor, int limit) {
        return call(Operation.WORKFLOWS, () -> reads.workflows(query, cursor, limit));
    }

    @Override
    public Page<Recipient> hooked(String namespace, String topic, @Nullable String cursor, int limit) {
        return call(Operation.HOOKED, () -> reads.hooked(namespace, topic, cursor, limit));
    }

    @Override
    public Page<GivenUp> givenUp(String namespace, @Nullable String cursor, int limit) {
        return call(Operation.GIVEN_UP, () -> reads.givenUp(namespace, cursor, limit));
    }

    @Override
    public void close() {
        // Nothing is held outside memory.
    }

    private synchronized <T> T call(Operation operation, Supplier<T> body) {
        return struck(faults.strike(operation, calls.next(operation)), body);
    }

    private static <T> T struck(@Nullable Fault fault, Supplier<T> body) {
        if (fault == Fault.BUSY) {
            throw new StoreException.Busy("the store is busy; try again", null);
        }
        if (fault == Fault.FULL) {
            throw new StoreException.Full("the disk is full; make room and try again", null);
        }
        if (fault == Fault.UNAVAILABLE) {
            throw new StoreException.Unavailable("the store cannot be reached; nothing was written", null);
        }
        T result = body.get();
        if (fault == Fault.LOST_ANSWER) {
            throw new StoreException.CommitUnknown("the connection broke after the commit was sent", null);
        }
        return result;
    }
}
