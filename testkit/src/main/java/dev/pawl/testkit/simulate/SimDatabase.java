package dev.pawl.testkit.simulate;

import dev.pawl.engine.store.Fence;
import dev.pawl.engine.store.Store;
import dev.pawl.kernel.workflow.WorkflowRecord;
import dev.pawl.testkit.sim.SimDump;
import dev.pawl.testkit.sim.SimObserver;
import dev.pawl.testkit.sim.SimStore;
import java.util.List;

/** The database of a simulated world, and what the world has to know of it that the store port does not say. */
public interface SimDatabase {

    Store store();

    /** Is told from now on of every commit that becomes durable. */
    void observe(SimObserver observer);

    /** Every workflow there is. */
    List<WorkflowRecord> all();

    /** Whether every workflow has ended. */
    default boolean over() {
        return all().stream().allMatch(workflow -> workflow.status().terminal());
    }

    /** Workflows whose state is not what their journal folds to. */
    default List<String> unlikeTheirJournal() {
        return List.of();
    }

    /** How many messages nobody has consumed yet. */
    int undelivered();

    /** Another engine takes the shard from under its owner, and is gone at once. */
    void rob(Fence fence);

    /** An engine has died or fallen asleep for longer than its leases last. */
    void gone(String owner);

    /** Everything durable, as text; empty if that is asking too much. */
    String dump(SimDump.Style style);

    /** A simulated one: its time is the world's, and leases run out by themselves. */
    static SimDatabase of(SimStore store) {
        return new SimDatabase() {

            @Override
            public Store store() {
                return store;
            }

            @Override
            public void observe(SimObserver observer) {
                store.observe(observer);
            }

            @Override
            public List<WorkflowRecord> all() {
                return store.all();
            }

            @Override
            public List<String> unlikeTheirJournal() {
                return store.unlikeTheirJournal();
            }

            @Override
            public boolean over() {
                return store.over();
            }

            @Override
            public int undelivered() {
                return store.undelivered();
            }

            @Override
            public void rob(Fence fence) {
                store.rob(fence);
            }

            @Override
            public void gone(String owner) {
                // The world lets the time pass.
            }

            @Override
            public String dump(SimDump.Style style) {
                return store.dump(style);
            }
        };
    }
}
