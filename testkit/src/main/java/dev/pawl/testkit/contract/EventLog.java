package dev.pawl.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.store.Store;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.event.Chain;
import dev.pawl.kernel.event.Event;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.util.List;
import java.util.Objects;

/** A workflow's event log as the port shows it. */
record EventLog(Store store) {

    /** The event a bundle carries. */
    static Event event(Bundle bundle) {
        return Objects.requireNonNull(bundle.seal()).event();
    }

    List<Event> events(WorkflowKey key) {
        return store.events(key, 0, 1_000);
    }

    WorkflowRecord row(WorkflowKey key) {
        return Objects.requireNonNull(store.load(key).workflow());
    }

    /** One event for each version, each following from the one before, the last one the head. */
    void intact(WorkflowKey key) {
        WorkflowRecord row = row(key);
        assertThat(Chain.verify(after -> store.events(key, after, 2), row.chain(), row.version()))
                .isEqualTo(new Chain.Intact(row.version()));
        assertThat(store.events(key, row.version(), 1)).isEmpty();
    }
}
