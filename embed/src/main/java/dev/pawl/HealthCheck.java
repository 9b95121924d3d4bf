package dev.pawl;

import dev.pawl.Health.Standing;
import dev.pawl.Health.State;
import dev.pawl.engine.Incidents;
import dev.pawl.engine.retention.Sweeper;
import dev.pawl.engine.shard.Engine;
import dev.pawl.engine.shard.ShardLoop;
import dev.pawl.engine.shard.StoreCondition;
import dev.pawl.engine.store.Lease;
import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.world.Beat;
import dev.pawl.engine.world.EngineThread;
import dev.pawl.engine.world.SweepThread;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Puts together what the parts of an instance say of themselves. Safe for use by many threads. */
final class HealthCheck {

    /** A thread whose turn takes longer is stuck: no store takes so long for a commit. */
    private static final Duration TURN_MAX = Duration.ofSeconds(10);

    private final Engine engine;
    private final Incidents incidents;
    private final EngineThread driver;
    private final Sweeper sweeper;
    private final SweepThread sweeping;
    private final InstantSource clock;

    HealthCheck(Engine engine, Incidents incidents, EngineThread driver, Sweeper sweeper, SweepThread sweeping,
            InstantSource clock) {
        this.engine = engine;
        this.incidents = incidents;
        this.driver = driver;
        this.sweeper = sweeper;
        this.sweeping = sweeping;
        this.clock = clock;
    }

    Health health(boolean closed) {
        Instant now = clock.instant();
        StoreCondition store = engine.storeCondition();
        Health.Engine own = engine(closed);
        List<Health.Shard> shards = shards();
        List<Health.Lane> lanes = driver.beats().stream().map(HealthCheck::lane).toList();
        Beat sweep = sweeping.beat();
        List<String> down = down(own, store, now);
        List<String> degraded = degraded(shards, store, closed ? List.of() : lanes, now);
        State state = !down.isEmpty() ? State.DOWN : !degraded.isEmpty() ? State.DEGRADED : State.UP;
        List<String> reasons = new ArrayList<>(down);
        reasons.addAll(degraded);
        return new Health(state, reasons, own, shards,
                new Health.Store(store.reachable(), store.lastSuccess(), store.lastFailure(), store.failure(),
                        store.lastCommit()),
                lanes, new Health.Sweeper(sweep.alive(), sweeper.lastRun(), sweeper.lastFailure(), sweeper.failure()));
    }

    private Health.Engine engine(boolean closed) {
        Throwable fatal = driver.fatal();
        String why = fatal != null ? fatal.toString() : closed ? "closed" : null;
        return new Health.Engine(engine.process(), why == null && driver.running(), why, engine.leaseUntil());
    }

    private static List<String> down(Health.Engine engine, StoreCondition store, Instant now) {
        List<String> reasons = new ArrayList<>();
        if (!engine.running()) {
            reasons.add("the engine has stopped: " + engine.stoppedBecause() + "; start the process anew");
        } else if (engine.leaseUntil() == null || !now.isBefore(engine.leaseUntil())) {
            reasons.add("this process has no lease" + (store.failure() == null ? "" : ": " + store.failure()));
        }
        return reasons;
    }

    private List<String> degraded(List<Health.Shard> shards, StoreCondition store, List<Health.Lane> lanes,
            Instant now) {
        List<String> reasons = new ArrayList<>();
        if (!store.reachable()) {
            reasons.add("the store cannot be used: " + store.failure());
        }
        String trouble = engine.trouble();
        if (trouble != null && store.reachable()) {
            reasons.add(trouble);
        }
        shards.stream().filter(shard -> shard.standing() == Standing.OUT_OF_SERVICE)
                .forEach(shard -> reasons.add("shard " + shard.number() + " is out of service: " + shard.trouble()));
        incidents.subjects(Incidents.Kind.RECORD_UNREADABLE)
                .forEach(workflow -> reasons.add("workflow " + workflow + " stands still: its record cannot be read"));
        for (Health.Lane lane : lanes) {
            if (!lane.alive()) {
                reasons.add("thread " + lane.thread() + " has ended");
            } else if (lane.lastTurn() != null && now.isAfter(lane.lastTurn().plus(TURN_MAX))) {
                reasons.add("thread " + lane.thread() + " has been in one turn since " + lane.lastTurn());
            }
        }
        return reasons;
    }

    private List<Health.Shard> shards() {
        Map<ShardId, ShardLoop> loops = engine.shards().stream()
                .collect(Collectors.toMap(loop -> loop.fence().shard(), Function.identity()));
        Map<ShardId, String> broken = engine.outOfService();
        List<Health.Shard> shards = new ArrayList<>();
        for (Lease lease : engine.seen()) {
            ShardLoop loop = loops.get(lease.shard());
            shards.add(loop != null ? here(loop) : other(lease, broken.get(lease.shard())));
        }
        return shards;
    }

    private Health.Shard here(ShardLoop loop) {
        Standing standing = switch (loop.state()) {
            case OWNED -> Standing.HERE;
            case UNSURE -> Standing.RECOVERING;
            case BROKEN -> Standing.OUT_OF_SERVICE;
            case LOST, GIVEN_BACK -> Standing.FREE;
        };
        return new Health.Shard(loop.fence().shard().number(), standing,
                standing == Standing.FREE ? null : engine.process(), loop.fence().epoch(), loop.waiting(),
                loop.trouble());
    }

    private Health.Shard other(Lease lease, @Nullable String broken) {
        boolean held = !lease.over() && !engine.process().equals(lease.owner());
        Standing standing = broken != null ? Standing.OUT_OF_SERVICE : held ? Standing.ELSEWHERE : Standing.FREE;
        return new Health.Shard(lease.shard().number(), standing, held ? lease.owner() : null, lease.epoch(), 0,
                broken);
    }

    private static Health.Lane lane(Beat beat) {
        return new Health.Lane(beat.name(), beat.alive(), beat.last());
    }
}
