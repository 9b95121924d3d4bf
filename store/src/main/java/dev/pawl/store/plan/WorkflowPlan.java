package dev.pawl.store.plan;

import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Seal;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.Hash;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Attribute;
import dev.pawl.kernel.message.Delivery.Place;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.workflow.Effect;
import dev.pawl.kernel.workflow.EffectRecord;
import dev.pawl.kernel.workflow.Waker;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Everything a batch wants of one workflow, each row once: every event, what its activities wait for at the end, the moves of semaphore
 * and joins in their order, and the queue without the messages that are born and consumed in this batch. The records of activities,
 * ledgers and kept signals have no rows: the events tell of them. The fields are read by the store that carries it out.
 */
public final class WorkflowPlan {

    public final WorkflowKey key;
    /** The version the stored row must have; the event the stored chain must end in. */
    public final long expectedVersion;
    public final Hash expectedChain;
    public final List<Move> moves = new ArrayList<>();
    public final List<Write.MoveJoin> joins = new ArrayList<>();
    public final Map<Long, Message> queued = new LinkedHashMap<>();
    public final List<Long> acknowledged = new ArrayList<>();
    public final Map<Long, Integer> charged = new LinkedHashMap<>();
    public final Map<Long, String> givenUp = new LinkedHashMap<>();
    public final Map<Guid, Write.Accept> accepted = new LinkedHashMap<>();
    public final Map<Effect.Key, EffectRecord> effects = new LinkedHashMap<>();
    public final Map<Attribute.Key, Write.PutAttribute> attributes = new LinkedHashMap<>();
    public final List<Seal> events = new ArrayList<>();
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
    /** What activities that the batch writes waited for before it, and wait for after it. */
    private final Map<ActivityKey, Waker> waitsBefore = new HashMap<>();
    private final Map<ActivityKey, Waker> waitsAfter = new LinkedHashMap<>();
    /** Whether the workflow was closed before the batch. */
    private boolean closed;

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

    /** Whether the workflow's own row is written: an ordinary step leaves it as it is. */
    public boolean changesRow() {
        return !moves.isEmpty() || nextNumber != null || hold != null || close != null;
    }

    /** Whether a move of this batch closes the workflow: whatever it waited for is over. */
    public boolean closes() {
        return moves.stream().anyMatch(Move::predictedHit);
    }

    /** What activities wait for from now on, where that must be found from outside and is not what they waited for before. */
    public Map<ActivityKey, Waker> opened() {
        Map<ActivityKey, Waker> opened = new LinkedHashMap<>();
        if (!closed && !closes()) {
            waitsAfter.forEach((activity, waker) -> {
                if (waker.open() && !waker.equals(waitsBefore.get(activity))) {
                    opened.put(activity, waker);
                }
            });
        }
        return opened;
    }

    /** The activities that could be found from outside by what they waited for, and cannot any more. */
    public List<ActivityKey> ended() {
        List<ActivityKey> ended = new ArrayList<>();
        if (!closed && !closes()) {
            waitsAfter.forEach((activity, waker) -> {
                Waker before = waitsBefore.get(activity);
                if (before != null && before.open() && !waker.open()) {
                    ended.add(activity);
                }
            });
        }
        return ended;
    }

    /** Adds a bundle; false if it does not fit the ones before it, so that the batch must be refused. */
    boolean add(Bundle bundle) {
        Seal seal = bundle.seal();
        if (bundle.expectedVersion() != version || seal == null || !seal.previous().equals(chain)) {
            return false;
        }
        if (events.isEmpty()) {
            closed = seal.closed();
        }
        version++;
        chain = seal.event().hash();
        events.add(seal);
        boolean fits = true;
        for (Bundle.Part part : bundle.parts()) {
            for (Write write : part.writes()) {
                fits = fits && add(write, seal);
            }
        }
        return fits;
    }

    private boolean add(Write write, Seal seal) {
        switch (write) {
            case Write.CreateWorkflow create -> {
                if (created != null || expectedVersion != 0 || !expectedChain.equals(Hash.NONE)) {
                    return false;
                }
                created = create.workflow();
            }
            case Write.PutActivity put -> {
                ActivityKey activity = put.activity().key();
                Waker before = seal.existing().get(activity);
                if (before != null && !waitsAfter.containsKey(activity)) {
                    waitsBefore.put(activity, before);
                }
                waitsAfter.put(activity, put.activity().waker());
            }
            case Write.PutGuid put -> {}
            case Write.MoveSemaphore move -> moves.add(new Move(move.by(), move.delta(), move.predictedHit()));
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
            case Write.BufferSignal buffer -> {}
            case Write.TakeSignal take -> {}
            case Write.PutAttribute put -> attributes.put(put.attribute().key(), put);
            case Write.PutEffect put -> effects.merge(put.effect().effect().key(), put.effect(),
                    (before, after) -> after.over(before));
            case Write.Hold change -> hold = change;
            case Write.CloseWorkflow end -> close = end;
            case Write.Post post -> {}
        }
        return true;
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
