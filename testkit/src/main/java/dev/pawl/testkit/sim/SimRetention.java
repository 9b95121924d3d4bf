package dev.pawl.testkit.sim;

import dev.pawl.engine.store.Cutoffs;
import dev.pawl.engine.store.Swept;
import dev.pawl.kernel.event.Event;
import dev.pawl.kernel.event.JournalEntry;
import dev.pawl.kernel.id.WorkflowKey;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
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

    Swept sweep(String namespace, Cutoffs cutoffs, Instant now, int limit) {
        List<SimWorkflow> over = over(namespace, cutoffs, now).limit(limit).toList();
        List<SimTables.Acceptance> theirs = of(over);
        List<SimTables.Acceptance> others = expired(namespace, now)
                .filter(acceptance -> !theirs.contains(acceptance)).limit(limit).toList();
        over.forEach(workflow -> tables.workflows.remove(workflow.row.key()));
        if (flaws.contains(Flaw.LEAVES_EFFECTS_BEHIND)) {
            over.forEach(workflow -> tables.leftEffects.put(workflow.row.key(), workflow.effects));
        }
        if (flaws.contains(Flaw.LEAVES_ATTRIBUTES_BEHIND)) {
            over.forEach(workflow -> tables.leftAttributes.put(workflow.row.key(), workflow.attributes));
        }
        tables.decisions.values().removeIf(decision -> over.stream()
                .anyMatch(workflow -> workflow.row.key().equals(decision.workflow())));
        if (!flaws.contains(Flaw.LEAVES_ORPHANS)) {
            tables.acceptances.values().removeAll(theirs);
        }
        tables.acceptances.values().removeAll(others);
        return swept(over, theirs.size() + others.size());
    }

    Swept sweepable(String namespace, Cutoffs cutoffs, Instant now) {
        return swept(over(namespace, cutoffs, now).toList(), expired(namespace, now).count());
    }

    private static Swept swept(Collection<SimWorkflow> workflows, long acceptances) {
        return new Swept(workflows.size(), workflows.stream().mapToLong(workflow -> workflow.journal.size()).sum(),
                acceptances, workflows.stream().mapToLong(SimRetention::bytes).sum());
    }

    private static long bytes(SimWorkflow workflow) {
        return workflow.row.beginning().input().size() + workflow.row.output().size()
                + workflow.journal.stream().map(JournalEntry::event).mapToLong(SimRetention::bytes).sum()
                + workflow.activities.values().stream()
                        .mapToLong(activity -> activity.input().size() + activity.output().size()).sum()
                + workflow.signals.stream().mapToLong(signal -> signal.response().payload().size()).sum();
    }

    private static long bytes(Event event) {
        return event.json().getBytes(StandardCharsets.UTF_8).length;
    }

    /** Everything else is part of its workflow here, and goes with it. */
    Map<String, Long> orphans(String namespace) {
        long left = tables.acceptances.values().stream().map(acceptance -> acceptance.signal().workflow())
                .filter(key -> key.namespace().equals(namespace) && !tables.workflows.containsKey(key)).count();
        return left == 0 ? Map.of() : Map.of("signal_acceptance", left);
    }

    private Stream<SimWorkflow> over(String namespace, Cutoffs cutoffs, Instant now) {
        return tables.workflows.values().stream()
                .filter(workflow -> workflow.row.key().namespace().equals(namespace))
                .filter(workflow -> ended(workflow, cutoffs))
                .filter(workflow -> !awaited(workflow) || flaws.contains(Flaw.SWEEPS_UNREAD_MESSAGES))
                .filter(workflow -> of(List.of(workflow)).stream().allMatch(acceptance -> expired(acceptance, now)))
                .sorted(Comparator.comparing((SimWorkflow workflow) -> workflow.row.createdAt())
                        .thenComparing(workflow -> workflow.row.key()));
    }

    private boolean ended(SimWorkflow workflow, Cutoffs cutoffs) {
        Instant closedAt = workflow.row.closedAt();
        return closedAt == null ? flaws.contains(Flaw.SWEEPS_OPEN_WORKFLOWS) : passed(workflow, closedAt, cutoffs);
    }

    private boolean passed(SimWorkflow workflow, Instant closedAt, Cutoffs cutoffs) {
        Instant latest = cutoffs.latest();
        return flaws.contains(Flaw.SWEEPS_WHATEVER_THE_STATUS)
                ? latest != null && closedAt.isBefore(latest)
                : cutoffs.passed(workflow.row.status(), closedAt);
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
