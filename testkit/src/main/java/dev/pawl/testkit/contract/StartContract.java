package dev.pawl.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.store.StartResult;
import dev.pawl.kernel.bundle.Overlay;
import dev.pawl.kernel.collation.Collation;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.workflow.Snapshot;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Starts from outside the shard: insert-or-read. */
interface StartContract extends ContractWorld {

    private StartResult start(Message.Start start) {
        return store().start(start, Collation.inception(start, NOW));
    }

    @Test
    default void startedWorkflowExistsAndItsStartLiesInTheInbox() {
        Driver driver = driver();
        Message.Start start = Driver.start(driver.key(0));

        assertThat(start(start)).isEqualTo(new StartResult.Started());

        Overlay expected = new Overlay(Snapshot.ABSENT).apply(Collation.inception(start, NOW));
        assertThat(store().load(driver.key(0)).workflow()).isEqualTo(expected.workflow());
        assertThat(Objects.requireNonNull(store().load(driver.key(0)).guid(start.guid())).ledger())
                .hasToString("000010000000000");
        assertThat(driver.inbox()).extracting(Delivery::message).containsExactly(start);
    }

    @Test
    default void ownerResumesTheStartWithItsChildren() {
        Driver driver = driver();
        WorkflowKey key = driver.key(0);
        start(Driver.start(key));
        driver.run(driver.inbox().getFirst());

        assertThat(driver.inbox()).isEmpty();
        assertThat(driver.queue()).hasSize(2);
        assertThat(Objects.requireNonNull(store().load(key).guid(Driver.start(key).guid())).ledger())
                .hasToString("000011000000000");
    }

    @Test
    default void existingWorkflowsAreToldFromOthers() {
        Driver driver = driver();
        start(Driver.start(driver.key(0)));
        driver.running(2);
        String started = driver.key(0).workflowId();
        String running = driver.key(2).workflowId();

        assertThat(store().existing(NAMESPACE, List.of(driver.key(1).workflowId(), running, "nobody", started)))
                .containsExactlyInAnyOrder(started, running);
        assertThat(store().existing("elsewhere", List.of(started))).isEmpty();
        assertThat(store().existing(NAMESPACE, List.of())).isEmpty();
    }

    @Test
    default void secondStartReadsTheFirst() {
        Driver driver = driver();
        WorkflowKey key = driver.key(0);
        start(Driver.start(key));

        StartResult second = start(Driver.start(key, "another"));

        assertThat(second).isInstanceOfSatisfying(StartResult.AlreadyStarted.class,
                already -> assertThat(already.workflow().beginning().definition()).isEqualTo("checkout"));
        assertThat(driver.inbox()).hasSize(1);
    }

    @Test
    default void startOfAWorkflowThatIsLongUnderWayChangesNothing() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        Snapshot before = store().load(key);

        assertThat(start(Driver.start(key))).isInstanceOf(StartResult.AlreadyStarted.class);
        assertThat(store().load(key)).isEqualTo(before);
        assertThat(driver.inbox()).isEmpty();
    }

    @Test
    default void oneOfManyStartsAtOnceSucceeds() {
        Driver driver = driver();

        List<StartResult> results = ContractWorld.atOnce(8, () -> start(Driver.start(driver.key(0))));

        assertThat(results.stream().filter(StartResult.Started.class::isInstance)).hasSize(1);
        assertThat(driver.inbox()).hasSize(1);
    }

    @Test
    default void sameIdInAnotherNamespaceIsAnotherWorkflow() {
        Driver driver = driver();
        store().createShards("elsewhere", GROUP, 1);
        WorkflowKey here = driver.key(0);
        WorkflowKey there = new WorkflowKey("elsewhere", here.workflowId());
        start(Driver.start(here));

        assertThat(start(Driver.start(there))).isEqualTo(new StartResult.Started());
        assertThat(driver.inbox()).hasSize(1);
    }

    @Test
    default void startInAGroupWithoutShardsIsRefused() {
        assertThatThrownBy(() -> start(Driver.start(ContractWorld.key("w"))))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining(GROUP);
        assertThat(store().load(ContractWorld.key("w"))).isEqualTo(Snapshot.ABSENT);
    }
}
