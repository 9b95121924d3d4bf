package dev.pawl.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.store.Commit;
import dev.pawl.engine.store.Rejection;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.collation.Request;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.DimensionalAddress;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.ledger.GuidLedger;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.workflow.Gate;
import dev.pawl.kernel.workflow.GuidRecord;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The compound primitive of collation.md 12.2: the store computes who closed what, and says so. */
interface GateContract extends ContractWorld {

    @Test
    default void moveThatMissesTheThresholdClosesNothing() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);

        Commit.Applied applied = driver.run(Driver.answer(key, "a"));

        assertThat(applied.closedBy()).isNull();
        assertThat(gate(key).semaphore().open()).isEqualTo(1);
        assertThat(gate(key).closed()).isFalse();
    }

    @Test
    default void moveThatReachesTheThresholdNamesItsMessage() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        driver.run(Driver.answer(key, "a"));
        Message last = Driver.answer(key, "b");

        assertThat(driver.run(last).closedBy()).isEqualTo(last.guid());
        assertThat(gate(key).closedBy(last.guid())).isTrue();
        assertThat(gate(key).semaphore().open()).isZero();
    }

    @Test
    default void closerDigitIsSetInTheCommitOfStepTwo() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        driver.run(Driver.answer(key, "a"));
        Message last = Driver.answer(key, "b");
        List<Bundle> steps = driver.compute(last).bundle().apart();
        steps.subList(0, 3).forEach(driver::commit);

        assertThat(ledger(key, last)).isEqualTo("000111000000001");
        steps.subList(3, steps.size()).forEach(driver::commit);
        assertThat(ledger(key, last)).isEqualTo("000111100000001");
    }

    @Test
    default void triggersLedgerHasNoCloserDigit() {
        Driver driver = driver(new Sketch().trigger());
        WorkflowKey key = driver.key(0);
        Message.Start start = Driver.start(key);

        assertThat(driver.run(start).closedBy()).isEqualTo(start.guid());
        assertThat(ledger(key, start)).isEqualTo("000011100000000");
        assertThat(gate(key).closedBy(start.guid())).isTrue();
    }

    @Test
    default void inABatchTheOutcomeBelongsToTheMessageThatReallyHit() {
        Driver driver = driver(Sketch.ofWorkers("a", "b", "c"));
        WorkflowKey key = driver.running(0);
        Message third = Driver.answer(key, "c");
        Bundle[] batch = driver.batch(Driver.answer(key, "a"), Driver.answer(key, "b"), third);

        List<Commit.Applied> outcomes = driver.commit(batch);

        assertThat(outcomes).extracting(Commit.Applied::closedBy).containsExactly(null, null, third.guid());
        assertThat(outcomes).extracting(Commit.Applied::version).containsExactly(5L, 6L, 7L);
        assertThat(ledger(key, Driver.answer(key, "a"))).isEqualTo("000011000000001");
        assertThat(ledger(key, third)).isEqualTo("000111100000001");
    }

    @Test
    default void closerInTheMiddleOfABatchIsFound() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        Message closer = Driver.answer(key, "b");
        Bundle[] batch = driver.batch(Driver.answer(key, "a"), closer, Driver.answer(key, "a"));

        assertThat(driver.commit(batch)).extracting(Commit.Applied::closedBy)
                .containsExactly(null, closer.guid(), null);
        assertThat(gate(key).closedBy(closer.guid())).isTrue();
    }

    @Test
    default void hitThatTheKernelDidNotForeseeAbortsTheBatch() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        Guid mover = Guid.derive("test", "mover");
        Snapshot before = store().load(key);

        assertThat(store().commit(driver.fence, List.of(driver.handmade(key, seed(mover, 1), move(mover, -2, false)))))
                .isEqualTo(new Commit.Rejected(0, new Rejection.HitMismatch(mover, false)));
        assertThat(store().load(key)).isEqualTo(before);
    }

    @Test
    default void hitThatTheKernelForesawInVainAbortsTheBatch() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        Guid mover = Guid.derive("test", "mover");
        Snapshot before = store().load(key);

        assertThat(store().commit(driver.fence, List.of(driver.handmade(key, seed(mover, 1), move(mover, -1, true)))))
                .isEqualTo(new Commit.Rejected(0, new Rejection.HitMismatch(mover, true)));
        assertThat(store().load(key)).isEqualTo(before);
    }

    @Test
    default void closedWorkflowIsNotClosedAgain() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        driver.run(Driver.answer(key, "a"));
        Message closer = Driver.answer(key, "b");
        driver.run(closer);
        Guid second = Guid.derive("test", "second");

        assertThat(driver.commit(driver.handmade(key, seed(second, 2), move(second, 0, false))))
                .singleElement().satisfies(applied -> assertThat(applied.closedBy()).isNull());
        assertThat(gate(key).closedBy(closer.guid())).isTrue();
        assertThat(ledger(key, second)).isEqualTo("000011000000002");
    }

    @Test
    default void joinIsOpenedOnceByItsLastArrival() {
        Driver driver = driver(Sketch.ofWorkers("a", "b").activity("meet", new Request.Pass(false))
                .join("meet", 3, "a", "b"));
        WorkflowKey key = driver.running(0);
        ActivityKey meet = new ActivityKey("meet", new DimensionalAddress(",0,0,0"));

        assertThat(driver.run(Driver.answer(key, "a")).joinsOpened()).isEmpty();
        Gate half = Objects.requireNonNull(store().load(key).join(meet));
        assertThat(half.semaphore().open()).isEqualTo(1);
        assertThat(driver.run(Driver.answer(key, "b")).joinsOpened()).containsExactly(meet);
        assertThat(Objects.requireNonNull(store().load(key).join(meet)).closedBy(Driver.answer(key, "b").guid()))
                .isTrue();
        assertThat(driver.queue()).hasSize(1);
    }

    @Test
    default void joinIsOpenedInsideABatch() {
        Driver driver = driver(Sketch.ofWorkers("a", "b").activity("meet", new Request.Pass(false))
                .join("meet", 3, "a", "b"));
        WorkflowKey key = driver.running(0);
        Bundle[] batch = driver.batch(Driver.answer(key, "a"), Driver.answer(key, "b"));

        assertThat(driver.commit(batch)).extracting(applied -> applied.joinsOpened().size()).containsExactly(0, 1);
    }

    @Test
    default void joinThatWouldOpenUnforeseenAbortsTheBatch() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        Guid mover = Guid.derive("test", "mover");

        assertThat(store().commit(driver.fence,
                List.of(driver.handmade(key, new Write.MoveJoin(Driver.child("meet"), 1, mover, false)))))
                .isEqualTo(new Commit.Rejected(0, new Rejection.HitMismatch(mover, false)));
        assertThat(store().load(key).join(Driver.child("meet"))).isNull();
    }

    private static Write seed(Guid guid, int ordinal) {
        GuidLedger spawned = GuidLedger.seed(ordinal).markWorkDone().markChildrenSpawned();
        return new Write.PutGuid(new GuidRecord(guid, Driver.child("a"), spawned));
    }

    private static Write move(Guid mover, long delta, boolean predicted) {
        return new Write.MoveSemaphore(mover, delta, GuidLedger.CLOSER, predicted);
    }

    private Gate gate(WorkflowKey key) {
        WorkflowRecord workflow = Objects.requireNonNull(store().load(key).workflow());
        return workflow.gate();
    }

    private String ledger(WorkflowKey key, Message message) {
        return ledger(key, message.guid());
    }

    private String ledger(WorkflowKey key, Guid guid) {
        return Objects.requireNonNull(store().load(key).guid(guid)).ledger().toString();
    }
}
