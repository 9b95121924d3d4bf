package dev.pawl;

import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.Waiting;
import dev.pawl.kernel.bundle.Fold;
import dev.pawl.kernel.event.Chain;
import dev.pawl.kernel.event.JournalEntry;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.ledger.LedgerViolation;
import dev.pawl.kernel.message.Attribute;
import dev.pawl.kernel.workflow.EffectRecord;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks the record of a workflow: computes the hash chain of its events anew, folds them, and compares what they come to with the rows
 * by which the workflow is found and shown. Reads only. Safe for use by many threads.
 */
final class RecordCheck {

    private static final int PAGE = 500;

    /** A workflow that is busy moves on between two reads; after so many tries only what one read has shown is compared. */
    private static final int READS_MAX = 5;

    private final Store store;
    private final WorkflowKey key;
    private final List<CheckReport.Difference> differences = new ArrayList<>();
    private @Nullable Rows rows;

    /** What can be read beside the events, as of one version. */
    private record Rows(List<EffectRecord> effects, List<Attribute> attributes, List<Waiting> waiting) {
    }

    private RecordCheck(Store store, WorkflowKey key) {
        this.store = store;
        this.key = key;
    }

    static CheckReport of(Store store, WorkflowKey key) {
        return new RecordCheck(store, key).run();
    }

    private CheckReport run() {
        WorkflowRecord workflow;
        try {
            workflow = read();
        } catch (LedgerViolation e) {
            return report(0, "a ledger", "holds a value that Pawl never writes: " + e.getMessage());
        }
        if (workflow == null) {
            throw WorkflowError.notFound(key.workflowId());
        }
        Chain.Verdict verdict =
                Chain.verify(after -> store.events(key, after, PAGE), workflow.chain(), workflow.version());
        long next = verdict.events() + 1;
        return switch (verdict) {
            case Chain.Intact intact -> folded(workflow);
            case Chain.Missing missing -> report(missing.events(), "event " + next, "is missing");
            case Chain.Altered altered ->
                report(altered.events(), "event " + next, "has another text than it was written with");
            case Chain.Severed severed ->
                report(Math.max(0, severed.events() - 1), "event " + next, "does not follow from event "
                        + severed.events() + ": one of the two was changed, or they are not in their order");
            case Chain.OtherHead other -> report(Math.max(0, other.events() - 1), "event " + other.events(),
                    "is the last one, but has another hash beside it than its text has: one of the two was changed");
        };
    }

    /** Everything as of one version, if the workflow stands still for long enough. */
    private @Nullable WorkflowRecord read() {
        WorkflowRecord workflow = store.workflow(key);
        for (int reads = 0; reads < READS_MAX; reads++) {
            Rows read = new Rows(store.effects(key), store.attributes(key), store.waiting(key));
            WorkflowRecord after = store.workflow(key);
            if (version(after) == version(workflow)) {
                rows = read;
                return after;
            }
            workflow = after;
        }
        return workflow;
    }

    private static long version(@Nullable WorkflowRecord of) {
        return of == null ? 0 : of.version();
    }

    /** The chain holds: what the events come to can be compared. */
    private CheckReport folded(WorkflowRecord workflow) {
        Fold fold = new Fold(key, workflow.beginning().input(), workflow.output());
        long events = 0;
        try {
            while (events < workflow.version()) {
                for (JournalEntry entry : store.journal(key, events, PAGE)) {
                    if (entry.event().number() <= workflow.version()) {
                        fold.add(entry);
                    }
                    events = entry.event().number();
                }
            }
        } catch (LedgerViolation e) {
            return report(events, "event " + (events + 1), String.valueOf(e.getMessage()));
        }
        compare(workflow, fold);
        return new CheckReport(key.workflowId(), workflow.version(), List.copyOf(differences));
    }

    private void compare(WorkflowRecord workflow, Fold fold) {
        Snapshot folded = fold.snapshot();
        WorkflowRecord told = folded.workflow();
        if (told != null && !told.equals(workflow)) {
            same("definition", told.beginning().definition(), workflow.beginning().definition());
            same("version of the definition", told.beginning().definitionVersion(),
                    workflow.beginning().definitionVersion());
            same("group", told.beginning().group(), workflow.beginning().group());
            same("status", told.status(), workflow.status());
            same("semaphore", told.gate(), workflow.gate());
            if (differences.isEmpty()) {
                differs("workflow", "its row is not what its events come to");
            }
        }
        Rows read = rows;
        if (read != null) {
            List<Waiting> waits = folded.activities().stream().filter(each -> each.waker().open())
                    .map(each -> new Waiting(key, each.key(), each.waker())).toList();
            compare(workflow.gate().closed() ? List.of() : waits, read.waiting(),
                    each -> "wait of operation " + each.activity());
            compare(fold.effects(), read.effects(), each -> "effect of " + each.effect().key().operationId());
            compare(fold.attributes(), read.attributes(),
                    each -> (each.key().memo() ? "memo " : "attribute ") + each.key().name());
        }
    }

    private <T> void compare(List<T> told, List<T> stored, Function<T, String> name) {
        Map<String, T> there = stored.stream().collect(Collectors.toMap(name, each -> each, (one, other) -> one));
        for (T each : told) {
            T row = there.remove(name.apply(each));
            if (row == null) {
                differs(name.apply(each), "is missing");
            } else if (!row.equals(each)) {
                differs(name.apply(each), "is not the one that was written");
            }
        }
        there.keySet().forEach(where -> differs(where, "is there, but no event tells of it"));
    }

    private void same(String what, Object told, Object row) {
        if (!told.equals(row)) {
            differs("workflow", "its " + what + " is not the one that was written");
        }
    }

    private void differs(String where, String what) {
        differences.add(new CheckReport.Difference(where, what));
    }

    private CheckReport report(long events, String where, String what) {
        return new CheckReport(key.workflowId(), events, List.of(new CheckReport.Difference(where, what)));
    }
}
