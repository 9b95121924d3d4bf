package dev.pawl.testkit.simulate;

import dev.pawl.engine.store.Store;
import dev.pawl.kernel.event.Chain;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.ledger.GuidLedger;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Gate;
import dev.pawl.kernel.workflow.GuidRecord;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;

/** What must be true of a workflow in the store at any time, and what must be true of one that has closed. */
public final class Invariants {

    private static final int PAGE = 100;

    private final List<String> violations = new ArrayList<>();

    private Invariants() {
    }

    /** P1, P3 and P4, and an unbroken event log, for all of them. */
    public static List<String> violations(Store store, Collection<WorkflowRecord> workflows) {
        Invariants invariants = new Invariants();
        workflows.forEach(workflow -> {
            invariants.workflow(workflow, store.load(workflow.key()));
            invariants.log(store, workflow);
        });
        return invariants.violations;
    }

    /** P1, P3 and P4, for one workflow, whichever store it was loaded from; its event log is for the caller to read. */
    public static List<String> violations(Snapshot snapshot) {
        Invariants invariants = new Invariants();
        WorkflowRecord workflow = snapshot.workflow();
        if (workflow != null) {
            invariants.workflow(workflow, snapshot);
        }
        return invariants.violations;
    }

    private void workflow(WorkflowRecord workflow, Snapshot snapshot) {
        List<GuidRecord> closers = snapshot.guids().values().stream().filter(guid -> guid.ledger().closer()).toList();
        Gate gate = workflow.gate();
        check(closers.size() <= 1,
                () -> "P4 %s has %d closers".formatted(workflow.key(), closers.size()));
        check(gate.closed() || !workflow.status().terminal(),
                () -> "P4 %s ended without a closer".formatted(workflow.key()));
        if (gate.closed()) {
            check(gate.semaphore().at(gate.threshold()),
                    () -> "P4 %s is closed at %s".formatted(workflow.key(), gate));
            GuidRecord closer = snapshot.guid(Objects.requireNonNull(gate.closedBy()));
            check(closer != null,
                    () -> "P1 the closer of %s has no ledger".formatted(workflow.key()));
            if (closer != null) {
                boolean trigger = closer.activity().equals(workflow.trigger()) && closer.ledger().ordinal() == 0;
                check(closer.ledger().closer() != trigger,
                        () -> "P4 the closer of %s is marked %s".formatted(workflow.key(),
                                closer.ledger()));
                check(closer.ledger().completionDone() == workflow.status().terminal(),
                        () -> "P1 completion of %s is marked %s in status %s".formatted(workflow.key(), closer.ledger(),
                                workflow.status()));
            }
        }
        snapshot.guids().values().forEach(guid -> message(snapshot, workflow, guid));
        firstMessages(snapshot, workflow);
    }

    /** Stores may keep one ledger of a message in the row of its activity: that of the first one. There must be one first. */
    private void firstMessages(Snapshot snapshot, WorkflowRecord workflow) {
        Set<ActivityKey> seen = new HashSet<>();
        snapshot.guids().values().stream().filter(guid -> guid.ledger().ordinal() <= 1)
                .forEach(guid -> check(seen.add(guid.activity()),
                        () -> "P3 two messages are the first of %s of %s".formatted(guid.activity(), workflow.key())));
    }

    /** One event for each version and none more, each sealed by the next, the last one by the row. */
    private void log(Store store, WorkflowRecord workflow) {
        Chain.Verdict verdict = Chain.verify(after -> store.events(workflow.key(), after, PAGE), workflow.chain(),
                workflow.version());
        check(verdict instanceof Chain.Intact,
                () -> "P1 the log of %s at version %d is %s".formatted(workflow.key(), workflow.version(), verdict));
        check(store.events(workflow.key(), workflow.version(), 1).isEmpty(),
                () -> "P1 the log of %s goes on after version %d".formatted(workflow.key(), workflow.version()));
    }

    private void message(Snapshot snapshot, WorkflowRecord workflow, GuidRecord guid) {
        GuidLedger ledger = guid.ledger();
        ActivityRecord activity = snapshot.activity(guid.activity());
        check(activity != null,
                () -> "P1 a message of %s belongs to %s, which does not exist".formatted(workflow.key(),
                        guid.activity()));
        if (activity != null && ledger.ordinal() > 0) {
            check(activity.ledger().legTwoEntries() >= ledger.ordinal(),
                    () -> "P3 %s of %s has fewer entries than ordinal %s".formatted(guid.activity(), workflow.key(),
                            ledger));
        }
        if (ledger.workDone() && ledger.dimension() > 0 && activity != null && !activity.ledger().trigger()) {
            check(snapshot.activity(guid.activity().inDimension(ledger.dimension())) != null,
                    () -> "P1 work of %s in plane %d of %s is marked but not there".formatted(guid.activity(),
                            ledger.dimension(),
                            workflow.key()));
        }
    }

    private void check(boolean holds, Supplier<String> violation) {
        if (!holds) {
            violations.add(violation.get());
        }
    }
}
