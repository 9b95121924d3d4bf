package dev.pawl.testkit.sim;

import dev.pawl.engine.store.Commit;
import dev.pawl.engine.store.GivenUp;
import dev.pawl.engine.store.Rejection;
import dev.pawl.engine.store.ShardId;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Seal;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.ledger.ActivityLedger;
import dev.pawl.kernel.ledger.GuidLedger;
import dev.pawl.kernel.message.Attribute;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Delivery.Place;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Effect;
import dev.pawl.kernel.workflow.EffectRecord;
import dev.pawl.kernel.workflow.Gate;
import dev.pawl.kernel.workflow.GuidRecord;
import dev.pawl.testkit.sim.SimCommit.Refused;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The writes of one bundle, one after the other. */
final class SimBundle {

    private final SimTransaction transaction;
    private final Set<Flaw> flaws;
    private final ShardId shard;
    private final Bundle bundle;
    private final boolean compares;
    private final List<ActivityKey> joinsOpened = new ArrayList<>();
    private @Nullable SimWorkflow workflow;
    private @Nullable Guid closedBy;

    SimBundle(SimTransaction transaction, Set<Flaw> flaws, ShardId shard, Bundle bundle, boolean lastOfItsWorkflow) {
        this.transaction = transaction;
        this.flaws = flaws;
        this.shard = shard;
        this.bundle = bundle;
        this.compares = lastOfItsWorkflow || !flaws.contains(Flaw.COMPARES_ONCE_PER_BATCH);
        this.workflow = transaction.workflow(bundle.workflow());
    }

    Commit.Applied apply() {
        bundle.writes().forEach(this::apply);
        if (workflow != null && !bundle.inboxOnly()) {
            append(workflow);
        }
        return new Commit.Applied(bundle.workflow(), workflow == null ? 0 : workflow.row.version(), closedBy,
                joinsOpened);
    }

    /** The event of the bundle: sealed to the last one, or the log would not prove anything. */
    private void append(SimWorkflow rows) {
        Seal seal = bundle.seal();
        // What was computed from something older does not follow either; a store that takes the one takes the other.
        boolean any = flaws.contains(Flaw.BREAKS_CHAIN) || flaws.contains(Flaw.SKIPS_VERSION);
        if (seal == null || (!seal.previous().equals(rows.row.chain()) && !any)) {
            throw new Refused(new Rejection.ChainBroken(rows.row.version() + 1));
        }
        rows.row = rows.row.committed(seal.event().hash());
        if (!flaws.contains(Flaw.FORGETS_EVENTS)) {
            rows.journal.add(seal.entry());
        }
    }

    private void apply(Write write) {
        switch (write) {
            case Write.CreateWorkflow create -> create(create);
            case Write.PutActivity put -> putActivity(put.activity());
            case Write.PutGuid put -> putGuid(put.guid());
            case Write.MoveSemaphore move -> moveSemaphore(move);
            case Write.MoveJoin move -> moveJoin(move);
            case Write.Enqueue enqueue -> {
                if (enqueue.number() < rows().row.messages() && !flaws.contains(Flaw.REUSES_NUMBERS)) {
                    throw new Refused(new Rejection.NumberTaken(enqueue.number()));
                }
                rows().queue.put(enqueue.number(), Delivery.queued(enqueue.number(), enqueue.message()));
                rows().row = rows().row.numbered(enqueue.number() + 1);
            }
            case Write.Post post -> {
                if (!transaction.post(post.group(), post.message())) {
                    throw new Refused(new Rejection.UnknownGroup(post.group()));
                }
            }
            case Write.Acknowledge acknowledge -> remove(acknowledge.place());
            case Write.Charge charge -> charge(charge.place(), charge.marks());
            case Write.GiveUp giveUp -> giveUp(giveUp);
            case Write.Accept accept -> accept(accept);
            case Write.BufferSignal buffer -> rows().signals.add(buffer.signal());
            case Write.PutEffect put -> putEffect(put.effect());
            case Write.PutAttribute put -> putAttribute(put.attribute());
            case Write.TakeSignal take -> rows().signals.removeIf(signal -> signal.guid().equals(take.guid()));
            case Write.Hold hold -> rows().row = rows().row.held(hold.status(), hold.reason());
            case Write.CloseWorkflow close -> rows().row = flaws.contains(Flaw.LOSES_RESULT)
                    ? rows().row.closed(close.status(), Payload.EMPTY, null, close.closedAt())
                    : rows().row.closed(close.status(), close.output(), close.reason(), close.closedAt());
        }
    }

    private SimWorkflow rows() {
        if (workflow == null) {
            throw new Refused(new Rejection.WorkflowMissing());
        }
        return workflow;
    }

    private void accept(Write.Accept accept) {
        if (flaws.contains(Flaw.FORGETS_JOINED_ACCEPTANCE)) {
            return;
        }
        if (!transaction.accept(new SimSignals(transaction.tables(), flaws), rows(), accept)) {
            throw new Refused(new Rejection.SignalKnown(accept.guid()));
        }
    }

    private void create(Write.CreateWorkflow create) {
        if (workflow != null) {
            throw new Refused(new Rejection.WorkflowExists());
        }
        workflow = new SimWorkflow(shard, create.workflow());
        transaction.create(bundle.workflow(), workflow);
        workflow.effects.putAll(transaction.leftEffects(bundle.workflow()));
        workflow.attributes.putAll(transaction.leftAttributes(bundle.workflow()));
    }

    private void putActivity(ActivityRecord activity) {
        ActivityRecord before = rows().activities.get(activity.key());
        ActivityLedger ledger = before == null ? ActivityLedger.NEW : before.ledger();
        requireGrowth(activity.ledger().follows(ledger), "activity " + activity.key());
        rows().activities.put(activity.key(), flaws.contains(Flaw.MANGLES_PAYLOADS)
                ? activity.with(asText(activity.output()))
                : activity);
    }

    private static Payload asText(Payload payload) {
        return Payload.of(new String(payload.bytes(), StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_8));
    }

    private void putGuid(GuidRecord guid) {
        GuidRecord before = rows().guids.get(guid.guid());
        requireGrowth(before == null || guid.ledger().follows(before.ledger()), "message " + guid.guid());
        rows().guids.put(guid.guid(), guid);
    }

    private void putEffect(EffectRecord effect) {
        Effect.Key key = effect.effect().key();
        String place = flaws.contains(Flaw.JOINS_EFFECT_KEYS)
                ? key.operationId() + ":" + key.activityName() + ":" + key.idempotencyKey()
                : key.text(bundle.workflow());
        if (!flaws.contains(Flaw.FORGETS_EFFECTS)) {
            rows().effects.merge(place, effect,
                    (before, after) -> flaws.contains(Flaw.REDATES_EFFECTS) ? after : after.over(before));
        }
    }

    private void putAttribute(Attribute attribute) {
        if (attribute instanceof Attribute.Removed && !flaws.contains(Flaw.KEEPS_REMOVED_ATTRIBUTES)) {
            rows().attributes.remove(attribute.key());
        } else if (!(attribute instanceof Attribute.Removed)) {
            boolean first =
                    flaws.contains(Flaw.KEEPS_FIRST_ATTRIBUTE) && rows().attributes.containsKey(attribute.key());
            rows().attributes.merge(attribute.key(), attribute, (before, after) -> first ? before : after);
        }
    }

    private void requireGrowth(boolean grows, String what) {
        if (!grows && !flaws.contains(Flaw.LETS_LEDGERS_SHRINK)) {
            throw new Refused(new Rejection.LedgerShrinks(what));
        }
    }

    /** The compound primitive: what is stored decides; the prediction is only compared. */
    private void moveSemaphore(Write.MoveSemaphore move) {
        Gate before = rows().row.gate();
        Gate after = moved(before, move.delta(), move.by());
        boolean hit = hit(before, after, move.by(), move.predictedHit());
        rows().row =
                rows().row.with(hit || before.closed() ? after : new Gate(after.semaphore(), after.threshold(), null));
        if (hit) {
            closedBy = move.by();
            GuidRecord mover = rows().guids.get(move.by());
            if (mover == null) {
                throw new Refused(new Rejection.LedgerShrinks("message " + move.by() + " has no ledger"));
            }
            if (move.weight() != 0 && !flaws.contains(Flaw.LOSES_CLOSER_DIGIT)) {
                rows().guids.put(move.by(), mover.with(new GuidLedger(mover.ledger().digits() + move.weight())));
            }
        }
    }

    private void moveJoin(Write.MoveJoin move) {
        Gate before = rows().joins.getOrDefault(move.join(), Gate.ofJoin(move.arrivals()));
        Gate after = moved(before, -1, move.by());
        if (hit(before, after, move.by(), move.predictedHit())) {
            joinsOpened.add(move.join());
        }
        rows().joins.put(move.join(), after);
    }

    private Gate moved(Gate before, long delta, Guid by) {
        Gate open = flaws.contains(Flaw.CLOSES_TWICE) ? new Gate(before.semaphore(), before.threshold(), null) : before;
        if (before.semaphore().open() + delta < 0) {
            throw new Refused(new Rejection.Underflow(before + " moved by " + delta));
        }
        return open.move(delta, by);
    }

    private boolean hit(Gate before, Gate after, Guid by, boolean predicted) {
        if (flaws.contains(Flaw.TRUSTS_PREDICTION)) {
            return predicted;
        }
        boolean wasOpen = !before.closed() || flaws.contains(Flaw.CLOSES_TWICE);
        boolean hit = wasOpen && after.closed();
        if (!compares) {
            return false;
        }
        if (hit != predicted) {
            throw new Refused(new Rejection.HitMismatch(by, predicted));
        }
        return hit;
    }

    private void remove(Place place) {
        switch (place) {
            case Place.Queue queue -> rows().queue.remove(queue.number());
            case Place.Inbox inbox -> {
                requireInbox(inbox);
                transaction.removeInbox(shard, inbox.id());
            }
            case Place.Row row -> {}
        }
    }

    /** A bundle with a version is protected by it; one without has nothing but the message it takes. */
    private void requireInbox(Place.Inbox inbox) {
        if (bundle.inboxOnly() && transaction.inbox(shard, inbox.id()) == null) {
            throw new Refused(new Rejection.MessageGone(inbox.id()));
        }
    }

    private void charge(Place place, int marks) {
        if (place instanceof Place.Inbox inbox) {
            requireInbox(inbox);
        }
        Delivery lying = lying(place);
        if (lying != null && !flaws.contains(Flaw.FORGETS_CHARGES)) {
            Delivery charged = new Delivery(place, lying.message(), marks);
            switch (place) {
                case Place.Queue queue -> rows().queue.put(queue.number(), charged);
                case Place.Inbox inbox -> transaction.chargeInbox(inbox.id(), charged);
                case Place.Row row -> {}
            }
        }
    }

    private void giveUp(Write.GiveUp giveUp) {
        Delivery lying = lying(giveUp.place());
        if (lying != null && !flaws.contains(Flaw.FORGETS_GIVEN_UP)) {
            transaction.giveUp(new GivenUp(0, shard, lying, giveUp.reason()));
        }
        remove(giveUp.place());
    }

    private @Nullable Delivery lying(Place place) {
        return switch (place) {
            case Place.Queue queue -> rows().queue.get(queue.number());
            case Place.Inbox inbox -> transaction.inbox(shard, inbox.id());
            case Place.Row row -> null;
        };
    }
}
