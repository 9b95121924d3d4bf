package dev.pawl.testkit.sim;

import dev.pawl.engine.store.Swept;
import dev.pawl.kernel.id.WorkflowKey;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Deletes what is over. */
final class SimRetention {

    private final SimTables tables;
    private final Set<Flaw> flaws;

    SimRetention(SimTables tables, Set<Flaw> flaws) {
        this.tables = tables;
        this.flaws = flaws;
    }

    Swept sweep(String namespace, Instant closedBefore, Instant now, int limit) {
        List<SimWorkflow> over = over(namespace, closedBefore, now).limit(limit).toList();
        List<SimTables.Acceptance> theirs = of(over);
        List<SimTables.Acceptance> others = expired(namespace, now)
                .filter(acceptance -> !theirs.contains(acceptance)).limit(limit).toList();
        over.forEach(workflow -> tables.workflows.remove(workflow.row.key()));
        if (flaws.contains(Flaw.LEAVES_EFFECTS_BEHIND)) {
            over.forEach(workflow -> tables.leftEffects.put(workflow.row.key(), workflow.effects));
        }
        tables.acceptances.values().removeAll(theirs);
        tables.acceptances.values().removeAll(others);
        return swept(over, theirs.size() + others.size());
    }

    Swept sweepable(String namespace, Instant closedBefore, Instant now) {
        return swept(over(namespace, closedBefore, now).toList(), expired(namespace, now).count());
    }

    private static Swept swept(Collection<SimWorkflow> workflows, long acceptances) {
        return new Swept(workflows.size(), workflows.stream().mapToLong(workflow -> workflow.events.size()).sum(),
                acceptances);
    }

    private Stream<SimWorkflow> over(String namespace, Instant closedBefore, Instant now) {
        return tables.workflows.values().stream()
                .filter(workflow -> workflow.row.key().namespace().equals(namespace))
                .filter(workflow -> ended(workflow, closedBefore))
                .filter(workflow -> !awaited(workflow) || flaws.contains(Flaw.SWEEPS_UNREAD_MESSAGES))
                .filter(workflow -> of(List.of(workflow)).stream().allMatch(acceptance -> expired(acceptance, now)))
                .sorted(Comparator.comparing((SimWorkflow workflow) -> workflow.row.createdAt())
                        .thenComparing(workflow -> workflow.row.key()));
    }

    private boolean ended(SimWorkflow workflow, Instant closedBefore) {
        Instant closedAt = workflow.row.closedAt();
        return closedAt == null ? flaws.contains(Flaw.SWEEPS_OPEN_WORKFLOWS) : closedAt.isBefore(closedBefore);
    }

    /** Whether a message waits for it. */
    private boolean awaited(SimWorkflow workflow) {
        return !workflow.queue.isEmpty() || tables.inbox.values().stream()
                .anyMatch(row -> row.delivery().message().workflow().equals(workflow.row.key()));
    }

    private List<SimTables.Acceptance> of(List<SimWorkflow> workflows) {
        List<WorkflowKey> keys = workflows.stream().map(workflow -> workflow.row.key()).toList();
        return tables.acceptances.values().stream()
                .filter(acceptance -> keys.contains(acceptance.signal().workflow()))
                .toList();
    }

    private Stream<SimTables.Acceptance> expired(String namespace, Instant now) {
        return tables.acceptances.values().stream()
                .filter(acceptance -> acceptance.signal().workflow().namespace().equals(namespace))
                .filter(acceptance -> expired(acceptance, now))
                .filter(acceptance -> {
                    SimWorkflow workflow = tables.workflows.get(acceptance.signal().workflow());
                    return workflow == null || !workflow.open();
                });
    }

    private boolean expired(SimTables.Acceptance acceptance, Instant now) {
        return !now.isBefore(acceptance.expiresAt()) || flaws.contains(Flaw.SWEEPS_LIVE_ACCEPTANCES);
    }
}
