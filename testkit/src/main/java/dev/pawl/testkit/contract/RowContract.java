package dev.pawl.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.store.Waiting;
import dev.pawl.kernel.bundle.Fold;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Parts of a workflow that are read by themselves: the same as in the whole workflow, at every stage of its life. */
interface RowContract extends ContractWorld {

    private void requireSameRows(WorkflowKey key) {
        Snapshot whole = store().load(key);
        assertThat(store().workflow(key)).isEqualTo(whole.workflow());
        assertThat(whole.activities()).isNotEmpty();
        for (ActivityRecord activity : whole.activities()) {
            assertThat(store().activity(key, activity.key(), 0)).isEqualTo(activity);
        }
        WorkflowRecord row = Objects.requireNonNull(whole.workflow());
        assertThat(store().waiting(key)).containsExactlyInAnyOrderElementsOf(
                row.gate().closed() ? List.of() : waiting(whole));
        Fold fold = new Fold(key, row.beginning().input(), row.output());
        store().journal(key, 0, 1_000).forEach(fold::add);
        assertThat(fold.snapshot()).isEqualTo(whole);
    }

    private static List<Waiting> waiting(Snapshot whole) {
        return whole.activities().stream().filter(activity -> activity.waker().open())
                .map(activity -> new Waiting(Objects.requireNonNull(whole.workflow()).key(), activity.key(),
                        activity.waker()))
                .toList();
    }

    @Test
    default void singleRowsAreThoseOfTheWholeWorkflow() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        WorkflowKey other = driver.running(1);
        requireSameRows(key);

        store().load(key).activities().stream().filter(activity -> !activity.ledger().finalized())
                .forEach(activity -> driver.run(Driver.answer(key, activity.key().activity())));
        driver.drain(key);

        requireSameRows(key);
        requireSameRows(other);
    }

    @Test
    default void activityIsFoundInTheEventsThatAreSearched() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        long before = Objects.requireNonNull(store().workflow(key)).version();
        assertThat(store().activity(key, Driver.child("a"), before)).isNull();

        driver.run(Driver.answer(key, "a"));

        assertThat(store().activity(key, Driver.child("a"), before))
                .isEqualTo(store().load(key).activity(Driver.child("a")))
                .isNotNull();
        assertThat(store().activity(key, Driver.child("b"), before)).isNull();
    }

    @Test
    default void rowThatIsNotThereIsNull() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        WorkflowKey missing = driver.key(7);

        assertThat(store().workflow(missing)).isNull();
        assertThat(store().activity(missing, Driver.child("a"), 0)).isNull();
        assertThat(store().activity(key, Driver.child("no-such-activity"), 0)).isNull();
        assertThat(store().waiting(missing)).isEmpty();
        assertThat(store().journal(missing, 0, 10)).isEmpty();
        assertThat(store().workflow(new WorkflowKey("another-namespace", key.workflowId()))).isNull();
    }
}
