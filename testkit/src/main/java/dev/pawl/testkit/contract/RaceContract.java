package dev.pawl.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.store.Claim;
import dev.pawl.engine.store.Commit;
import dev.pawl.engine.store.Fence;
import dev.pawl.engine.store.SignalResult;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.collation.Collation;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.RepeatedTest;

/** Two callers at the same moment: what one of them has heard must be true for the other. */
interface RaceContract extends ContractWorld {

    @RepeatedTest(10)
    default void nothingOfAnOldEpochAppliesAfterTheNewOneIsKnown() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        Bundle bundle = driver.compute(Driver.answer(key, "a")).bundle();
        AtomicInteger turn = new AtomicInteger();

        List<Object> answers = ContractWorld.atOnce(2, () -> {
            if (turn.getAndIncrement() == 0) {
                return store().commit(driver.fence, List.of(bundle));
            }
            Claim raised = store().raise(driver.fence, Duration.ofMinutes(10));
            Snapshot seen = store().load(key);
            assertThat(raised).isInstanceOf(Claim.Claimed.class);
            return seen;
        });

        boolean committed = answers.stream().anyMatch(Commit.Committed.class::isInstance);
        Snapshot seen = (Snapshot) answers.stream().filter(Snapshot.class::isInstance).findFirst().orElseThrow();
        assertThat(store().load(key)).as("committed: %s", committed).isEqualTo(seen);
    }

    @RepeatedTest(10)
    default void signalIsAcceptedByAnOpenWorkflowOrNotAtAll() {
        Driver driver = driver(Sketch.ofWorkers("a"));
        WorkflowKey key = driver.running(0);
        Bundle closing = driver.compute(Driver.answer(key, "a")).bundle();
        AtomicInteger turn = new AtomicInteger();

        List<Object> answers = ContractWorld.atOnce(2, () -> {
            if (turn.getAndIncrement() == 0) {
                Object commit = store().commit(driver.fence, List.of(closing));
                return List.of(commit, driver.inbox().size());
            }
            return store().signal(SignalContract.request(key, "approval", "s"));
        });

        int inboxAtClosing = answers.stream().filter(List.class::isInstance)
                .map(answer -> (int) ((List<?>) answer).get(1)).findFirst().orElseThrow();
        boolean accepted = answers.stream().anyMatch(SignalResult.Accepted.class::isInstance);
        assertThat(driver.inbox()).hasSize(accepted ? 1 : 0);
        assertThat(inboxAtClosing).isEqualTo(driver.inbox().size());
    }

    @RepeatedTest(10)
    default void startFromOutsideAndByTheOwnerMakeOneWorkflow() {
        Driver driver = driver();
        WorkflowKey key = driver.key(0);
        Bundle owners = driver.compute(Driver.start(key)).bundle();
        Fence fence = driver.fence;
        AtomicInteger turn = new AtomicInteger();

        ContractWorld.atOnce(2, () -> turn.getAndIncrement() == 0
                ? store().commit(fence, List.of(owners))
                : store().start(Driver.start(key, "other"), Collation.inception(Driver.start(key, "other"), NOW)));

        WorkflowRecord workflow = Objects.requireNonNull(store().load(key).workflow());
        boolean ownersWon = workflow.beginning().definition().equals("checkout");
        assertThat(driver.inbox()).hasSize(ownersWon ? 0 : 1);
        assertThat(driver.queue()).hasSize(ownersWon ? 2 : 0);
        assertThat(workflow.version()).isEqualTo(1);
    }
}
