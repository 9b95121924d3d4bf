package dev.pawl.kernel.bundle;

import dev.pawl.kernel.event.Occasion;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Hash;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Waker;
import dev.pawl.kernel.workflow.WorkflowRecord;
import dev.pawl.kernel.workflow.WorkflowView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one transition commits: all of it, or nothing.
 *
 * @param expectedVersion the workflow's version the kernel computed from; 0 for a workflow still to be created
 * @param seal the event that tells of it, chained to the one before; null if there is no workflow it could belong to, or if
 *        nothing but inboxes is touched
 */
public record Bundle(WorkflowKey workflow, long expectedVersion, List<Part> parts, @Nullable Seal seal) {

    /** The writes of one step, the proving digit among them. */
    public record Part(Step step, List<Write> writes) {

        public Part {
            writes = List.copyOf(writes);
        }

        public static Part of(Step step, Write... writes) {
            return new Part(step, List.of(writes));
        }
    }

    public Bundle {
        parts = List.copyOf(parts);
        if (seal != null && seal.event().number() != expectedVersion + 1) {
            throw new IllegalArgumentException(
                    "event " + seal.event().number() + " does not tell of the commit after version " + expectedVersion);
        }
    }

    /**
     * A bundle computed from a workflow as it stands, with its event.
     *
     * @param view the workflow before it
     */
    public static Bundle sealed(WorkflowKey workflow, WorkflowView view, Occasion occasion, List<Part> parts) {
        WorkflowRecord before = view.workflow();
        long version = before == null ? 0 : before.version();
        Bundle bundle = new Bundle(workflow, version, parts, null);
        if ((before == null && !bundle.creates()) || bundle.inboxOnly()) {
            return bundle;
        }
        Hash previous = before == null ? Hash.NONE : before.chain();
        List<Write> writes = bundle.writes();
        Map<ActivityKey, Waker> existing = new HashMap<>();
        for (Write write : writes) {
            if (write instanceof Write.PutActivity put) {
                ActivityRecord known = view.activity(put.activity().key());
                if (known != null) {
                    existing.put(known.key(), known.waker());
                }
            }
        }
        return new Bundle(workflow, version, parts, Seal.of(occasion, previous, version + 1, writes, existing,
                before != null && before.gate().closed()));
    }

    /** True if there was no such workflow before, and is one after it. */
    public boolean creates() {
        for (Part part : parts) {
            for (Write write : part.writes()) {
                if (write instanceof Write.CreateWorkflow) {
                    return true;
                }
            }
        }
        return false;
    }

    /** All writes, in order. */
    public List<Write> writes() {
        if (parts.size() == 1) {
            return parts.getFirst().writes();
        }
        List<Write> writes = new ArrayList<>();
        for (Part part : parts) {
            writes.addAll(part.writes());
        }
        return writes;
    }

    /**
     * True if nothing but inboxes is touched: messages taken out of one, charged, or posted to another. Such a bundle says
     * nothing about its workflow, so it needs no version and makes none.
     */
    public boolean inboxOnly() {
        if (seal != null) {
            return false;
        }
        for (Part part : parts) {
            for (Write write : part.writes()) {
                if (!touchesInboxOnly(write)) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean touchesInboxOnly(Write write) {
        return switch (write) {
            case Write.Post post -> true;
            case Write.Acknowledge acknowledge -> acknowledge.place() instanceof Delivery.Place.Inbox;
            case Write.Charge charge -> charge.place() instanceof Delivery.Place.Inbox;
            case Write.GiveUp giveUp -> giveUp.place() instanceof Delivery.Place.Inbox;
            default -> false;
        };
    }

    /** The same transition with a commit for every step: harder on the disk, and just as correct. */
    public List<Bundle> apart() {
        List<Bundle> bundles = new ArrayList<>();
        Hash previous = seal == null ? Hash.NONE : seal.previous();
        long version = expectedVersion;
        boolean closed = seal != null && seal.closed();
        Map<ActivityKey, Waker> existing = new HashMap<>(seal == null ? Map.of() : seal.existing());
        for (Part part : parts) {
            Bundle bundle = new Bundle(workflow, version, List.of(part), null);
            if (seal == null || bundle.inboxOnly()) {
                bundles.add(bundle);
            } else {
                Seal own = Seal.of(seal.occasion(), previous, version + 1, part.writes(), Map.copyOf(existing),
                        closed);
                bundles.add(new Bundle(workflow, version, List.of(part), own));
                closed |= part.writes().stream().anyMatch(
                        write -> write instanceof Write.MoveSemaphore move && move.predictedHit());
                for (Write write : part.writes()) {
                    if (write instanceof Write.PutActivity put) {
                        existing.put(put.activity().key(), put.activity().waker());
                    }
                }
                previous = own.event().hash();
                version++;
            }
        }
        return bundles;
    }
}
