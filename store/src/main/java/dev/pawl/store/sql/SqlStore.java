package dev.pawl.store.sql;

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
import dev.pawl.engine.store.StartResult;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.StoreCapabilities;
import dev.pawl.engine.store.StoreException;
import dev.pawl.engine.store.Swept;
import dev.pawl.engine.store.Transacted;
import dev.pawl.engine.store.Waiting;
import dev.pawl.engine.store.WorkflowQuery;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.event.Event;
import dev.pawl.kernel.event.JournalEntry;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Recipient;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Attribute;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.EffectRecord;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.kernel.workflow.WorkflowRecord;
import dev.pawl.store.plan.Plan;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The store port over a database. Safe for use by many threads. */
public abstract class SqlStore implements Store {

    private final Database database;
    private final Shards shards;

    protected SqlStore(Database database, Shards shards) {
        this.database = database;
        this.shards = shards;
    }

    @Override
    public final StoreCapabilities capabilities() {
        return database.capabilities();
    }

    @Override
    public final int createShards(String namespace, String group, int count) {
        return database.write(session -> SqlLeases.create(session, namespace, group, count));
    }

    @Override
    public final List<Lease> leases(String namespace, String group) {
        return database.readOne(session -> SqlLeases.leases(session, namespace, group));
    }

    @Override
    public final Claim claim(ShardId shard, String owner, Duration ttl, int format) {
        return database.write(session -> SqlLeases.claim(session, shard, owner, ttl, format));
    }

    @Override
    public final Claim takeOver(Lease seen, String owner, Duration ttl, int format) {
        return database.write(session -> SqlLeases.takeOver(session, seen, owner, ttl, format));
    }

    @Override
    public final List<Presence> renewAll(String namespace, String group, String owner, Duration ttl, boolean shares) {
        return database.write(session -> SqlLeases.renewAll(session, namespace, group, owner, ttl, shares));
    }

    @Override
    public final List<Presence> presences(String namespace, String group) {
        return database.readOne(session -> SqlLeases.presences(session, namespace, group));
    }

    @Override
    public final Claim raise(Fence fence, Duration ttl) {
        return database.write(session -> SqlLeases.raise(session, fence, ttl));
    }

    @Override
    public final void release(Fence fence) {
        database.write(session -> {
            SqlLeases.release(session, fence);
            return true;
        });
        // Engines that want more shards need not wait until they look for some the next time.
        database.freed(fence.shard());
    }

    @Override
    public final void abandon(Fence fence) {
        database.write(session -> {
            SqlLeases.abandon(session, fence);
            return true;
        });
        database.freed(fence.shard());
    }

    @Override
    public final void depart(String namespace, String group, String owner) {
        database.write(session -> session.update("depart_engine", namespace, group, owner));
    }

    @Override
    public final void forget(String namespace, String group, Presence seen) {
        database.write(session -> session.update("forget_engine", namespace, group, seen.owner(),
                seen.expiresAt().toEpochMilli()));
    }

    @Override
    public final Commit commit(Fence fence, List<Bundle> bundles) {
        return handIn(fence, bundles).answer();
    }

    @Override
    public final HandedIn handIn(Fence fence, List<Bundle> bundles) {
        Plan plan = new Plan(bundles);
        Supplier<Database.Verdict> verdict =
                plan.consistent() ? database.handIn(fence, plan) : () -> Database.Verdict.REFUSED;
        return () -> answer(fence, bundles, plan, verdict.get());
    }

    private Commit answer(Fence fence, List<Bundle> bundles, Plan plan, Database.Verdict verdict) {
        return switch (verdict) {
            case WRITTEN -> {
                tell(plan.posts());
                yield new Commit.Committed(Outcomes.of(bundles));
            }
            case STALE -> database.readOne(session -> SqlLeases.stale(session, fence.shard()));
            case REFUSED -> database.read(session -> Reasons.of(session, shards, fence, bundles));
        };
    }

    @Override
    public final Commit transact(Fence fence, Transacted work) throws Exception {
        Transacting.Outcome outcome = database.transact(fence, work);
        Bundle bundle = outcome.bundle();
        List<Bundle> bundles = bundle == null ? List.of() : List.of(bundle);
        return switch (outcome.verdict()) {
            case WRITTEN -> {
                tell(new Plan(bundles).posts());
                yield new Commit.Committed(Outcomes.of(bundles));
            }
            case STALE -> database.readOne(session -> SqlLeases.stale(session, fence.shard()));
            case REFUSED -> database.read(session -> Reasons.of(session, shards, fence, bundles));
        };
    }

    /** Where the messages went is known by now: the commit had to ask for it. */
    private void tell(List<Write.Post> posts) {
        if (!posts.isEmpty()) {
            database.posted(posts.stream()
                    .map(post -> Objects.requireNonNull(shards.known(post.message().workflow(), post.group())).shard())
                    .distinct().toList());
        }
    }

    @Override
    public final Set<String> existing(String namespace, Collection<String> workflowIds) {
        return database.readOne(session -> SqlReads.existing(session, namespace, workflowIds));
    }

    @Override
    public final StartResult start(Message.Start start, Bundle inception) {
        Plan plan = new Plan(List.of(inception));
        List<ShardId> posted = new ArrayList<>();
        StartResult result = database.write(session -> {
            posted.clear();
            return start(session, start, plan, posted);
        });
        database.posted(posted);
        return result;
    }

    @Override
    public final StartedWithSignal start(Message.Start start, Bundle inception, SignalRequest signal,
            Predicate<WorkflowRecord> same) {
        Plan plan = new Plan(List.of(inception));
        List<ShardId> posted = new ArrayList<>();
        StartedWithSignal result = database.write(session -> {
            posted.clear();
            StartResult started = start(session, start, plan, posted);
            if (started instanceof StartResult.AlreadyStarted already && !same.test(already.workflow())) {
                return new StartedWithSignal(started, null);
            }
            SqlSignals.Outcome outcome = new SqlSignals(session, shards, signal).accept();
            if (outcome.posted() != null) {
                posted.add(outcome.posted());
            }
            return new StartedWithSignal(started, outcome.result());
        });
        database.posted(posted.stream().distinct().toList());
        return result;
    }

    private StartResult start(Session session, Message.Start start, Plan plan, List<ShardId> posted)
            throws SQLException {
        String group = start.beginning().group();
        Shards.Numbered home = shards.home(session, start.workflow(), group);
        if (home == null) {
            throw new IllegalArgumentException("group " + group + " has no shards; create them first");
        }
        if (!plan.consistent() || plan.workflows().size() != 1) {
            throw new IllegalArgumentException("the start of " + start.workflow() + " is not an inception");
        }
        if (!database.start(session, home.shard(), home.shardNo(), plan)) {
            WorkflowRecord existing = SqlReads.workflow(session, start.workflow());
            if (existing == null) {
                throw new StoreException.Busy(start.workflow() + " was deleted while it was started; try it again",
                        null);
            }
            return new StartResult.AlreadyStarted(existing);
        }
        posted.add(shards.post(session, group, start));
        for (Write.Post post : plan.posts()) {
            posted.add(shards.post(session, post.group(), post.message()));
        }
        return new StartResult.Started();
    }

    @Override
    public final SignalResult signal(SignalRequest request) {
        SqlSignals.Outcome outcome =
                database.write(session -> new SqlSignals(session, shards, request).accept());
        if (outcome.posted() != null) {
            database.posted(List.of(outcome.posted()));
        }
        return outcome.result();
    }

    @Override
    public final void post(String group, Message message) {
        ShardId shard = database.write(session -> shards.post(session, group, message));
        database.posted(List.of(shard));
    }

    @Override
    public final void listen(Listener listener) {
        database.listen(listener);
    }

    @Override
    public final Snapshot load(WorkflowKey workflow) {
        return database.read(session -> SqlLoads.load(session, workflow));
    }

    @Override
    public final Map<WorkflowKey, Snapshot> loadAhead(Collection<WorkflowKey> workflows) {
        return database.read(session -> SqlLoads.load(session, workflows));
    }

    @Override
    public final List<Delivery> inbox(ShardId shard, int limit) {
        return database.readOne(session -> SqlReads.inbox(session, shard.namespace(), number(session, shard), limit));
    }

    @Override
    public final List<Delivery> queue(ShardId shard, @Nullable Delivery after, int limit) {
        return database.readOne(
                session -> SqlReads.queue(session, shard.namespace(), number(session, shard), after, limit));
    }

    @Override
    public final List<Waiting> due(ShardId shard, Instant now, int limit) {
        return database
                .readOne(session -> SqlReads.due(session, shard.namespace(), number(session, shard), now, limit));
    }

    @Override
    public final @Nullable Instant nextDue(ShardId shard) {
        return database.<List<Instant>>readOne(session -> {
            Instant due = SqlReads.nextDue(session, number(session, shard));
            return due == null ? List.of() : List.of(due);
        }).stream().findFirst().orElse(null);
    }

    @Override
    public final List<Waiting> awake(ShardId shard, @Nullable Waiting after, int limit) {
        return database.readOne(
                session -> SqlReads.awake(session, shard.namespace(), number(session, shard), after, limit));
    }

    @Override
    public final List<Waiting> tasks(ShardId shard, @Nullable Waiting after, int limit) {
        return database.readOne(
                session -> SqlReads.tasks(session, shard.namespace(), number(session, shard), after, limit));
    }

    private long number(Session session, ShardId shard) throws SQLException {
        return shards.number(session, shard);
    }

    @Override
    public final @Nullable WorkflowRecord workflow(WorkflowKey workflow) {
        return database.readOne(session -> Optional.ofNullable(SqlReads.workflow(session, workflow))).orElse(null);
    }

    @Override
    public final @Nullable ActivityRecord activity(WorkflowKey workflow, ActivityKey activity, long after) {
        return database.readOne(session -> Optional.ofNullable(SqlReads.activity(session, workflow, activity, after)))
                .orElse(null);
    }

    @Override
    public final Page<WorkflowRecord> workflows(WorkflowQuery query, @Nullable String cursor, int limit) {
        return database.readOne(session -> SqlReads.workflows(session, query, cursor, limit));
    }

    @Override
    public final Page<Recipient> hooked(String namespace, String topic, @Nullable String cursor, int limit) {
        return database.readOne(session -> SqlReads.hooked(session, namespace, topic, cursor, limit));
    }

    @Override
    public final Page<GivenUp> givenUp(String namespace, @Nullable String cursor, int limit) {
        return database.readOne(session -> SqlReads.givenUp(session, namespace, cursor, limit));
    }

    @Override
    public final List<Event> events(WorkflowKey workflow, long after, int limit) {
        return database.readOne(session -> SqlReads.events(session, workflow, after, limit));
    }

    @Override
    public final List<JournalEntry> journal(WorkflowKey workflow, long after, int limit) {
        return database.readOne(session -> SqlReads.journal(session, workflow, after, limit));
    }

    @Override
    public final List<Waiting> waiting(WorkflowKey workflow) {
        return database.readOne(session -> SqlReads.waiting(session, workflow));
    }

    @Override
    public final List<EffectRecord> effects(WorkflowKey workflow) {
        return database.readOne(session -> SqlReads.effects(session, workflow));
    }

    @Override
    public final boolean accepted(WorkflowKey workflow, String signalName, String signalId) {
        return database.readOne(session -> SqlSignals.accepted(session, workflow, signalName, signalId));
    }

    @Override
    public final List<Attribute> attributes(WorkflowKey workflow) {
        return database.readOne(session -> SqlReads.attributes(session, workflow));
    }

    @Override
    public final DecisionResult decide(DecisionRequest request) {
        List<ShardId> posted = new ArrayList<>();
        DecisionResult result = database.write(session -> {
            posted.clear();
            SqlDecisions deciding = new SqlDecisions(session, shards, request.decision());
            DecisionResult decided = deciding.decide(request.consequence());
            if (deciding.posted() != null) {
                posted.add(deciding.posted());
            }
            return decided;
        });
        database.posted(posted);
        return result;
    }

    @Override
    public final List<DecisionRecord> decisions(WorkflowKey workflow) {
        return database.readOne(session -> SqlDecisions.decisions(session, workflow));
    }

    @Override
    public final Page<Waiting> awaiting(String namespace, String topicPrefix, @Nullable String cursor, int limit) {
        return database
                .readOne(session -> SqlDecisions.awaiting(session, namespace, topicPrefix, cursor, limit));
    }

    @Override
    public final Page<WorkflowRecord> parked(String namespace, @Nullable String cursor, int limit) {
        return database.readOne(session -> SqlDecisions.parked(session, namespace, cursor, limit));
    }

    @Override
    public final SlotGrant acquireSlots(String namespace, String process, List<SlotPool> pools,
            List<SlotHolder> holders) {
        return database.write(session -> SqlSlots.acquire(session, namespace, process, pools, holders));
    }

    @Override
    public final Set<SlotKey> renewSlots(String namespace, Collection<SlotKey> slots, Duration ttl) {
        return database.write(session -> SqlSlots.renew(session, namespace, slots, ttl));
    }

    @Override
    public final void releaseSlots(String namespace, Collection<SlotKey> slots) {
        database.write(session -> SqlSlots.release(session, namespace, slots));
    }

    @Override
    public final List<PoolUse> pools(String namespace) {
        return database.readOne(session -> SqlSlots.pools(session, namespace));
    }

    @Override
    public final List<HeldSlot> slots(String namespace, String pool, int limit) {
        return database.readOne(session -> SqlSlots.slots(session, namespace, pool, limit));
    }

    @Override
    public final Page<EffectRecord> unknownEffects(String namespace, @Nullable String cursor, int limit) {
        return database.readOne(session -> SqlDecisions.unknownEffects(session, namespace, cursor, limit));
    }

    @Override
    public final Swept sweep(String namespace, Cutoffs cutoffs, Instant now, int limit) {
        return SqlRetention.sweep(database, namespace, cutoffs, now, limit);
    }

    @Override
    public final Swept sweepable(String namespace, Cutoffs cutoffs, Instant now) {
        return database.read(session -> SqlRetention.sweepable(session, namespace, cutoffs, now));
    }

    @Override
    public final Map<String, Long> orphans(String namespace) {
        return database.read(session -> SqlRetention.orphans(session, namespace));
    }

    @Override
    public final void close() {
        database.close();
    }
}
