package dev.pawl.lab.bench;

import dev.pawl.kernel.bundle.Bundle;
import java.util.List;

/** One place that batches are written to, from one thread for each shard. */
interface Trial extends AutoCloseable {

    /** Makes a batch of a shard durable. */
    void commit(int shard, List<Bundle> batch);

    /** Hands in a batch of a shard; whoever runs the answer waits until it is durable. */
    default Runnable handIn(int shard, List<Bundle> batch) {
        return () -> commit(shard, batch);
    }

    /** True if batches may come in any order and any number of times. */
    boolean takesAnything();

    /** What the place takes on the disk now. */
    long bytesOnDisk();

    /** What has been written to the disk so far, over and over included. */
    long bytesWritten();

    @Override
    void close();
}
