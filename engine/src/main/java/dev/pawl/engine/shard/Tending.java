package dev.pawl.engine.shard;

import dev.pawl.engine.EngineSettings;
import dev.pawl.engine.shard.ShardLoop.State;
import dev.pawl.engine.store.Claim;
import dev.pawl.engine.store.Lease;
import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.StaleOwner;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Keeps an engine's leases alive and the number of its shards at its share: claims what is free, and marks what is too much for its
 * loop to hand back. It touches nothing else of a loop, so it may run while loops do. Safe for use by many threads.
 */
final class Tending {

    /** A store that failed is asked again after that, well before a lease runs out. */
    private static final Duration RETRY = Duration.ofMillis(200);

    private final String owner;
    private final Store store;
    private final String namespace;
    private final String group;
    private final EngineSettings settings;
    private final InstantSource clock;
    private final Map<ShardId, ShardLoop> loops;
    private final Function<Claim.Claimed, ShardLoop> opening;
    private final Consumer<ShardId> waking;
    private boolean created;
    private boolean announced;
    private boolean stopped;
    private volatile int shards;
    private volatile Rest untilNext = Rest.OVER;
    private volatile @Nullable String trouble;

    /**
     * Knows of nothing yet.
     *
     * @param loops the engine's shards: they are added here, and removed by whoever drives them
     * @param waking is told of every shard whose loop has something to do on this account
     */
    Tending(String owner, Store store, String namespace, String group, EngineSettings settings, InstantSource clock,
            Map<ShardId, ShardLoop> loops, Function<Claim.Claimed, ShardLoop> opening, Consumer<ShardId> waking) {
        this.owner = owner;
        this.store = store;
        this.namespace = namespace;
        this.group = group;
        this.settings = settings;
        this.clock = clock;
        this.loops = loops;
        this.opening = opening;
        this.waking = waking;
        this.shards = settings.shards();
    }

    /** How many shards the group has, as far as is known. */
    int shards() {
        return shards;
    }

    @Nullable String trouble() {
        return trouble;
    }

    boolean due(Instant now) {
        return untilNext.over(now);
    }

    Instant next() {
        return untilNext.until();
    }

    synchronized void tend() {
        if (stopped) {
            return;
        }
        try {
            if (!created) {
                shards = store.createShards(namespace, group, settings.shards());
                created = true;
            }
            loops.values().forEach(ShardLoop::renew);
            divide();
            // From the answers on: what the store has just renewed is good from then.
            untilNext = Rest.of(settings.renewEvery(), clock.instant());
        } catch (RuntimeException e) {
            trouble = e.getMessage();
            Duration retry = RETRY.compareTo(settings.renewEvery()) < 0 ? RETRY : settings.renewEvery();
            untilNext = Rest.of(retry, clock.instant());
            if (!(e instanceof StoreException)) {
                throw e;
            }
        }
    }

    private void divide() {
        List<Lease> leases = store.leases(namespace, group);
        for (Lease lease : leases) {
            if (lease.format() > EngineSettings.FORMAT) {
                giveWay(lease.shard(), lease.format());
                return;
            }
        }
        announced = true;
        int share = Share.of(owner, store.announce(namespace, group, owner, settings.leaseTtl()), shards);
        trouble = null;
        List<ShardLoop> held = loops.values().stream().filter(loop -> !loop.over()).toList();
        markSurplus(held, held.size() - share);
        claim(leases, share - held.size());
    }

    /**
     * A newer engine has written here. This one keeps what it holds, claims nothing more and wants no share: the others would give
     * back shards that it may not take.
     */
    private void giveWay(ShardId shard, int format) {
        trouble = "shard " + shard + " has format " + format + ", and this engine knows formats up to "
                + EngineSettings.FORMAT + "; it claims no shards of this group any more: run the newer version of Pawl"
                + " that has written here, and stop this one";
        loops.values().forEach(loop -> loop.surplus(false));
        depart();
    }

    private void markSurplus(List<ShardLoop> held, int tooMany) {
        int left = tooMany;
        // A loop that is unsure or broken is in no state to be handed to anybody.
        for (ShardLoop loop : held.reversed()) {
            boolean surplus = left > 0 && loop.state() == State.OWNED;
            loop.surplus(surplus);
            if (surplus) {
                left--;
                waking.accept(loop.fence().shard());
            }
        }
    }

    private void claim(List<Lease> leases, int wanted) {
        int left = wanted;
        for (Lease lease : leases) {
            if (left <= 0) {
                return;
            }
            // A loop that has just lost its shard goes first; until then the shard is not claimed again.
            if (lease.live() || loops.containsKey(lease.shard())) {
                continue;
            }
            switch (store.claim(lease.shard(), owner, settings.leaseTtl(), EngineSettings.FORMAT)) {
                case Claim.Claimed claimed -> {
                    loops.put(lease.shard(), opening.apply(claimed));
                    waking.accept(lease.shard());
                    left--;
                }
                case Claim.FormatTooNew tooNew -> {
                    giveWay(lease.shard(), tooNew.storedFormat());
                    return;
                }
                case Claim.Held held -> {}
                case StaleOwner stale -> {}
            }
        }
    }

    /** Claims nothing more, and wants no share. */
    synchronized void stop() {
        stopped = true;
        untilNext = Rest.of(settings.leaseTtl(), clock.instant());
        depart();
    }

    private void depart() {
        if (announced) {
            store.depart(namespace, group, owner);
            announced = false;
        }
    }
}
