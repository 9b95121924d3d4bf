package dev.pawl.engine.shard;

import dev.pawl.engine.Incidents;
import dev.pawl.engine.Incidents.Kind;
import dev.pawl.engine.shard.ShardLoop.State;
import dev.pawl.engine.store.Lease;
import dev.pawl.engine.store.ShardId;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Shards that this engine has taken out of service, because what is stored contradicts itself or what was computed. Their leases are
 * abandoned, so that another engine can try them at once; this one tries them again after a pause that doubles each time. So each engine
 * tries a shard that breaks every engine less and less often, and never in a circle. Safe for use by many threads.
 */
final class BrokenShards {

    /** The first pause is two leases, the longest 64. */
    private static final int FIRST_PAUSE = 2;
    private static final int DOUBLINGS_MAX = 5;

    private final String owner;
    private final Incidents incidents;
    private final Duration leaseTtl;
    private final LongSupplier ticker;
    private final Map<ShardId, Broken> broken = new ConcurrentSkipListMap<>();

    /**
     * A shard that broke here.
     *
     * @param times how often, in a row
     * @param untilNanos when the pause is over
     * @param elsewhere another engine drives it now
     */
    private record Broken(String reason, int times, long untilNanos, boolean elsewhere) {
    }

    BrokenShards(String owner, Incidents incidents, Duration leaseTtl, LongSupplier ticker) {
        this.owner = owner;
        this.incidents = incidents;
        this.leaseTtl = leaseTtl;
        this.ticker = ticker;
    }

    /** A shard is out of service; its lease has been abandoned. */
    void add(ShardId shard, @Nullable String trouble) {
        String reason = trouble == null ? "no reason was given" : trouble;
        Broken before = broken.get(shard);
        int times = before == null ? 1 : before.times() + 1;
        Duration pause = pause(times);
        broken.put(shard, new Broken(reason, times, ticker.getAsLong() + pause.toNanos(), false));
        incidents.ends(Kind.SHARD_OUT_OF_SERVICE, shard.toString(), "shard " + shard + " was tried again");
        incidents.begins(Kind.SHARD_OUT_OF_SERVICE, shard.toString(), times == 1 ? Level.ERROR : Level.WARNING,
                "shard " + shard + " is out of service in engine " + owner + (times == 1 ? "" : ", time " + times)
                        + ": " + reason
                        + ". Its workflows stand still, and nothing of them was changed. Its lease is free:"
                        + " another engine can try it at once, this one does in " + pause + ". If it breaks there, too,"
                        + " what is stored contradicts itself: keep a copy of the database and report this message");
    }

    private Duration pause(int times) {
        return leaseTtl.multipliedBy((long) FIRST_PAUSE << Math.min(times - 1, DOUBLINGS_MAX));
    }

    /** Whether this engine may claim a shard, as far as this is concerned. */
    boolean mayClaim(ShardId shard) {
        Broken entry = broken.get(shard);
        return entry == null || over(entry);
    }

    private boolean over(Broken entry) {
        return ticker.getAsLong() - entry.untilNanos() >= 0;
    }

    /** What has become of them. A shard that has lasted here for the pause after its claim is in service again. */
    void look(List<Lease> leases, Map<ShardId, ShardLoop> loops) {
        for (Lease lease : leases) {
            Broken entry = broken.get(lease.shard());
            if (entry == null) {
                continue;
            }
            boolean elsewhere = lease.owner() != null && !lease.owner().equals(owner) && !lease.over();
            ShardLoop loop = loops.get(lease.shard());
            boolean here = loop != null && loop.state() == State.OWNED && lasted(loop, entry);
            // What the log says is true by then.
            boolean inService = over(entry) && (elsewhere || here);
            if (inService) {
                broken.remove(lease.shard(), entry);
            } else {
                broken.replace(lease.shard(), entry,
                        new Broken(entry.reason(), entry.times(), entry.untilNanos(), elsewhere));
            }
            if (elsewhere && !entry.elsewhere()) {
                incidents.ends(Kind.SHARD_OUT_OF_SERVICE, lease.shard().toString(),
                        "shard " + lease.shard() + " is driven by engine " + lease.owner() + " now");
            }
            if (inService) {
                incidents.ends(Kind.SHARD_OUT_OF_SERVICE, lease.shard().toString(),
                        "shard " + lease.shard() + " is in service again");
            }
        }
    }

    private boolean lasted(ShardLoop loop, Broken entry) {
        return ticker.getAsLong() - loop.claimedNanos() >= pause(entry.times()).toNanos();
    }

    /** Why a shard is out of service; null if it is not, or another engine drives it. */
    @Nullable String reason(ShardId shard) {
        Broken entry = broken.get(shard);
        return entry == null || entry.elsewhere() ? null : entry.reason();
    }

    /** The shards that are out of service, each with the reason. */
    Map<ShardId, String> reasons() {
        Map<ShardId, String> reasons = new ConcurrentSkipListMap<>();
        broken.forEach((shard, entry) -> {
            if (!entry.elsewhere()) {
                reasons.put(shard, entry.reason());
            }
        });
        return reasons;
    }
}
