package dev.pawl.testkit.sim;

import dev.pawl.engine.store.Fence;
import dev.pawl.kernel.bundle.Bundle;
import java.util.List;

/** Sees everything the simulated store makes durable, in the order it becomes so. */
@FunctionalInterface
public interface SimObserver {

    SimObserver NONE = (fence, epoch, bundles) -> {};

    /**
     * A commit has become durable.
     *
     * @param fence what the commit came with
     * @param epoch what the shard's epoch really was
     */
    void committed(Fence fence, long epoch, List<Bundle> bundles);
}
