package dev.pawl.kernel.bundle;

import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Delivery;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What one transition commits: all of it, or nothing.
 *
 * @param expectedVersion the workflow's version the kernel computed from; 0 for a workflow still to be created
 */
public record Bundle(WorkflowKey workflow, long expectedVersion, List<Part> parts) {

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
    }

    /** All writes, in order. */
    public Stream<Write> writes() {
        return parts.stream().flatMap(part -> part.writes().stream());
    }

    /**
     * True if nothing but inboxes is touched: messages taken out of one, charged, or posted to another. Such a bundle says
     * nothing about its workflow, so it needs no version and makes none.
     */
    public boolean inboxOnly() {
        return writes().allMatch(Bundle::touchesInboxOnly);
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
        long version = expectedVersion;
        for (Part part : parts) {
            Bundle bundle = new Bundle(workflow, version, List.of(part));
            bundles.add(bundle);
            version += bundle.inboxOnly() ? 0 : 1;
        }
        return bundles;
    }
}
