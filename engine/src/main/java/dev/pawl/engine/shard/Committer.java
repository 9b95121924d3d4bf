package dev.pawl.engine.shard;

import dev.pawl.engine.Incidents;
import dev.pawl.engine.store.Commit;
import dev.pawl.engine.store.Fence;
import dev.pawl.engine.store.Rejection;
import dev.pawl.engine.store.StaleOwner;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.StoreException;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.ledger.LedgerViolation;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Response;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Commits bundles, and does what follows from those that are durable: nothing follows from any other. Not thread-safe; owned by one
 * shard loop.
 */
final class Committer {

    /** So often a single bundle may be computed again: what is stored and what is computed must agree at some time. */
    private static final int REJECTIONS_MAX = 3;

    private static final Verdict THROUGH = new Verdict.Through();
    private static final Verdict STALE = new Verdict.Stale();

    private final Store store;
    private final Standing standing;
    private final WorkflowCache cache;
    private final TaskTable tasks;
    private final FlowTable flows;
    private final AwakeFlows awake;
    private final Backlog backlog;
    private final boolean stepsApart;
    private final StoreWatch watch;
    private final LongSupplier ticker;
    private final Incidents incidents;
    private int rejections;

    Committer(Store store, Standing standing, WorkflowCache cache, TaskTable tasks, FlowTable flows, AwakeFlows awake,
            Backlog backlog, boolean stepsApart, StoreWatch watch, LongSupplier ticker,
            Incidents incidents) {
        this.store = store;
        this.standing = standing;
        this.cache = cache;
        this.tasks = tasks;
        this.flows = flows;
        this.awake = awake;
        this.backlog = backlog;
        this.stepsApart = stepsApart;
        this.watch = watch;
        this.ticker = ticker;
        this.incidents = incidents;
    }

    /** A batch on its way to be durable. */
    record Sent(List<Batch.Item> items, Fence fence, List<Part> parts, long sentNanos) {
    }

    /** Bundles that are committed together. */
    private record Part(List<Bundle> bundles, Store.HandedIn handedIn) {
    }

    /** One transaction; with steps apart, one for each step, and none of them before somebody waits for it. */
    Sent send(List<Batch.Item> items) {
        Fence fence = standing.fence();
        List<Bundle> bundles = items.stream().map(Batch.Item::bundle).toList();
        cache.requireComputedFrom(bundles);
        if (!stepsApart) {
            long sentNanos = ticker.getAsLong();
            return new Sent(items, fence, List.of(handIn(fence, bundles)), sentNanos);
        }
        return new Sent(items, fence, items.stream().flatMap(item -> apart(item).stream())
                .map(step -> new Part(List.of(step), () -> store.commit(fence, List.of(step)))).toList(),
                ticker.getAsLong());
    }

    private Part handIn(Fence fence, List<Bundle> bundles) {
        return new Part(bundles, store.handIn(fence, bundles));
    }

    /** What became of it, and all that follows. With steps apart, the first steps may be through when a later one is not. */
    Verdict settle(Sent sent) {
        Set<Delivery> known = Batch.deliveries(sent.items());
        for (Part part : sent.parts()) {
            Verdict verdict = settle(sent.fence(), part, known);
            if (!(verdict instanceof Verdict.Through)) {
                sent.items().forEach(item -> cache.evict(item.bundle().workflow()));
                return verdict;
            }
        }
        rejections = 0;
        watch.committed(ticker.getAsLong() - sent.sentNanos());
        sent.items().forEach(this::settle);
        flows.told(backlog.joining().answers());
        return THROUGH;
    }

    private static List<Bundle> apart(Batch.Item item) {
        return item.whole() ? List.of(item.bundle()) : item.bundle().apart();
    }

    /** A message, or what is charged to it, in a commit of its own. */
    Verdict.Single commitSingle(Batch.Item item) {
        return judge(settle(send(List.of(item))));
    }

    private Verdict settle(Fence fence, Part part, Set<Delivery> known) {
        List<Bundle> bundles = part.bundles();
        Commit answer;
        try {
            answer = part.handedIn().answer();
        } catch (StoreException | LedgerViolation e) {
            throw e;
        } catch (RuntimeException e) {
            standing.trouble(e.toString());
            return new Verdict.Indigestible(e);
        }
        return switch (answer) {
            case Commit.Committed committed -> {
                // Code that begins anew must not begin from something older than what is durable.
                bundles.forEach(cache::apply);
                bundles.forEach(bundle -> follow(bundle, known));
                yield THROUGH;
            }
            case StaleOwner stale -> {
                standing.stale(fence);
                yield STALE;
            }
            case Commit.Rejected rejected -> {
                standing.trouble(rejected.why().toString());
                yield new Verdict.Rejected(rejected.bundle(), rejected.why());
            }
        };
    }

    /** What follows from bundles that somebody else has committed. */
    void committed(List<Bundle> bundles) {
        bundles.forEach(cache::apply);
        bundles.forEach(bundle -> follow(bundle, Set.of()));
        flows.told(List.of());
    }

    /** What follows from a bundle that is durable, whether the rest of its transition will be or not. */
    private void follow(Bundle bundle, Set<Delivery> known) {
        tasks.committed(bundle);
        flows.committed(bundle);
        awake.committed(bundle.workflow());
        for (Bundle.Part part : bundle.parts()) {
            for (Write write : part.writes()) {
                switch (write) {
                    case Write.PutActivity put -> backlog.inflow().committed(put.activity());
                    case Write.Enqueue enqueue -> queued(Delivery.queued(enqueue.number(), enqueue.message()), known);
                    case Write.Post post -> noteRefused(bundle, post);
                    default -> {}
                }
            }
        }
    }

    private void queued(Delivery delivery, Set<Delivery> known) {
        if (!known.contains(delivery)) {
            backlog.add(delivery);
        }
    }

    private void noteRefused(Bundle bundle, Write.Post post) {
        if (post.message() instanceof Message.Respond receipt && receipt.source() == Message.Source.RECEIPT
                && receipt.response() instanceof Response.Failure failure) {
            incidents.happened(Incidents.Kind.SIGNAL_NOT_ACCEPTED, Level.WARNING, receipt.workflow()
                    + " has sent a signal to " + bundle.workflow() + " (operation " + receipt.target().activity()
                    + "), which was not accepted: " + new String(failure.payload().bytes(), StandardCharsets.UTF_8)
                    + ". signalTo throws SignalNotAccepted there; catch it if the flow can go on without");
        }
    }

    private void settle(Batch.Item item) {
        Delivery delivery = item.delivery();
        if (item.submission() != null) {
            item.submission().committed();
        }
        if (delivery != null && Joining.joins(delivery)) {
            backlog.joining().accepted(delivery);
        }
        if (item.again() != null) {
            backlog.addFirst(item.again());
        } else if (delivery != null) {
            backlog.letGo(delivery);
        }
    }

    /** A bundle that stood alone: is it the message, or the moment, or what is stored? */
    Verdict.Single judge(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Through through -> Verdict.Single.THROUGH;
            case Verdict.Stale stale -> Verdict.Single.AGAIN;
            case Verdict.Indigestible indigestible -> Verdict.Single.AT_FAULT;
            case Verdict.Rejected rejected when rejected.why() instanceof Rejection.UnknownGroup ->
                Verdict.Single.AT_FAULT;
            case Verdict.Rejected rejected when rejected.why() instanceof Rejection.MessageGone -> Verdict.Single.GONE;
            case Verdict.Rejected rejected when rejected.why() instanceof Rejection.SignalKnown ->
                Verdict.Single.AT_FAULT;
            case Verdict.Rejected rejected -> {
                if (++rejections > REJECTIONS_MAX) {
                    standing.broken("rejected again and again: " + rejected.why());
                }
                yield Verdict.Single.AGAIN;
            }
        };
    }
}
