package dev.pawl.engine.store;

import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Where workflows are kept. Every method that writes is one transaction: when it returns, all of it is durable and
 * visible to the next read; when it throws, none of it is, except for {@link StoreException.CommitUnknown}, after which
 * nobody knows.
 *
 * <p>Safe for use by many threads. Times are kept to the millisecond.
 */
public interface Store extends Ownership, Visibility, Retention, Decisions, Slots, AutoCloseable {

    StoreCapabilities capabilities();

    /**
     * Applies bundles under a fence: all of them, in their order, or none. One transaction.
     *
     * <p>It holds only if the fence is the shard's latest, every workflow lives in that shard, and each bundle's expected
     * version is the workflow's version, where the bundles before it in the batch count. Then, for each bundle: rows are
     * inserted or replaced, messages queued, posted, charged, given up and removed; and the compound primitive adds each
     * delta to its semaphore, computes from what is stored, not from the prediction, whether that reached the threshold of
     * a gate still open, and if so records the mover as the closer and adds the weight to the mover's ledger.
     *
     * <p>A bundle for a workflow that does not exist may create it. A bundle that touches nothing but inboxes
     * ({@link Bundle#inboxOnly}) needs no version, makes none, and may name any workflow; the messages it takes must lie in the
     * inbox of the fence's shard. Messages posted by one batch become visible together and keep their order.
     *
     * @return what each bundle came to, or why nothing was written
     */
    Commit commit(Fence fence, List<Bundle> bundles);

    /**
     * Hands in bundles to be committed, and does not wait. What is handed in for several shards before the first answer is asked for may
     * share a transaction, but comes to what it would come to alone. Every answer has to be asked for.
     */
    default HandedIn handIn(Fence fence, List<Bundle> bundles) {
        return () -> commit(fence, bundles);
    }

    /** Bundles on their way. */
    @FunctionalInterface
    interface HandedIn {

        /** Waits for what {@link Store#commit} would answer, or throws what it would throw. */
        Commit answer();
    }

    /** Which of these workflows exist. One read. */
    Set<String> existing(String namespace, Collection<String> workflowIds);

    /**
     * Commits a bundle like {@link #commit}, in a transaction in which somebody else's statements have run before. The fence is held
     * from before they run until the end. Throws what they throw; then nothing is written. One transaction.
     */
    Commit transact(Fence fence, Transacted work) throws Exception;

    /** Everything known of one workflow, in one consistent read; {@link Snapshot#ABSENT} if it was never started. */
    Snapshot load(WorkflowKey workflow);

    /**
     * The same for many workflows of one namespace, where that is cheaper than one after the other. What is left out of the answer has
     * to be loaded. One consistent read.
     */
    Map<WorkflowKey, Snapshot> loadAhead(Collection<WorkflowKey> workflows);

    /**
     * Starts a workflow from outside its shard: inserts the inception and leaves the start in the inbox, unless the
     * workflow exists. Needs no fence, because it only inserts. One transaction.
     *
     * @param inception what {@code Collation.inception} gives for the start
     */
    StartResult start(Message.Start start, Bundle inception);

    /**
     * Starts a workflow, unless it exists, and accepts a signal for it: both or neither. Of a workflow that exists and is another one than
     * the start asks for nothing is written. One transaction.
     *
     * @param same whether a workflow that exists is the one that is asked for; called within the transaction
     */
    StartedWithSignal start(Message.Start start, Bundle inception, SignalRequest signal,
            Predicate<WorkflowRecord> same);

    /**
     * What came of a start with a signal.
     *
     * @param signal null if the workflow exists and is another one: the signal was not accepted
     */
    record StartedWithSignal(StartResult start, @Nullable SignalResult signal) {
    }

    /**
     * Accepts a signal: acceptance and message are inserted together, unless the same id was accepted before. An acceptance is
     * kept at least as long as its workflow is open: until then the signal may not be applied again, so it is not accepted
     * again. The workflow cannot close in between. A keyed signal needs {@code conditionalBatch}. One transaction.
     */
    SignalResult signal(SignalRequest request);

    /** Leaves a message in the inbox of its workflow's shard, whether the workflow exists or not. One transaction. */
    void post(String group, Message message);

    /**
     * Tells a listener from now on of what other engines and clients do, from any thread and as soon as the store hears of it. Each is a
     * hint: one may be lost, so an engine that waits for messages or shards also looks now and then.
     */
    void listen(Listener listener);

    /** Hears of shards. Must not block. */
    @FunctionalInterface
    interface Listener {

        /** There is something new in the shard's inbox. */
        void posted(ShardId shard);

        /** The shard's owner has ended its lease: it may be claimed at once. */
        default void freed(ShardId shard) {}
    }

    /**
     * Messages in a shard's inbox, by the number the store gave them, without those given up. They stay until a bundle
     * acknowledges them one by one: a lower number may become visible after a higher one, so there is no high-water mark.
     */
    List<Delivery> inbox(ShardId shard, int limit);

    /** Messages in the queues of a shard's workflows, by workflow and number, after the given one. */
    List<Delivery> queue(ShardId shard, @Nullable Delivery after, int limit);

    /** Timers and task deadlines of open workflows that are due by then, earliest first. */
    List<Waiting> due(ShardId shard, Instant now, int limit);

    /** When the next timer or task deadline of the shard is, or null if there is none. */
    @Nullable Instant nextDue(ShardId shard);

    /** Tasks handed out and not answered, by workflow and activity, after the given one. */
    List<Waiting> tasks(ShardId shard, @Nullable Waiting after, int limit);

    /** Flows whose code has to run, by workflow and activity, after the given one. */
    List<Waiting> awake(ShardId shard, @Nullable Waiting after, int limit);

    @Override
    void close();
}
