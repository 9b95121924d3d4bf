package dev.pawl.engine.task;

import dev.pawl.engine.store.ShardId;
import java.util.concurrent.CompletableFuture;

/** The lease of the process that runs the code of flows: attempts are declared with its name, and begin only while it lasts. */
public interface ProcessLease {

    /** The name of this process among all that ever use the store. */
    String process();

    /**
     * Whether an attempt of a workflow of this shard may begin now: the lease of this process certainly lasts, by its own clock, and it
     * owns the shard.
     */
    boolean holds(ShardId shard);

    /** Completes with the next renewal of the lease. */
    CompletableFuture<Void> renewal();

    /** Has the processes looked at soon that have a lease; {@link FlowHost#present} hears of them. */
    void look();
}
