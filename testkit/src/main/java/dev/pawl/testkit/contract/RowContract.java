package dev.pawl.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Snapshot;
import org.junit.jupiter.api.Test;

/** Single rows: the same as in the whole workflow, at every stage of its life. */
interface RowContract extends ContractWorld {

    private void requireSameRows(WorkflowKey key) {
        Snapshot whole = store().load(key);
        assertThat(store().workflow(key)).isEqualTo(whole.workflow());
        assertThat(whole.activities()).isNotEmpty();
        for (ActivityRecord activity : whole.activities()) {
            assertThat(store().activity(key, activity.key())).isEqualTo(activity);
        }
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
    default void rowThatIsNotThereIsNull() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        WorkflowKey missing = driver.key(7);

        assertThat(store().workflow(missing)).isNull();
        assertThat(store().activity(missing, Driver.child("a"))).isNull();
        assertThat(store().activity(key, Driver.child("no-such-activity"))).isNull();
        assertThat(store().workflow(new WorkflowKey("another-namespace", key.workflowId()))).isNull();
    }
}
