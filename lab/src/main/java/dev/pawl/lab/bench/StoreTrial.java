package dev.pawl.lab.bench;

import dev.pawl.engine.EngineSettings;
import dev.pawl.engine.store.Claim;
import dev.pawl.engine.store.Commit;
import dev.pawl.engine.store.Fence;
import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.Store;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.testkit.scenario.Scenario;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** A store with every shard claimed. Where its bytes are, its subject knows. */
abstract class StoreTrial implements Trial {

    private final Store store;
    private final List<Fence> fences;

    /** A group of one shard for each recording. */
    StoreTrial(Store store, List<Recording> recordings) {
        this.store = store;
        this.fences = recordings.stream()
                .map(recording -> claimed(store, Scenario.NAMESPACE, recording.group(), 1).getFirst()).toList();
    }

    /** One group of so many shards. */
    StoreTrial(Store store, String namespace, String group, int shards) {
        this.store = store;
        this.fences = claimed(store, namespace, group, shards);
    }

    private static List<Fence> claimed(Store store, String namespace, String group, int shards) {
        store.createShards(namespace, group, shards);
        return IntStream.range(0, shards).mapToObj(shard -> claimed(store, new ShardId(namespace, group, shard)))
                .toList();
    }

    private static Fence claimed(Store store, ShardId shard) {
        Claim claim = store.claim(shard, "bench", Duration.ofHours(1), EngineSettings.FORMAT);
        if (claim instanceof Claim.Claimed claimed) {
            return claimed.fence();
        }
        throw new IllegalStateException("shard " + shard + " could not be claimed: " + claim);
    }

    @Override
    public final void commit(int shard, List<Bundle> batch) {
        handIn(shard, batch).run();
    }

    @Override
    public final Runnable handIn(int shard, List<Bundle> batch) {
        Store.HandedIn handedIn = store.handIn(fences.get(shard), batch);
        return () -> {
            Commit commit = handedIn.answer();
            if (!(commit instanceof Commit.Committed)) {
                throw new IllegalStateException("the store does not take what was recorded: " + commit);
            }
        };
    }

    @Override
    public final boolean takesAnything() {
        return false;
    }

    @Override
    public void close() {
        store.close();
    }
}
