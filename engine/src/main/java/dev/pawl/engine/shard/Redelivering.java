package dev.pawl.engine.shard;

import dev.pawl.engine.shard.Verdict.Single;
import dev.pawl.engine.store.StoreException;
import dev.pawl.kernel.collation.Collation;
import dev.pawl.kernel.collation.Redelivery;
import dev.pawl.kernel.ledger.LedgerViolation;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.workflow.WorkflowView;
import java.time.Instant;
import java.util.function.Function;

/** Runs one suspect: charges it first, in a commit of its own, and then runs it alone. Not thread-safe; owned by one shard loop. */
final class Redelivering {

    private final Backlog backlog;
    private final Committer committer;
    private final Standing standing;
    private final WorkflowCache cache;
    private final Function<Instant, Batch> batches;
    private final MissingDefinitions missing;

    Redelivering(Backlog backlog, Committer committer, Standing standing, WorkflowCache cache,
            Function<Instant, Batch> batches, MissingDefinitions missing) {
        this.missing = missing;
        this.backlog = backlog;
        this.committer = committer;
        this.standing = standing;
        this.cache = cache;
        this.batches = batches;
    }

    void run(Later.Entry<Delivery> suspect, Instant now) {
        if (!waits(suspect.what(), now)) {
            charge(suspect, now);
        }
    }

    /** Whether its definition is not here, or its workflow cannot be read. That is not its fault: it waits, uncharged. */
    private boolean waits(Delivery delivery, Instant now) {
        Single single = Single.AGAIN;
        try {
            WorkflowView view = cache.view(delivery.message().workflow());
            if (!missing.concerns(view, delivery.message())) {
                single = Single.THROUGH;
                return false;
            }
            single = missing.park(view, delivery.message(), committer, now);
            if (single != Single.AGAIN) {
                backlog.suspects().failed(delivery, Integer.MAX_VALUE, now);
            }
            return true;
        } catch (UnreadableRecord e) {
            // It cannot be charged either: it waits until the record is restored, or for ever.
            standing.trouble(e.getMessage());
            backlog.suspects().failed(delivery, Integer.MAX_VALUE, now);
            single = Single.AT_FAULT;
            return true;
        } finally {
            if (single == Single.AGAIN) {
                backlog.suspects().addFirst(delivery);
            }
        }
    }

    private void charge(Later.Entry<Delivery> suspect, Instant now) {
        Delivery delivery = suspect.what();
        Single single = Single.AGAIN;
        try {
            Redelivery redelivery = Collation.redeliver(cache.view(delivery.message().workflow()), delivery, now);
            Single entered = committer.commitSingle(Batch.Item.of(redelivery.bundle()));
            if (entered == Single.THROUGH && redelivery instanceof Redelivery.Charged charged) {
                delivery = charged.delivery();
                single = runCharged(delivery, now);
            } else {
                single = entered;
            }
            if (redelivery instanceof Redelivery.GivenUp && single == Single.THROUGH) {
                standing.trouble("gave up on " + delivery.message().guid() + " of " + delivery.message().workflow());
                backlog.forget(delivery);
            }
        } catch (LedgerViolation | StoreException e) {
            throw e;
        } catch (RuntimeException e) {
            standing.trouble(e.getMessage());
            single = Single.AT_FAULT;
        } finally {
            settle(delivery, suspect.failures(), single, now);
        }
    }

    private Single runCharged(Delivery delivery, Instant now) {
        Batch batch = batches.apply(now);
        batch.add(delivery);
        return committer.commitSingle(batch.items().getFirst());
    }

    private void settle(Delivery delivery, int failures, Single single, Instant now) {
        switch (single) {
            case THROUGH -> {}
            case GONE -> backlog.letGo(delivery);
            // Cut short by the store: it goes on before any other, so that what it has begun is not overtaken.
            case AGAIN -> backlog.suspects().addFirst(delivery);
            case AT_FAULT -> backlog.setAside(delivery, failures + 1, now);
        }
    }
}
