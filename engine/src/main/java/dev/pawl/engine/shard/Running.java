package dev.pawl.engine.shard;

import dev.pawl.engine.EngineSettings;
import dev.pawl.engine.store.Rejection;
import dev.pawl.engine.store.StoreException;
import dev.pawl.engine.store.Waiting;
import dev.pawl.engine.task.Submission;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Overlay;
import dev.pawl.kernel.collation.Collation;
import dev.pawl.kernel.ledger.LedgerViolation;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Delivery.Place;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs what is ready, a batch at a time. A batch that fails is thrown away and computed again in smaller ones, until what is at fault
 * stands alone; then it is set aside, and the others never notice. Not thread-safe; owned by one shard loop.
 */
final class Running {

    private final Backlog backlog;
    private final Committer committer;
    private final Standing standing;
    private final EngineSettings settings;
    private final Function<Instant, Batch> batches;
    private final Transacting transacting;
    private final Starting starting;
    private final BatchSize size;
    private final Deque<Delivery> taken = new ArrayDeque<>();
    private final Deque<Waiting> reattempted = new ArrayDeque<>();
    /** In the batch at hand; and those that could not be committed the last time. */
    private final Deque<Submission> submitted = new ArrayDeque<>();
    private final Deque<Submission> resubmitted = new ArrayDeque<>();
    private Committer.@Nullable Sent sent;

    Running(Backlog backlog, Committer committer, Standing standing, EngineSettings settings,
            Function<Instant, Batch> batches, Transacting transacting, Starting starting) {
        this.backlog = backlog;
        this.committer = committer;
        this.standing = standing;
        this.settings = settings;
        this.batches = batches;
        this.transacting = transacting;
        this.starting = starting;
        this.size = new BatchSize(settings.stepsApart() ? 1 : settings.batchMax());
    }

    /** Computes a batch and sends it on its way. Returns whether there was anything to run. */
    boolean begin(Instant now) {
        if (sent != null) {
            throw new LedgerViolation("a batch is computed while the one before it is on its way: what it is computed"
                    + " from is not durable");
        }
        taken.clear();
        reattempted.clear();
        if (idle(now)) {
            return false;
        }
        Batch batch = batches.apply(now);
        boolean begun = false;
        try {
            boolean any = reattempt(batch, now);
            any |= advance(batch);
            Deque<Delivery> born = new ArrayDeque<>();
            any |= starting.begin(batch, size.next(), born);
            any |= compute(batch, born, now);
            if (!batch.isEmpty()) {
                sent = committer.send(batch.items());
            }
            begun = true;
            return any;
        } finally {
            if (!begun || sent == null) {
                settled(begun);
            }
        }
    }

    /** Most turns of an engine that waits find nothing: they must cost nothing. */
    private boolean idle(Instant now) {
        return !backlog.anyReady() && resubmitted.isEmpty() && !backlog.inflow().anySubmitted() && starting.idle()
                && !backlog.overdue().anyDue(now);
    }

    /** Hears what became of the batch. */
    void end(Instant now) {
        Committer.Sent under = sent;
        if (under != null) {
            sent = null;
            boolean through = false;
            try {
                through = settled(under, now);
            } finally {
                settled(through);
            }
        }
    }

    private void settled(boolean through) {
        if (through) {
            starting.through();
        } else {
            backlog.putBack(taken, reattempted);
            starting.putBack();
            submitted.descendingIterator().forEachRemaining(resubmitted::addFirst);
        }
        submitted.clear();
    }

    /** Hands tasks out again whose worker did not answer in time, unless it has answered after all. */
    private boolean reattempt(Batch batch, Instant now) {
        boolean any = false;
        while (batch.size() < size.next()) {
            Later.Entry<Waiting> next = backlog.overdue().take(now);
            if (next == null) {
                break;
            }
            any = true;
            reattempted.add(next.what());
            try {
                reattempt(batch, next.what(), now);
            } catch (LedgerViolation | StoreException e) {
                throw e;
            } catch (RuntimeException e) {
                standing.trouble(e.toString());
                postpone(reattempted.removeLast(), now);
            }
        }
        return any;
    }

    private void reattempt(Batch batch, Waiting waiting, Instant now) {
        if (transacting.holds(waiting.workflow())) {
            postpone(reattempted.removeLast(), now);
            return;
        }
        Overlay workflow = batch.overlay(waiting.workflow());
        ActivityRecord activity = workflow.activity(waiting.activity());
        if (activity != null && activity.waker().equals(waiting.waker())) {
            Instant deadline = now.plus(settings.taskTimeout());
            batch.add(Batch.Item.of(Collation.reattempt(workflow, activity, deadline, now)));
        }
    }

    /** There is nothing to charge, and nobody waits behind it: it comes again as rarely as anything may. */
    private void postpone(Waiting waiting, Instant now) {
        backlog.overdue().failed(waiting, Integer.MAX_VALUE, now);
    }

    /** What the code of flows has handed in: first what could not be committed the last time. */
    private boolean advance(Batch batch) {
        boolean any = false;
        List<Submission> waiting = new ArrayList<>();
        while (batch.size() < size.next()) {
            Submission next = resubmitted.isEmpty() ? backlog.inflow().takeSubmission() : resubmitted.remove();
            if (next == null) {
                break;
            }
            if (transacting.holds(next.advance().workflow())) {
                waiting.add(next);
                continue;
            }
            any = true;
            advance(batch, next);
        }
        waiting.reversed().forEach(resubmitted::addFirst);
        return any;
    }

    private void advance(Batch batch, Submission next) {
        if (!next.stands()) {
            next.outdated("the code that came to it is over");
            return;
        }
        try {
            if (batch.add(next)) {
                submitted.add(next);
            }
        } catch (LedgerViolation | StoreException e) {
            submitted.add(next);
            throw e;
        } catch (RuntimeException e) {
            standing.trouble(e.toString());
            next.refused(e.toString());
        }
    }

    /** Whatever was handed in is void. */
    void forget(String why) {
        resubmitted.forEach(submission -> submission.outdated(why));
        resubmitted.clear();
        backlog.inflow().refuse(why);
    }

    private boolean compute(Batch batch, Deque<Delivery> born, Instant now) {
        Deque<Delivery> held = new ArrayDeque<>();
        boolean any = false;
        if (backlog.anyReady()) {
            batch.prepare(backlog.next(Math.max(0, size.next() - batch.size())));
        }
        try {
            while (batch.size() < size.next() && (backlog.anyReady() || !born.isEmpty())) {
                Delivery delivery = backlog.anyReady() ? backlog.takeReady() : born.remove();
                if (transacting.holds(delivery.message().workflow())) {
                    held.push(delivery);
                    continue;
                }
                any = true;
                if (!batch.bore(delivery)) {
                    taken.add(delivery);
                }
                if (Joining.joins(delivery)) {
                    join(batch, delivery, born);
                    continue;
                }
                if (settings.stepsApart() && lodge(batch, delivery, now)) {
                    break;
                }
                born.addAll(compute(batch, delivery, now));
            }
        } finally {
            held.forEach(backlog::addFirst);
        }
        return any;
    }

    private void join(Batch batch, Delivery delivery, Deque<Delivery> born) {
        List<Delivery> queued = backlog.joining().begin(batch, delivery, standing);
        if (queued == null) {
            taken.removeLast();
        } else {
            born.addAll(queued);
        }
    }

    /** With a commit for every step, a message that lies nowhere must be lodged first, or a crash would lose the rest of it. */
    private static boolean lodge(Batch batch, Delivery delivery, Instant now) {
        Overlay view = batch.overlay(delivery.message().workflow());
        WorkflowRecord workflow = view.workflow();
        if (!(delivery.place() instanceof Place.Row) || workflow == null || workflow.gate().closed()) {
            return false;
        }
        Bundle bundle = Collation.lodge(view, delivery.message(), now);
        batch.add(new Batch.Item(delivery, bundle, Delivery.queued(workflow.messages(), delivery.message())));
        return true;
    }

    /** Adds a message to the batch; one that fails is set aside, and the batch stays as it was. */
    private List<Delivery> compute(Batch batch, Delivery delivery, Instant now) {
        try {
            return batch.add(delivery);
        } catch (LedgerViolation | StoreException e) {
            throw e;
        } catch (RuntimeException e) {
            // A message of this very batch does not exist yet; it will fail again when it does.
            if (!batch.bore(delivery)) {
                standing.trouble(e.getMessage());
                backlog.setAside(delivery, 0, now);
                taken.removeLast();
            }
            return List.of();
        }
    }

    /** False if everything must be computed again. */
    private boolean settled(Committer.Sent under, Instant now) {
        List<Batch.Item> items = under.items();
        int bundles = items.size();
        switch (committer.settle(under)) {
            case Verdict.Through through -> {
                size.through();
                reattempted.forEach(backlog.inflow()::letGo);
                return true;
            }
            case Verdict.Stale stale -> {}
            case Verdict.Rejected rejected when rejected.why() instanceof Rejection.SignalKnown ->
                backlog.joining().known(items.get(rejected.bundle()).delivery(), taken);
            case Verdict.Rejected rejected when bundles > 1 -> size.rejected(rejected.bundle(), bundles);
            case Verdict.Indigestible indigestible when bundles > 1 -> size.halve(bundles);
            case Verdict.Rejected rejected -> settleSingle(items.getFirst(), rejected, now);
            case Verdict.Indigestible indigestible -> settleSingle(items.getFirst(), indigestible, now);
        }
        return false;
    }

    private void settleSingle(Batch.Item item, Verdict verdict, Instant now) {
        Delivery delivery = item.delivery();
        Verdict.Single single = committer.judge(verdict);
        if (single == Verdict.Single.AGAIN) {
            size.alone();
            return;
        }
        Submission submission = item.submission();
        if (submission != null) {
            submitted.remove(submission);
            if (single == Verdict.Single.GONE) {
                submission.outdated("it does not fit what is durable");
            } else {
                submission.refused("the store does not take it: " + standing.trouble());
            }
        } else if (delivery == null) {
            postpone(reattempted.removeLast(), now);
        } else {
            if (single == Verdict.Single.GONE) {
                backlog.letGo(delivery);
            } else {
                backlog.setAside(delivery, 0, now);
            }
            taken.remove(delivery);
        }
        size.through();
    }
}
