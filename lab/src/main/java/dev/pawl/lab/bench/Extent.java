package dev.pawl.lab.bench;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long to measure, and with how many.
 *
 * @param warmUp before the clock starts, in each cell
 * @param time on the clock
 * @param parkedMax how many workflows are parked at most in a cell of {@link FlowWorkload#W3}
 * @param fanOut steps side by side in {@link FlowWorkload#W4}
 * @param shards of a group of Pawl; null for as many as a user gets
 * @param dbosConnections of DBOS to its database
 */
record Extent(Duration warmUp, Duration time, int parkedMax, int fanOut, @Nullable Integer shards,
        int dbosConnections) {

    static final int DBOS_CONNECTIONS = 50;

    Extent lasting(Duration otherWarmUp, Duration otherTime) {
        return new Extent(otherWarmUp, otherTime, parkedMax, fanOut, shards, dbosConnections);
    }

    int shards(Ground ground) {
        return shards == null ? ground.shards() : shards;
    }
}
