package dev.pawl.engine.shard;

import dev.pawl.engine.CheckpointOwnership;
import dev.pawl.engine.CheckpointOwnershipCapabilityError;
import dev.pawl.engine.Definition;
import dev.pawl.engine.EngineSettings;
import dev.pawl.engine.shard.ShardLoop.State;
import dev.pawl.engine.store.Claim;
import dev.pawl.engine.store.Lease;
import dev.pawl.engine.store.Renewal;
import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.SignalRequest;
import dev.pawl.engine.store.SignalResult;
import dev.pawl.engine.store.StaleOwner;
import dev.pawl.engine.store.StartResult;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.StoreException;
import dev.pawl.engine.task.Dispatcher;
import dev.pawl.engine.task.Task;
import dev.pawl.kernel.collation.Collation;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One engine: owns what shards of its group it can get, and drives each of them. Starting anew after a crash is nothing
 * special: the shards are claimed when the old leases have run out, and everything else is in the store.
 *
 * <p>It has no thread of its own. Whoever runs it calls {@link #turn()} again and again, from one thread; the other methods may be
 * called from any thread.
 */
public final class Engine {

    private final String owner;
    private final Store store;
    private final String namespace;
    private final String group;
    private final Definitions definitions;
    private final Dispatcher dispatcher;
    private final InstantSource clock;
    private final EngineSettings settings;
    private final Map<ShardId, ShardLoop> loops = new ConcurrentSkipListMap<>();
    private Instant tendAt = Instant.EPOCH;
    private volatile int shardCount;
    private volatile boolean draining;

    /**
     * An engine that owns nothing yet.
     *
     * @param owner unique among all engines that ever use the store, and new at every start
     */
    public Engine(String owner, Store store, String namespace, String group, List<Definition> definitions,
            Dispatcher dispatcher, InstantSource clock, EngineSettings settings) {
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
        this.clock = clock;
        this.settings = settings;
        this.shardCount = settings.shards();
    }

    /** Tends the leases when it is time to, and gives each owned shard a turn. Returns whether there was anything to do. */
    public boolean turn() {
        Instant now = clock.instant();
        boolean busy = false;
        if (!now.isBefore(tendAt)) {
            tendLeases(now);
        }
        for (ShardLoop loop : loops.values()) {
            busy |= loop.turn(now);
            if (loop.state() == State.LOST) {
                letGo(loop);
            }
        }
        return busy;
    }

    /** When the next turn has something to do at the latest, unless something comes in. */
    public Instant wakeAt() {
        return Stream.concat(Stream.of(tendAt), loops.values().stream().map(ShardLoop::wakeAt).filter(Objects::nonNull))
                .map(Objects::requireNonNull)
                .min(Instant::compareTo)
                .orElse(tendAt);
    }

    private void tendLeases(Instant now) {
        try {
            shardCount = store.createShards(namespace, group, settings.shards());
            loops.values().forEach(this::renew);
            loops.values().stream().filter(loop -> loop.state() == State.LOST).toList().forEach(this::letGo);
            if (!draining) {
                store.leases(namespace, group).stream().filter(lease -> !lease.live()).forEach(this::claim);
            }
            tendAt = now.plus(settings.renewEvery());
        } catch (StoreException e) {
            // The store will be asked again in the next turn; a lease that runs out meanwhile is somebody else's to take.
            tendAt = now;
        }
    }

    private void renew(ShardLoop loop) {
        Renewal renewal = store.renew(loop.fence(), settings.leaseTtl());
        if (renewal instanceof StaleOwner && loop.state() != State.UNSURE) {
            loop.lose();
        }
    }

    private void claim(Lease lease) {
        if (loops.containsKey(lease.shard())) {
            return;
        }
        Claim claim = store.claim(lease.shard(), owner, settings.leaseTtl(), EngineSettings.FORMAT);
        if (claim instanceof Claim.Claimed claimed) {
            loops.put(lease.shard(), new ShardLoop(store, claimed, owner, definitions, dispatcher, settings));
        }
    }

    private void letGo(ShardLoop loop) {
        loops.remove(loop.fence().shard());
        loop.unclaimedOffers().forEach(message -> store.post(group, message));
    }

    /** Gives back what it owns, cleanly; it claims nothing more. */
    public void drain() {
        draining = true;
        for (ShardLoop loop : loops.values()) {
            if (loop.state() == State.OWNED) {
                store.release(loop.fence());
            }
            letGo(loop);
        }
    }

    /** The shards it owns at the moment. */
    public List<ShardLoop> shards() {
        return List.copyOf(loops.values());
    }

    /** Starts a workflow, or finds the one that has this id. */
    public StartResult start(String definition, String version, String workflowId, Payload input) {
        Definition found = definitions.find(definition, version);
        Message.Start start = new Message.Start(new WorkflowKey(namespace, workflowId), new Message.Beginning(group,
                found.name(), found.version(), found.trigger(), 0, input, null));
        return store.start(start, Collation.inception(start, clock.instant()));
    }

    public SignalResult signal(SignalRequest request) {
        return store.signal(request);
    }

    /** A worker has answered. The answer counts whoever owns the shard by now. */
    public void answer(Task task, Response response) {
        Message answer = Message.Respond.answer(task.workflow(), task.activity(), task.attempt(), response);
        ShardLoop loop = owned(task.workflow());
        if (loop == null) {
            store.post(task.group(), answer);
        } else {
            loop.offer(answer);
        }
    }

    private @Nullable ShardLoop owned(WorkflowKey workflow) {
        return loops.values().stream()
                .filter(loop -> loop.state() == State.OWNED)
                .filter(loop -> ShardId.of(workflow, group, shardCount).equals(loop.fence().shard()))
                .findFirst()
                .orElse(null);
    }
}
