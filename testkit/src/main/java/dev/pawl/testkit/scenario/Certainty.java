package dev.pawl.testkit.scenario;

import java.util.Set;
import java.util.TreeSet;

/**
 * How much of the end of a scenario does not depend on timing.
 *
 * @param loose workflows of which only status and output are fixed
 * @param alike workflows that race: it is fixed what ends there are among them, not whose end is which
 */
public record Certainty(Set<String> loose, Set<String> alike) {

    /** All of it: status and output of every workflow, every activity, everything sent. */
    public static final Certainty EXACT = new Certainty(Set.of(), Set.of());

    public Certainty {
        loose = new TreeSet<>(loose);
        alike = new TreeSet<>(alike);
    }

    public boolean exact() {
        return loose.isEmpty() && alike.isEmpty();
    }

    /** Whether every activity of the workflow and everything it sends is fixed. */
    boolean exact(String workflowId) {
        return !loose.contains(workflowId) && !alike.contains(workflowId);
    }
}
