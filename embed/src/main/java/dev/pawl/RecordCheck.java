package dev.pawl;

import dev.pawl.engine.store.Store;
import dev.pawl.kernel.event.Chain;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.ledger.LedgerViolation;
import dev.pawl.kernel.message.Attribute;
import dev.pawl.kernel.workflow.EffectRecord;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * Checks the record of a workflow: computes the hash chain of its events anew, and compares its rows with what the events say of them.
 * Reads only. Safe for use by many threads.
 */
final class RecordCheck {

    private static final int PAGE = 500;

    /** A workflow that is busy moves on between two reads; after so many tries only what one read has shown is compared. */
    private static final int READS_MAX = 5;

    private final Store store;
    private final WorkflowKey key;
    private final List<CheckReport.Difference> differences = new ArrayList<>();
    private Snapshot snapshot = Snapshot.ABSENT;
    private @Nullable List<EffectRecord> effects;
    private @Nullable List<Attribute> attributes;

    private RecordCheck(Store store, WorkflowKey key) {
        this.store = store;
        this.key = key;
    }

    static CheckReport of(Store store, WorkflowKey key) {
        return new RecordCheck(store, key).run();
    }

    private CheckReport run() {
        try {
            read();
        } catch (LedgerViolation e) {
            return report(0, "a ledger", "holds a value that Pawl never writes: " + e.getMessage());
        }
        WorkflowRecord workflow = snapshot.workflow();
        if (workflow == null) {
            throw WorkflowError.notFound(key.workflowId());
        }
        ToldRecord told = new ToldRecord();
        Chain.Verdict verdict;
        try {
            verdict = Chain.verify(after -> told.add(store.events(key, after, PAGE), workflow.version()),
                    workflow.chain(), workflow.version());
        } catch (JacksonException e) {
            return report(told.events(), "event " + (told.events() + 1), "is not JSON any more");
        }
        long next = verdict.events() + 1;
        switch (verdict) {
            case Chain.Intact intact -> {
                told.compare(workflow, snapshot, effects, attributes, differences);
                return new CheckReport(key.workflowId(), intact.events(), List.copyOf(differences));
            }
            case Chain.Missing missing -> {
                return report(missing.events(), "event " + next, "is missing");
            }
            case Chain.Altered altered -> {
                return report(altered.events(), "event " + next, "has another text than it was written with");
            }
            case Chain.Severed severed -> {
                return report(Math.max(0, severed.events() - 1), "event " + next, "does not follow from event "
                        + severed.events() + ": one of the two was changed, or they are not in their order");
            }
            case Chain.OtherHead other -> {
                return report(Math.max(0, other.events() - 1), "event " + other.events(),
                        "is the last one, but not the one that the workflow's row names: one of the two was changed");
            }
        }
    }

    /** Everything as of one version, if the workflow stands still for long enough. */
    private void read() {
        for (int reads = 0; reads < READS_MAX; reads++) {
            snapshot = store.load(key);
            effects = store.effects(key);
            attributes = store.attributes(key);
            if (version(store.load(key)) == version(snapshot)) {
                return;
            }
        }
        effects = null;
        attributes = null;
    }

    private static long version(Snapshot of) {
        return of.workflow() == null ? 0 : of.workflow().version();
    }

    private CheckReport report(long events, String where, String what) {
        return new CheckReport(key.workflowId(), events, List.of(new CheckReport.Difference(where, what)));
    }
}
