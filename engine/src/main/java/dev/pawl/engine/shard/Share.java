package dev.pawl.engine.shard;

import java.util.List;

/**
 * How many shards of a group belong to each of the engines that want some: all the same number, and what is left over goes to the
 * first by name, one each. Every shard is part of somebody's share, so none stays behind; and whoever sees the same engines
 * computes the same shares, so nobody takes what it will have to give back.
 */
final class Share {

    private Share() {
    }

    /** The share of one engine; one that does not see itself among the others counts itself as the last of them. */
    static int of(String owner, List<String> engines, int shards) {
        int rank = engines.indexOf(owner);
        int count = rank < 0 ? engines.size() + 1 : engines.size();
        boolean first = rank >= 0 && rank < shards % count;
        return shards / count + (first ? 1 : 0);
    }
}
