package dev.pawl.kernel.bundle;

import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.message.Attribute;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.EffectRecord;
import dev.pawl.kernel.workflow.GuidRecord;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** One durable write of a transition. The workflow it belongs to is named by its bundle. */
public sealed interface Write {

    /** Inserts the workflow; a workflow that exists is never overwritten. */
    record CreateWorkflow(WorkflowRecord workflow) implements Write {
    }

    /**
     * Inserts or replaces an activity row: the ledger and the work it certifies in one write. Key, type and input never change
     * after the insert.
     */
    record PutActivity(ActivityRecord activity) implements Write {
    }

    /**
     * Inserts or replaces a message's ledger. The closer digit is the compound primitive's to set; a later write of the same
     * bundle shows it as the kernel foresaw it, and is only reached if the store agreed.
     *
     * <p>Of the messages of one activity at most one has an ordinal of 0 or 1: a leg-one message or the first leg-two message,
     * never both. Its activity's row exists by the end of the commit. So a store may keep that one ledger in that row.
     */
    record PutGuid(GuidRecord guid) implements Write {
    }

    /**
     * The compound primitive: adds the delta to the workflow's semaphore and, if that reaches the threshold of a workflow
     * still open, records the mover as its closer and adds the weight to the mover's ledger.
     *
     * @param weight what a hit adds to the mover's ledger; 0 for a trigger, whose ledger has no closer digit
     * @param predictedHit what the kernel foresaw; a store that computes otherwise aborts the batch
     */
    record MoveSemaphore(Guid by, long delta, long weight, boolean predictedHit) implements Write {
    }

    /** The same primitive for a join: the first arrival creates its gate, the last one opens it. */
    record MoveJoin(ActivityKey join, int arrivals, Guid by, boolean predictedHit) implements Write {
    }

    /** Puts a message in the workflow's own queue, its first entry charged. */
    record Enqueue(long number, Message message) implements Write {
    }

    /** Puts a message for another workflow in the inbox of that workflow's shard, whether it exists yet or not. */
    record Post(String group, Message message) implements Write {
    }

    /** Removes a message from where it lies. */
    record Acknowledge(Delivery.Place place) implements Write {
    }

    /** Charges another entry to a message. */
    record Charge(Delivery.Place place, int marks) implements Write {
    }

    /** Takes a message out of delivery and keeps it for a person to see. */
    record GiveUp(Delivery.Place place, String reason) implements Write {
    }

    /**
     * Accepts a signal that is dealt with in the same part: inserts its acceptance. If there is one, or if the signal itself is
     * found somewhere, the commit does not hold: whoever sent it has to be answered from what is stored.
     *
     * @param keyed whether its sender may have sent it before; if not, the id is fresh, and nobody looks for the signal
     */
    record Accept(String signalName, String signalId, boolean keyed, Guid guid, Instant acceptedAt, Instant expiresAt)
            implements Write {
    }

    /** Keeps a signal until a hook waits for it. */
    record BufferSignal(Message.Signal signal) implements Write {
    }

    /** A hook has taken a kept signal. */
    record TakeSignal(Guid guid) implements Write {
    }

    /** Inserts or replaces what is known of an effect. Its key and when it was first declared never change after the insert. */
    record PutEffect(EffectRecord effect) implements Write {
    }

    /**
     * Inserts, replaces or removes an attribute.
     *
     * @param createdAt of the workflow, so that what is found by an attribute can be put in order without a look at each workflow
     */
    record PutAttribute(Attribute attribute, Instant createdAt) implements Write {
    }

    /**
     * Holds an open workflow, or lets it go on: for its readers. A status that ends it is {@link CloseWorkflow}'s.
     *
     * @param reason why it is held, for people; null if it goes on
     */
    record Hold(WorkflowStatus status, @Nullable String reason) implements Write {

        public Hold {
            if (status.terminal()) {
                throw new IllegalArgumentException("a workflow is not held as " + status);
            }
        }
    }

    /** Ends the workflow for its readers: status, result, time. */
    record CloseWorkflow(WorkflowStatus status, Payload output, @Nullable String reason, Instant closedAt)
            implements Write {

        /** To the millisecond, as stores keep it: the event must not tell of another time than the row. */
        public CloseWorkflow {
            closedAt = closedAt.truncatedTo(ChronoUnit.MILLIS);
        }
    }
}
