package dev.pawl.store.plan;

import dev.pawl.engine.store.Rejection;
import dev.pawl.engine.store.ShardId;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Overlay;
import dev.pawl.kernel.bundle.Seal;
import dev.pawl.kernel.bundle.Step;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.ledger.ActivityLedger;
import dev.pawl.kernel.message.Delivery.Place;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Gate;
import dev.pawl.kernel.workflow.GuidRecord;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Says why a store refused a batch: goes through the bundles one after the other against what is stored, as slowly and plainly as
 * it can. It decides nothing; the database has refused already, and has written nothing.
 */
public final class Judge {

    /** What is stored, as far as a verdict needs it. */
    public interface Stored {

        Snapshot load(WorkflowKey workflow);

        /** Where a workflow lives; null if it does not exist. */
        @Nullable ShardId home(WorkflowKey workflow);

        /** How many shards a group has; 0 if it was never created. */
        int shards(String namespace, String group);

        /** Whether a signal was accepted before, or is there without that. */
        boolean known(WorkflowKey workflow, Write.Accept signal);

        /** Whether a message lies in the inbox of the shard. */
        boolean lies(ShardId shard, long inboxId);
    }

    /** The first bundle that does not fit, and why. */
    public record Verdict(int bundle, Rejection why) {
    }

    private final Stored stored;
    private final ShardId shard;
    private final Map<WorkflowKey, Overlay> overlays = new HashMap<>();
    private final Set<Long> taken = new HashSet<>();
    private final Set<Guid> accepted = new HashSet<>();

    public Judge(Stored stored, ShardId shard) {
        this.stored = stored;
        this.shard = shard;
    }

    /** Null if every bundle fits what is stored by now. */
    public @Nullable Verdict verdict(List<Bundle> bundles) {
        for (int i = 0; i < bundles.size(); i++) {
            Rejection why = judge(bundles.get(i));
            if (why != null) {
                return new Verdict(i, why);
            }
        }
        return null;
    }

    private @Nullable Rejection judge(Bundle bundle) {
        boolean inboxOnly = bundle.inboxOnly();
        Overlay overlay = overlays.computeIfAbsent(bundle.workflow(), key -> new Overlay(stored.load(key)));
        Rejection why = inboxOnly ? null : precondition(bundle, overlay);
        for (Write write : bundle.writes()) {
            why = why == null ? judge(overlay, write, inboxOnly) : why;
            if (why != null) {
                return why;
            }
            if (overlay.workflow() != null || write instanceof Write.CreateWorkflow) {
                overlay.apply(write);
            }
        }
        WorkflowRecord after = overlay.workflow();
        if (after == null || inboxOnly) {
            return null;
        }
        Seal seal = bundle.seal();
        if (seal == null || !seal.previous().equals(after.chain())) {
            return new Rejection.ChainBroken(after.version() + 1);
        }
        // Writes are applied by now; an empty bundle counts the commit.
        overlay.apply(new Bundle(bundle.workflow(), bundle.expectedVersion(),
                List.of(Bundle.Part.of(Step.ACK, new Write.Acknowledge(new Place.Row()))),
                seal));
        return null;
    }

    private @Nullable Rejection precondition(Bundle bundle, Overlay overlay) {
        WorkflowRecord workflow = overlay.workflow();
        ShardId home = workflow == null ? homeToBe(bundle) : stored.home(bundle.workflow());
        if (home != null && !home.equals(shard)) {
            return new Rejection.WrongShard(home);
        }
        long version = workflow == null ? 0 : workflow.version();
        if (version != bundle.expectedVersion()) {
            boolean start = bundle.creates();
            return start ? new Rejection.WorkflowExists()
                    : new Rejection.VersionConflict(bundle.expectedVersion(), version);
        }
        return null;
    }

    private @Nullable ShardId homeToBe(Bundle bundle) {
        return bundle.writes().stream()
                .filter(Write.CreateWorkflow.class::isInstance)
                .map(write -> ((Write.CreateWorkflow) write).workflow().beginning().group())
                .map(group -> ShardId.of(bundle.workflow(), group,
                        Math.max(1, stored.shards(bundle.workflow().namespace(), group))))
                .findFirst()
                .orElse(null);
    }

    private @Nullable Rejection judge(Overlay overlay, Write write, boolean inboxOnly) {
        WorkflowRecord workflow = overlay.workflow();
        return switch (write) {
            case Write.CreateWorkflow create -> workflow == null ? null : new Rejection.WorkflowExists();
            case Write.Post post -> stored.shards(post.message().workflow().namespace(), post.group()) > 0
                    ? null
                    : new Rejection.UnknownGroup(post.group());
            case Write.Accept accept when workflow != null ->
                accepted.add(accept.guid()) && !stored.known(workflow.key(), accept) ? null
                        : new Rejection.SignalKnown(accept.guid());
            case Write.Acknowledge acknowledge -> place(acknowledge.place(), workflow, inboxOnly, true);
            case Write.GiveUp giveUp -> place(giveUp.place(), workflow, inboxOnly, true);
            case Write.Charge charge -> place(charge.place(), workflow, inboxOnly, false);
            default -> workflow == null ? new Rejection.WorkflowMissing() : rows(overlay, workflow, write);
        };
    }

    private @Nullable Rejection place(Place place, @Nullable WorkflowRecord workflow, boolean inboxOnly,
            boolean takes) {
        return switch (place) {
            case Place.Row row -> null;
            case Place.Queue queue -> workflow == null ? new Rejection.WorkflowMissing() : null;
            case Place.Inbox inbox -> {
                boolean gone = inboxOnly && (taken.contains(inbox.id()) || !stored.lies(shard, inbox.id()));
                if (takes) {
                    taken.add(inbox.id());
                }
                yield gone ? new Rejection.MessageGone(inbox.id()) : null;
            }
        };
    }

    private static @Nullable Rejection rows(Overlay overlay, WorkflowRecord workflow, Write write) {
        return switch (write) {
            case Write.PutActivity put -> {
                ActivityRecord before = overlay.activity(put.activity().key());
                ActivityLedger ledger = before == null ? ActivityLedger.NEW : before.ledger();
                yield put.activity().ledger().follows(ledger) ? null : shrinks("activity " + put.activity().key());
            }
            case Write.PutGuid put -> {
                GuidRecord before = overlay.guid(put.guid().guid());
                yield before == null || put.guid().ledger().follows(before.ledger())
                        ? null
                        : shrinks("message " + put.guid().guid());
            }
            case Write.Enqueue enqueue -> enqueue.number() < workflow.messages()
                    ? new Rejection.NumberTaken(enqueue.number())
                    : null;
            case Write.MoveSemaphore move -> {
                Rejection moved = moved(workflow.gate(), move.delta(), move.by(), move.predictedHit());
                yield moved == null && move.predictedHit() && overlay.guid(move.by()) == null
                        ? shrinks("message " + move.by() + " has no ledger")
                        : moved;
            }
            case Write.MoveJoin move -> moved(joinBefore(overlay, move.join(), move.arrivals()), -1, move.by(),
                    move.predictedHit());
            default -> null;
        };
    }

    private static Gate joinBefore(Overlay overlay, ActivityKey join, int arrivals) {
        Gate gate = overlay.join(join);
        return gate == null ? Gate.ofJoin(arrivals) : gate;
    }

    private static @Nullable Rejection moved(Gate before, long delta, Guid by, boolean predicted) {
        if (before.semaphore().open() + delta < 0) {
            return new Rejection.Underflow(before + " moved by " + delta);
        }
        boolean hit = !before.closed() && before.move(delta, by).closed();
        return hit == predicted ? null : new Rejection.HitMismatch(by, predicted);
    }

    private static Rejection shrinks(String what) {
        return new Rejection.LedgerShrinks(what);
    }
}
