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

/** A store with every shard claimed. Where its bytes are, its subject knows. */
abstract class StoreTrial implements Trial {

    private final Store store;
    private final List<Fence> fences;

    StoreTrial(Store store, List<Recording> recordings) {
        this.store = store;
        this.fences = recordings.stream().map(recording -> claimed(store, recording.group())).toList();
    }

    private static Fence claimed(Store store, String group) {
        store.createShards(Scenario.NAMESPACE, group, 1);
        Claim claim = store.claim(new ShardId(Scenario.NAMESPACE, group, 0), "bench", Duration.ofHours(1),
                EngineSettings.FORMAT);
        if (claim instanceof Claim.Claimed claimed) {
            return claimed.fence();
        }
        throw new IllegalStateException("the shard of " + group + " could not be claimed: " + claim);
    }

    @Override
    public final void commit(int shard, List<Bundle> batch) {
        Commit commit = store.commit(fences.get(shard), batch);
        if (!(commit instanceof Commit.Committed)) {
            throw new IllegalStateException("the store does not take what was recorded: " + commit);
        }
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
