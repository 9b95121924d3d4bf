package dev.pawl.store.plan;

import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Seal;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.event.Event;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.Hash;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.ledger.GuidLedger;
import dev.pawl.kernel.message.Attribute;
import dev.pawl.kernel.message.Delivery.Place;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Effect;
import dev.pawl.kernel.workflow.EffectRecord;
import dev.pawl.kernel.workflow.GuidRecord;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Everything a batch wants of one workflow, each row once: the last write of an activity and of a message's ledger, the moves of
 * semaphore and joins in their order, the queue without the messages that are born and consumed in this batch, and every event.
 * The fields are read by the store that carries it out.
 */
public final class WorkflowPlan {

    public final WorkflowKey key;
    /** The version the stored row must have; the event the stored chain must end in. */
    public final long expectedVersion;
    public final Hash expectedChain;
    public final Map<ActivityKey, ActivityRecord> activities = new LinkedHashMap<>();
    /** With the closer's digit already in it: the store refuses the batch if it computes another closer. */
    public final Map<Guid, GuidRecord> guids = new LinkedHashMap<>();
    /** Movers that are closers by prediction and whose ledger is not written here: the store adds the weight. */
    public final Map<Guid, Long> closers = new LinkedHashMap<>();
    public final List<Move> moves = new ArrayList<>();
    public final List<Write.MoveJoin> joins = new ArrayList<>();
    public final Map<Long, Message> queued = new LinkedHashMap<>();
    public final List<Long> acknowledged = new ArrayList<>();
    public final Map<Long, Integer> charged = new LinkedHashMap<>();
    public final Map<Long, String> givenUp = new LinkedHashMap<>();
    public final Map<Guid, Write.Accept> accepted = new LinkedHashMap<>();
    public final Map<Guid, Message.Signal> kept = new LinkedHashMap<>();
    public final List<Guid> taken = new ArrayList<>();
    public final Map<Effect.Key, EffectRecord> effects = new LinkedHashMap<>();
    public final Map<Attribute.Key, Write.PutAttribute> attributes = new LinkedHashMap<>();
    public final List<Event> events = new ArrayList<>();
    public @Nullable WorkflowRecord created;
    public Write.@Nullable CloseWorkflow close;
    /** Without meaning if the workflow ends. */
    public Write.@Nullable Hold hold;
    /** The lowest number a message of this batch was given; the stored counter must not be beyond it. */
    public @Nullable Long firstNumber;
    /** The number after the last one given, or null if none was. */
    public @Nullable Long nextNumber;
    public long version;
    public Hash chain;

    /** One move of the workflow's semaphore. */
    public record Move(Guid by, long delta, boolean predictedHit) {
    }

    WorkflowPlan(Bundle first) {
        key = first.workflow();
        expectedVersion = first.expectedVersion();
        version = expectedVersion;
        Seal seal = first.seal();
        expectedChain = seal == null ? Hash.NONE : seal.previous();
        chain = expectedChain;
    }

    /** Whether a message is its activity's first, whose ledger lies in the activity's own row; there is at most one. */
    public static boolean first(GuidRecord guid) {
        return guid.ledger().ordinal() <= 1;
    }

    /** Adds a bundle; false if it does not fit the ones before it, so that the batch must be refused. */
    boolean add(Bundle bundle) {
        Seal seal = bundle.seal();
        if (bundle.expectedVersion() != version || seal == null || !seal.previous().equals(chain)) {
            return false;
        }
        version++;
        chain = seal.event().hash();
        events.add(seal.event());
        return bundle.writes().allMatch(this::add);
    }

    private boolean add(Write write) {
        switch (write) {
            case Write.CreateWorkflow create -> {
                if (created != null || expectedVersion != 0 || !expectedChain.equals(Hash.NONE)) {
                    return false;
                }
                created = create.workflow();
            }
            case Write.PutActivity put -> {
                ActivityRecord before = activities.put(put.activity().key(), put.activity());
                return before == null || put.activity().ledger().follows(before.ledger());
            }
            case Write.PutGuid put -> {
                GuidRecord before = guids.put(put.guid().guid(), put.guid());
                // Written after its move it shows the closer's digit itself; without it the digit would be lost.
                boolean keepsCloser = closers.remove(put.guid().guid()) == null || put.guid().ledger().closer();
                return keepsCloser && (before == null || put.guid().ledger().follows(before.ledger()));
            }
            case Write.MoveSemaphore move -> move(move);
            case Write.MoveJoin move -> joins.add(move);
            case Write.Enqueue enqueue -> {
                return enqueue(enqueue);
            }
            case Write.Acknowledge acknowledge -> acknowledge(acknowledge.place());
            case Write.Charge charge -> {
                if (charge.place() instanceof Place.Queue queue) {
                    charged.put(queue.number(), charge.marks());
                }
            }
            case Write.GiveUp giveUp -> {
                if (giveUp.place() instanceof Place.Queue queue) {
                    givenUp.put(queue.number(), giveUp.reason());
                }
            }
            case Write.Accept accept -> {
                return accepted.put(accept.guid(), accept) == null;
            }
            case Write.BufferSignal buffer -> kept.put(buffer.signal().guid(), buffer.signal());
            case Write.TakeSignal take -> {
                if (kept.remove(take.guid()) == null) {
                    taken.add(take.guid());
                }
            }
            case Write.PutAttribute put -> attributes.put(put.attribute().key(), put);
            case Write.PutEffect put -> effects.merge(put.effect().effect().key(), put.effect(),
                    (before, after) -> after.over(before));
            case Write.Hold change -> hold = change;
            case Write.CloseWorkflow end -> close = end;
            case Write.Post post -> {}
        }
        return true;
    }

    private void move(Write.MoveSemaphore move) {
        moves.add(new Move(move.by(), move.delta(), move.predictedHit()));
        if (move.predictedHit() && move.weight() != 0) {
            GuidRecord mover = guids.get(move.by());
            if (mover == null) {
                closers.put(move.by(), move.weight());
            } else {
                guids.put(move.by(), mover.with(new GuidLedger(mover.ledger().digits() + move.weight())));
            }
        }
    }

    private boolean enqueue(Write.Enqueue enqueue) {
        if (nextNumber != null && enqueue.number() < nextNumber) {
            return false;
        }
        firstNumber = firstNumber == null ? Long.valueOf(enqueue.number()) : firstNumber;
        nextNumber = enqueue.number() + 1;
        queued.put(enqueue.number(), enqueue.message());
        return true;
    }

    private void acknowledge(Place place) {
        if (place instanceof Place.Queue queue && queued.remove(queue.number()) == null) {
            acknowledged.add(queue.number());
        }
    }
}
