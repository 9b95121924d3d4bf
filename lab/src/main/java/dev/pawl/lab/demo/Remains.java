package dev.pawl.lab.demo;

import dev.pawl.engine.flow.FlowControl;
import dev.pawl.engine.store.Store;
import dev.pawl.kernel.event.Event;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.ledger.ActivityLedger;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.store.sqlite.SqliteStore;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What is in the file, read while no engine has it. */
record Remains(Map<String, ActivityRecord> operations, List<Event> events) {

    private static final int EVENTS_MAX = 1_000;

    static Remains of(Path file) {
        WorkflowKey workflow = new WorkflowKey("default", Shop.WORKFLOW);
        try (Store store = SqliteStore.open(file)) {
            return new Remains(FlowControl.operations(store.load(workflow)).stream()
                    .collect(Collectors.toMap(each -> each.key().activity(), Function.identity())),
                    store.events(workflow, 0, EVENTS_MAX));
        }
    }

    /** What the digits say, for people. */
    static String inWords(ActivityLedger ledger) {
        if (ledger.finalized()) {
            return ledger.legTwoEntries() == 0 ? "given up: nobody waits for it any more"
                    : "has its answer, is final: never runs again";
        }
        return ledger.legOneComplete() ? "begun, no answer yet: was in flight" : "asked for, not begun";
    }
}
