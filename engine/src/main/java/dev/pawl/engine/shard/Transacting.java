package dev.pawl.engine.shard;

import dev.pawl.engine.store.Commit;
import dev.pawl.engine.store.Fence;
import dev.pawl.engine.store.StaleOwner;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.StoreException;
import dev.pawl.engine.store.Transacted;
import dev.pawl.engine.task.Transaction;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.collation.Advance;
import dev.pawl.kernel.collation.Advanced;
import dev.pawl.kernel.collation.Behaviour;
import dev.pawl.kernel.collation.Collation;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.workflow.WorkflowRecord;
import dev.pawl.kernel.workflow.WorkflowView;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Transactions of flows. They run beside the loop, because the user's statements may take their time; whatever else concerns their
 * workflow waits until they are through. Owned by one shard loop, but for {@link #offer}, which is for any thread.
 */
final class Transacting {

    private final Store store;
    private final Standing standing;
    private final WorkflowCache cache;
    private final Definitions definitions;
    private final Executor beside;
    private final Runnable waking;
    private final Queue<Transaction> offered = new ConcurrentLinkedQueue<>();
    private final Queue<Done> done = new ConcurrentLinkedQueue<>();
    private final Map<WorkflowKey, Transaction> held = new HashMap<>();
    private volatile boolean closed;

    private record Done(Transaction transaction, Fence fence, @Nullable Bundle bundle, @Nullable Commit commit,
            @Nullable Exception failure) {
    }

    /** What the code handed in does not fit what is durable. */
    private static final class Misfit extends Exception {

        private static final long serialVersionUID = 1L;

        Misfit(String why) {
            super(why, null, false, false);
        }
    }

    Transacting(Store store, Standing standing, WorkflowCache cache, Definitions definitions, Executor beside,
            Runnable waking) {
        this.store = store;
        this.standing = standing;
        this.cache = cache;
        this.definitions = definitions;
        this.beside = beside;
        this.waking = waking;
    }

    /** False if it comes too late. */
    boolean offer(Transaction transaction) {
        offered.add(transaction);
        return !closed || !offered.remove(transaction);
    }

    /** Whether something of this workflow is under way: nothing else may be computed from what is known of it. */
    boolean holds(WorkflowKey workflow) {
        return held.containsKey(workflow);
    }

    /** Starts what was offered, and settles what is through. Returns whether there was anything. */
    boolean turn(Committer committer, Instant now) {
        boolean any = false;
        for (Done each = done.poll(); each != null; each = done.poll()) {
            settle(each, committer);
            any = true;
        }
        for (Transaction each = offered.poll(); each != null; each = offered.poll()) {
            any = true;
            try {
                begin(each, now);
            } catch (RuntimeException e) {
                // Whoever waits for it must not wait for ever.
                held.remove(each.workflow());
                each.outdated(String.valueOf(e.getMessage()));
                throw e;
            }
        }
        return any;
    }

    private void begin(Transaction transaction, Instant now) {
        if (held.containsKey(transaction.workflow())) {
            transaction.outdated("the workflow is busy");
            return;
        }
        WorkflowView view = cache.view(transaction.workflow());
        WorkflowRecord workflow = view.workflow();
        if (workflow == null) {
            transaction.outdated("the workflow is gone");
            return;
        }
        Behaviour behaviour = definitions.behaviour(workflow.beginning().definition(),
                workflow.beginning().definitionVersion());
        Fence fence = standing.fence();
        held.put(transaction.workflow(), transaction);
        beside.execute(() -> {
            done.add(run(transaction, fence, view, behaviour, now));
            waking.run();
        });
    }

    private Done run(Transaction transaction, Fence fence, WorkflowView view, Behaviour behaviour, Instant now) {
        Bundle[] bundle = new Bundle[1];
        try {
            Commit commit = store.transact(fence, Transacted.within(transaction.longest(), connection -> {
                Advance advance = transaction.run(connection);
                bundle[0] = switch (Collation.advance(view, advance, behaviour, now)) {
                    case Advanced.Through through -> through.bundle();
                    case Advanced.Outdated outdated -> throw new Misfit(outdated.why());
                };
                return bundle[0];
            }));
            return new Done(transaction, fence, bundle[0], commit, null);
        } catch (Exception e) {
            return new Done(transaction, fence, null, null, e);
        }
    }

    private void settle(Done each, Committer committer) {
        Transaction transaction = each.transaction();
        if (!held.remove(transaction.workflow(), transaction)) {
            // The shard was recovered while it ran: what it has written was read again, and must not be applied twice.
            transaction.outdated("the shard was recovered while it ran");
            return;
        }
        Bundle bundle = each.bundle();
        if (each.failure() instanceof StoreException.CommitUnknown) {
            standing.unsure();
            transaction.outdated("nobody knows whether it was committed");
        } else if (each.failure() instanceof Misfit misfit) {
            transaction.outdated(String.valueOf(misfit.getMessage()));
        } else if (each.failure() != null) {
            transaction.failed(each.failure());
        } else if (each.commit() instanceof Commit.Committed && bundle != null) {
            committer.committed(List.of(bundle));
            transaction.committed();
        } else {
            if (each.commit() instanceof StaleOwner) {
                standing.stale(each.fence());
            }
            cache.evict(transaction.workflow());
            transaction.outdated("it does not fit what is durable: " + each.commit());
        }
    }

    /** Nothing that is under way counts any more. */
    void forget(String why) {
        held.clear();
        for (Transaction late = offered.poll(); late != null; late = offered.poll()) {
            late.outdated(why);
        }
        for (Done late = done.poll(); late != null; late = done.poll()) {
            late.transaction().outdated(why);
        }
    }

    void close() {
        closed = true;
        forget("the shard is not owned any more");
    }
}
