package dev.pawl.engine.shard;

import dev.pawl.engine.EngineSettings;
import dev.pawl.engine.shard.ShardLoop.State;
import dev.pawl.engine.store.Claim;
import dev.pawl.engine.store.Fence;
import dev.pawl.engine.store.Lease;
import dev.pawl.engine.store.Presence;
import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.StaleOwner;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps an engine's leases alive and the number of its shards at its share: claims what is free, takes over from engines that are gone, and
 * marks what is too much for its loop to hand back. It touches nothing else of a loop, so it may run while loops do. Safe for use by
 * many threads.
 */
final class LeaseKeeper {

    /** A store that failed is asked again after that, well before a lease runs out. */
    private static final Duration RETRY = Duration.ofMillis(200);

    /** While another engine is overdue it is looked at so often, so that a takeover does not wait for the next renewal. */
    private static final Duration CLOSELY = Duration.ofMillis(500);

    /** However many ask for a look, there are no more than that. */
    private static final Duration LOOK_PAUSE = Duration.ofMillis(20);

    private final String owner;
    private final Store store;
    private final String namespace;
    private final String group;
    private final EngineSettings settings;
    /** So long after a renewal was sent the lease certainly lasts. */
    private final Duration lasts;
    private final InstantSource clock;
    private final LongSupplier ticker;
    private final Map<ShardId, ShardLoop> loops;
    private final Function<Claim.Claimed, ShardLoop> opening;
    private final Consumer<ShardId> waking;
    private final Consumer<Set<String>> present;
    private final LeaseWatch watch;
    private final LeaseLog log;
    private final StoreWatch storeWatch;
    private final BrokenShards broken;
    /** Shards that another engine has abandoned and this one drives. */
    private final Set<ShardId> adopted = new HashSet<>();
    private volatile List<Lease> seen = List.of();
    private boolean created;
    private boolean announced;
    private boolean shares = true;
    private boolean retired;
    private volatile boolean stopped;
    private volatile int shards;
    private volatile long nextNanos;
    private volatile long lastNanos;
    /** Since the last look has begun: what it has read may be older than what there is to see. */
    private volatile boolean asked;
    private volatile @Nullable Renewed renewed;
    private volatile CompletableFuture<Void> renewal = new CompletableFuture<>();
    private volatile @Nullable String trouble;

    /** When the last renewal was sent that the store has confirmed. */
    private record Renewed(long nanos, Instant at) {
    }

    /**
     * Knows of nothing yet.
     *
     * @param loops the engine's shards: they are added here, and removed by the threads that drive them
     * @param waking hears of every shard whose loop has something to do on this account
     * @param present hears which engines have a lease, at every look
     */
    LeaseKeeper(String owner, Store store, String namespace, String group, EngineSettings settings,
            InstantSource clock, LongSupplier ticker, Map<ShardId, ShardLoop> loops,
            Function<Claim.Claimed, ShardLoop> opening, Consumer<ShardId> waking, Consumer<Set<String>> present,
            StoreWatch storeWatch, BrokenShards broken, LeaseLog log) {
        this.owner = owner;
        this.store = store;
        this.namespace = namespace;
        this.group = group;
        this.settings = settings;
        this.lasts = settings.leaseTtl().multipliedBy(9).dividedBy(10);
        this.clock = clock;
        this.ticker = ticker;
        this.loops = loops;
        this.opening = opening;
        this.waking = waking;
        this.present = present;
        this.watch = new LeaseWatch(owner, ticker);
        this.log = log;
        this.storeWatch = storeWatch;
        this.broken = broken;
        this.shards = settings.shards();
        this.nextNanos = ticker.getAsLong();
        this.lastNanos = nextNanos - LOOK_PAUSE.toNanos();
    }

    /** How many shards the group has, as far as is known. */
    int shards() {
        return shards;
    }

    @Nullable String trouble() {
        return trouble;
    }

    boolean due() {
        return ticker.getAsLong() - nextNanos >= 0;
    }

    Instant next() {
        return clock.instant().plusNanos(Math.max(0, nextNanos - ticker.getAsLong()));
    }

    /** Has the next look come soon. */
    void lookSoon() {
        asked = true;
        long soon = lastNanos + LOOK_PAUSE.toNanos();
        if (nextNanos - soon > 0) {
            nextNanos = soon;
        }
    }

    /**
     * Whether the lease certainly lasts: by both clocks of this process, so that neither a process that was stopped nor a machine that was
     * suspended takes itself for an owner.
     */
    boolean holds() {
        Renewed last = renewed;
        return last != null && !stopped && ticker.getAsLong() - last.nanos() < lasts.toNanos()
                && Duration.between(last.at(), clock.instant()).compareTo(lasts) < 0;
    }

    /** Until when the lease lasts, by the clock of this process; null before the first renewal, and once it was given up. */
    @Nullable Instant until() {
        Renewed last = renewed;
        return last == null || stopped ? null : last.at().plus(settings.leaseTtl());
    }

    /** The shards of the group as they were at the last look. */
    List<Lease> seen() {
        return seen;
    }

    /** Begins nothing more under this lease, and renews it no more. Never waits: the thread that renews may stand still. */
    void stop() {
        stopped = true;
    }

    /** Completes with the next renewal. */
    CompletableFuture<Void> renewal() {
        return renewal;
    }

    void tend() {
        if (look()) {
            CompletableFuture<Void> done = renewal;
            renewal = new CompletableFuture<>();
            done.complete(null);
        }
    }

    /** Whether the leases were renewed. */
    private synchronized boolean look() {
        if (stopped) {
            return false;
        }
        asked = false;
        lastNanos = ticker.getAsLong();
        nextNanos = lastNanos + settings.renewEvery().toNanos();
        try {
            if (!created) {
                shards = store.createShards(namespace, group, settings.shards());
                created = true;
            }
            Map<ShardId, Fence> held = new HashMap<>();
            loops.forEach((shard, loop) -> held.put(shard, loop.fence()));
            Renewed sent = new Renewed(ticker.getAsLong(), clock.instant());
            announced = true;
            List<Presence> presences = store.renewAll(namespace, group, owner, settings.leaseTtl(), shares);
            List<Lease> leases = store.leases(namespace, group);
            lose(leases, held);
            // Only now: no attempt may begin in a shard that was lost while this process stood still.
            renewed = sent;
            trouble = null;
            watch.look(leases, presences);
            seen = leases;
            storeWatch.succeeded(this);
            broken.look(leases, loops);
            divide(leases, living(presences));
            lastNanos = ticker.getAsLong();
            nextNanos = lastNanos + watch.next(settings.renewEvery(), closely()).toNanos();
            if (asked) {
                lookSoon();
            }
            return true;
        } catch (RuntimeException e) {
            trouble = e.getMessage();
            Duration retry = RETRY.compareTo(settings.renewEvery()) < 0 ? RETRY : settings.renewEvery();
            nextNanos = ticker.getAsLong() + retry.toNanos();
            if (!(e instanceof StoreException failure)) {
                throw e;
            }
            storeWatch.failed(this, failure);
            return false;
        }
    }

    private Duration closely() {
        return CLOSELY.compareTo(settings.renewEvery()) < 0 ? CLOSELY : settings.renewEvery();
    }

    /** Shards that another engine has taken: their loops must not begin anything any more. */
    private void lose(List<Lease> leases, Map<ShardId, Fence> held) {
        for (Lease lease : leases) {
            Fence fence = held.get(lease.shard());
            ShardLoop loop = loops.get(lease.shard());
            if (fence != null && loop != null && lease.epoch() > fence.epoch()) {
                loop.stale(fence);
                waking.accept(lease.shard());
            }
        }
    }

    /** The engines that are there; the leases of those that are gone are deleted. */
    private List<Presence> living(List<Presence> presences) {
        List<Presence> living = new ArrayList<>();
        List<Presence> gone = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (Presence each : presences) {
            if (watch.over(each)) {
                gone.add(each);
            } else {
                living.add(each);
                names.add(each.owner());
            }
        }
        present.accept(names);
        for (Presence each : gone) {
            log.gone(each.owner());
            store.forget(namespace, group, each);
        }
        return living;
    }

    private void divide(List<Lease> leases, List<Presence> living) {
        for (Lease lease : leases) {
            if (lease.format() > EngineSettings.FORMAT) {
                giveWay(lease.shard(), lease.format());
                return;
            }
        }
        if (retired) {
            return;
        }
        shares = true;
        List<String> sharing = new ArrayList<>();
        for (Presence each : living) {
            if (each.shares()) {
                sharing.add(each.owner());
            }
        }
        int share = Share.of(owner, sharing, shards);
        List<ShardLoop> owned = new ArrayList<>();
        for (ShardLoop loop : loops.values()) {
            if (!loop.over()) {
                owned.add(loop);
            }
        }
        markSurplus(owned, owned.size() - share);
        claim(leases, share - owned.size());
        log.waiting(leases, loops.keySet(), share - loops.size(), clock.instant());
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
        if (shares) {
            shares = false;
            log.givesWay(String.valueOf(trouble));
            store.renewAll(namespace, group, owner, settings.leaseTtl(), false);
        }
    }

    private void markSurplus(List<ShardLoop> owned, int tooMany) {
        if (tooMany <= 0) {
            owned.forEach(loop -> loop.surplus(false));
            return;
        }
        int left = tooMany;
        // What another engine could not go on with stays here if anything else can be handed back: nothing goes in a circle.
        List<ShardLoop> candidates = owned.reversed().stream()
                .sorted(Comparator.comparing(loop -> adopted.contains(loop.fence().shard()))).toList();
        // A loop that is unsure or broken is in no state to be handed over.
        for (ShardLoop loop : candidates) {
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
        adopted.retainAll(loops.keySet());
        for (Lease lease : leases) {
            // A shard that its owner has abandoned is nobody's share: who sees it first takes it, and hands back another one.
            boolean abandoned = lease.owner() != null && lease.over() && !owner.equals(lease.owner());
            if (left <= 0 && !abandoned) {
                continue;
            }
            // A loop that has just lost its shard goes first; until then the shard is not claimed again.
            if (loops.containsKey(lease.shard()) || !free(lease) || !broken.mayClaim(lease.shard())) {
                continue;
            }
            Claim claim = lease.owner() == null
                    ? store.claim(lease.shard(), owner, settings.leaseTtl(), EngineSettings.FORMAT)
                    : store.takeOver(lease, owner, settings.leaseTtl(), EngineSettings.FORMAT);
            switch (claim) {
                case Claim.Claimed claimed -> {
                    log.claimed(lease, claimed.clean());
                    loops.put(lease.shard(), opening.apply(claimed));
                    if (abandoned) {
                        adopted.add(lease.shard());
                    }
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

    /** No loop of this engine has it, so what the store knows under this engine's name is a claim whose answer was lost. */
    private boolean free(Lease lease) {
        return watch.over(lease) || owner.equals(lease.owner());
    }

    /** Claims nothing more, and wants no share; what it owns it keeps, and renews, until that is given back. */
    synchronized void retire() {
        retired = true;
        shares = false;
        if (announced && !stopped) {
            store.renewAll(namespace, group, owner, settings.leaseTtl(), false);
        }
    }

    /** Ends the lease of this engine: from now on nothing it has begun counts as its own. */
    synchronized void depart() {
        stopped = true;
        if (announced) {
            store.depart(namespace, group, owner);
            announced = false;
        }
    }
}
