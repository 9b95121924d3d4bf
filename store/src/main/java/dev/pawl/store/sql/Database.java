package dev.pawl.store.sql;

import dev.pawl.engine.store.Fence;
import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.StoreCapabilities;
import dev.pawl.engine.store.Transacted;
import dev.pawl.store.plan.Plan;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Supplier;

/**
 * One database: how its transactions are made, and what it does in its own way. Whatever goes wrong comes out as a
 * {@code StoreException} that says whether anything may have been written.
 */
public interface Database extends AutoCloseable {

    /** What is done in one transaction. */
    @FunctionalInterface
    interface Work<T> {

        T run(Session session) throws SQLException;
    }

    StoreCapabilities capabilities();

    /** Runs in one transaction that sees one state throughout and writes nothing. */
    <T> T read(Work<T> work);

    /**
     * Runs one statement that writes nothing, without a transaction around it if that is cheaper. Whatever else it reads must
     * be something that never changes, such as the number of a group's shards.
     */
    default <T> T readOne(Work<T> work) {
        return read(work);
    }

    /** Runs in one transaction; durable when it returns. It may run more than once if the database asks for that. */
    <T> T write(Work<T> work);

    /** Carries out a plan under a fence, or refuses all of it; whoever asks what came of it waits. */
    Supplier<Verdict> handIn(Fence fence, Plan plan);

    /** The same in a transaction of its own, in which somebody else's statements run first, under the same fence. */
    Transacting.Outcome transact(Fence fence, Transacted work) throws Exception;

    /** Carries out the plan of an inception in the session's transaction; false if the workflow is there already. */
    boolean start(Session session, ShardId shard, long shardNo, Plan plan) throws SQLException;

    /** What the database said to a plan. */
    enum Verdict {
        /** All of it is durable. */
        WRITTEN,
        /** The fence is not the shard's latest, or nobody holds the shard: nothing was written. */
        STALE,
        /** Something does not fit what is stored: nothing was written. */
        REFUSED
    }

    /** Tells everybody who listens that shards have something in their inbox. After the commit that put it there. */
    void posted(List<ShardId> shards);

    /** Tells all listeners that a shard may be claimed. After the commit that freed it. */
    void freed(ShardId shard);

    void listen(Store.Listener listener);

    @Override
    void close();
}
