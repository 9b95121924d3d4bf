package dev.pawl;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a Pawl instance is, as it knows without asking its store: cheap, and never fails because the store is away. Null where nothing has
 * happened yet.
 *
 * <p>Immutable. It describes this process, not the cluster: what other engines do is known as of the last renewal of the lease.
 *
 * @param reasons why it is not {@link State#UP}, in plain words; empty if it is
 * @param shards all shards of the group, by number
 */
public record Health(State state, List<String> reasons, Engine engine, List<Shard> shards, Store store,
        List<Lane> lanes, Sweeper sweeper) {

    public Health {
        reasons = List.copyOf(reasons);
        shards = List.copyOf(shards);
        lanes = List.copyOf(lanes);
    }

    /** Whether workflows go on here. */
    public enum State {
        UP,
        /** Some workflows stand still. */
        DEGRADED,
        /** No workflow goes on here: the engine has stopped, or has no lease. */
        DOWN
    }

    /**
     * The engine of this process.
     *
     * @param process its name in leases and attempts
     * @param stoppedBecause what has stopped it, if it does not run
     * @param leaseUntil when its lease runs out unless it is renewed
     */
    public record Engine(String process, boolean running, @Nullable String stoppedBecause,
            @Nullable Instant leaseUntil) {
    }

    /**
     * One shard of the group.
     *
     * @param owner the process that has its lease
     * @param epoch how often it was claimed
     * @param waiting messages in hand, if it is driven here
     * @param trouble what went wrong here last
     */
    public record Shard(int number, Standing standing, @Nullable String owner, long epoch, int waiting,
            @Nullable String trouble) {
    }

    /** Who drives a shard. */
    public enum Standing {
        HERE,
        /** Driven here; what became of its last commit is being found out. */
        RECOVERING,
        /** Broken here; another engine can try it, and this one does after a pause. */
        OUT_OF_SERVICE,
        ELSEWHERE,
        /** To be claimed by an engine. */
        FREE
    }

    /**
     * The store, as the engine sees it.
     *
     * @param reachable false from the first failure of an outage until every part of the engine has used the store again
     * @param failure what the last failure was
     * @param lastCommit how long the last commit took
     */
    public record Store(boolean reachable, @Nullable Instant lastSuccess, @Nullable Instant lastFailure,
            @Nullable String failure, @Nullable Duration lastCommit) {
    }

    /** A thread of the engine: the first renews the leases, the others drive shards. One that stands still for long is stuck. */
    public record Lane(String thread, boolean alive, @Nullable Instant lastTurn) {
    }

    /** What deletes workflows whose retention is over. */
    public record Sweeper(boolean alive, @Nullable Instant lastRun, @Nullable Instant lastFailure,
            @Nullable String failure) {
    }
}
