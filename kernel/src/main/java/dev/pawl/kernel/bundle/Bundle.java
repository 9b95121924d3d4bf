package dev.pawl.kernel.bundle;

import dev.pawl.kernel.id.WorkflowKey;
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

    /** The same transition with a commit for every step: harder on the disk, and just as correct. */
    public List<Bundle> apart() {
        List<Bundle> bundles = new ArrayList<>();
        for (Part part : parts) {
            bundles.add(new Bundle(workflow, expectedVersion + bundles.size(), List.of(part)));
        }
        return bundles;
    }
}
