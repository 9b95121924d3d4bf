package dev.pawl;

import dev.pawl.engine.Incidents;
import dev.pawl.kernel.id.WorkflowKey;
import java.lang.System.Logger.Level;
import java.util.LinkedHashMap;
import java.util.Map;

/** Warns of results that are waited for although their workflow is parked: once for each time it was parked. Safe for many threads. */
final class ParkedWarnings {

    private static final int KEPT_MAX = 1_000;

    private final Incidents incidents;
    private final Map<WorkflowKey, String> warned = new LinkedHashMap<>();

    ParkedWarnings(Incidents incidents) {
        this.incidents = incidents;
    }

    /** The result of a workflow is waited for, and this is why it does not come. */
    void parked(WorkflowKey workflow, String reason) {
        if (first(workflow, reason)) {
            incidents.happened(Incidents.Kind.PARKED_RESULT_AWAITED, Level.WARNING, "the result of " + workflow
                    + " is waited for, but it is parked and does not go on by itself: " + reason + ". "
                    + WorkflowParked.WHAT_TO_DO);
        }
    }

    private synchronized boolean first(WorkflowKey workflow, String reason) {
        boolean first = !reason.equals(warned.put(workflow, reason));
        if (warned.size() > KEPT_MAX) {
            warned.remove(warned.keySet().iterator().next());
        }
        return first;
    }
}
