package dev.pawl.lab.torture;

import dev.pawl.engine.store.ShardId;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.lab.torture.effect.FlowPlan;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Option;

/** What a {@link FlowChild} is configured with; the process that starts it passes it on by {@link #arguments}. */
final class FlowSettings {

    static final String NAMESPACE = "torture";
    static final String GROUP = "flows";

    /** A transaction in SQLite keeps everything else from being written, the engine's commits included. */
    private static final int SQLITE_TRANSACTION_MILLIS_MAX = 100;

    @Option(names = "--seed", required = true)
    long seed;

    @Option(names = "--shards")
    int shards = 12;

    @Option(names = "--lease")
    long leaseMillis = 15_000;

    @Option(names = "--renew")
    long renewMillis = 5_000;

    @Option(names = "--drain")
    long drainMillis = 10_000;

    @Option(names = "--steady")
    boolean steady;

    @Option(names = "--sqlite")
    boolean sqlite;

    /** How long a renewal is under way. */
    @Option(names = "--renewal-delay")
    long renewalDelayMillis;

    /** The longest time an attempt takes. */
    @Option(names = "--work-max")
    int workMillisMax = 4_000;

    @Option(names = "--flaw")
    FlowFlaw flaw = FlowFlaw.NONE;

    int transactionMillisMax() {
        return sqlite ? SQLITE_TRANSACTION_MILLIS_MAX : workMillisMax;
    }

    FlowPlan plan(int number) {
        return FlowPlan.of(seed, number, workMillisMax, transactionMillisMax());
    }

    /** The shard that a workflow is in. */
    int shard(String workflow) {
        return ShardId.of(new WorkflowKey(NAMESPACE, workflow), GROUP, shards).number();
    }

    Duration lease() {
        return Duration.ofMillis(leaseMillis);
    }

    Duration renewal() {
        return Duration.ofMillis(renewMillis);
    }

    List<String> arguments(long drain) {
        return List.of("--seed", Long.toString(seed), "--shards", Integer.toString(shards), "--lease",
                Long.toString(leaseMillis), "--renew", Long.toString(renewMillis), "--drain", Long.toString(drain),
                "--steady=" + steady, "--sqlite=" + sqlite, "--work-max",
                Integer.toString(workMillisMax), "--flaw", flaw.name(), "--renewal-delay",
                Long.toString(renewalDelayMillis));
    }
}
