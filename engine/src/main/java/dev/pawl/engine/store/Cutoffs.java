package dev.pawl.engine.store;

import dev.pawl.kernel.lifecycle.WorkflowStatus;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Until when workflows are old enough to be deleted, by how they ended. One that was closed at its cut-off or later stays, and so does
 * one whose end has none.
 */
public record Cutoffs(Map<WorkflowStatus, Instant> closedBefore) {

    /** Nothing is old enough. */
    public static final Cutoffs NONE = new Cutoffs(Map.of());

    public Cutoffs {
        Map<WorkflowStatus, Instant> ordered = new EnumMap<>(WorkflowStatus.class);
        ordered.putAll(closedBefore);
        for (WorkflowStatus status : ordered.keySet()) {
            if (!status.terminal()) {
                throw new IllegalArgumentException("only what has ended has a cut-off, not what is " + status);
            }
        }
        closedBefore = Collections.unmodifiableMap(ordered);
    }

    /** The same for whatever has ended. */
    public static Cutoffs all(Instant closedBefore) {
        Map<WorkflowStatus, Instant> all = new EnumMap<>(WorkflowStatus.class);
        for (WorkflowStatus status : WorkflowStatus.values()) {
            if (status.terminal()) {
                all.put(status, closedBefore);
            }
        }
        return new Cutoffs(all);
    }

    /** The latest of them: nothing that was closed later may go. Null if nothing may. */
    public @Nullable Instant latest() {
        return closedBefore.values().stream().max(Instant::compareTo).orElse(null);
    }

    /** Whether what ended so, at this time, may go. */
    public boolean passed(WorkflowStatus status, Instant closedAt) {
        Instant cutoff = closedBefore.get(status);
        return cutoff != null && closedAt.isBefore(cutoff);
    }
}
