package dev.pawl.kernel.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The ledger values that collation.md draws in its sections 18 and 20, reached the way it reaches them. */
class WorkedExamplesTest {

    private static final ActivityLedger LEG_ONE_DONE = ActivityLedger.NEW.enterLegOne().completeLegOne();

    @Test
    void section18LegOneEntryAndCompletion() {
        ActivityLedger start = ActivityLedger.NEW;
        ActivityLedger entered = start.enterLegOne();
        ActivityLedger completed = entered.completeLegOne();

        assertThat(start).hasToString("000000000000000");
        assertThat(entered).hasToString("001000000000000");
        assertThat(completed).hasToString("001100000000000");
    }

    @Test
    void section18ReplayedLegOneMessageCountsAnEntryAndFindsLegOneComplete() {
        ActivityLedger replayed = LEG_ONE_DONE.enterLegOne();

        assertThat(replayed).hasToString("002100000000000");
        assertThat(replayed.legOneComplete()).isTrue();
    }

    @Test
    void section18LegTwoEntrySeedsTheGuidWithItsOrdinal() {
        ActivityLedger entered = LEG_ONE_DONE.enterLegTwo();
        GuidLedger seeded = GuidLedger.seed(entered.legTwoEntries());

        assertThat(GuidLedger.seed(0)).hasToString("000000000000000");
        assertThat(entered).hasToString("001100000000001");
        assertThat(seeded).hasToString("000000000000001");
    }

    @Test
    void section18StepOneIsProvenByTheGuidLedger() {
        GuidLedger worked = GuidLedger.seed(1).markWorkDone();

        assertThat(worked).hasToString("000010000000001");
        assertThat(worked.workDone()).isTrue();
        assertThat(worked.childrenSpawned()).isFalse();
    }

    @Test
    void section18TwoChildrenRaiseTheSemaphoreAndLeaveTheSnapshotAtZero() {
        Semaphore after = new Semaphore(5).plus(Semaphore.deltaOf(2));
        GuidLedger spawned = GuidLedger.seed(1).markWorkDone().markChildrenSpawned();

        assertThat(after.open()).isEqualTo(6);
        assertThat(after.at(0)).isFalse();
        assertThat(spawned).hasToString("000011000000001");
        assertThat(spawned.closer()).isFalse();
    }

    @Test
    void section18NoChildrenCloseAndTheSnapshotOwesStepThree() {
        Semaphore after = new Semaphore(1).plus(Semaphore.deltaOf(0));
        GuidLedger closing = GuidLedger.seed(1).markWorkDone().markChildrenSpawned().markCloser();

        assertThat(after.open()).isZero();
        assertThat(after.at(0)).isTrue();
        assertThat(closing).hasToString("000111000000001");
        assertThat(closing.completionDone()).isFalse();
        assertThat(closing.markCompletionDone()).hasToString("000111100000001");
    }

    @Test
    void section20TriggerIsSeededComplete() {
        ActivityLedger trigger = ActivityLedger.TRIGGER;

        assertThat(trigger).hasToString("101100000000001");
        assertThat(trigger.trigger()).isTrue();
        assertThat(trigger.legOneEntries()).isEqualTo(1);
        assertThat(trigger.legOneComplete()).isTrue();
        assertThat(trigger.legTwoEntries()).isEqualTo(1);
        assertThat(trigger.finalized()).isFalse();
    }

    @Test
    void section20TriggerGuidTakesItsThreeStepsWithoutSnapshot() {
        GuidLedger inception = GuidLedger.seed(0).markWorkDone();
        GuidLedger work = inception.markChildrenSpawned();
        GuidLedger completion = work.markCompletionDone();

        assertThat(inception).hasToString("000010000000000");
        assertThat(work).hasToString("000011000000000");
        assertThat(completion).hasToString("000011100000000");
    }

    @Test
    void section20WorkerAfterLegOne() {
        assertThat(LEG_ONE_DONE).hasToString("001100000000000");
    }

    @Test
    void section20WorkerAfterLegTwoIsFinalized() {
        ActivityLedger finalized = LEG_ONE_DONE.enterLegTwo().finish();

        assertThat(finalized).hasToString("201100000000001");
        assertThat(finalized.finalized()).isTrue();
        assertThat(finalized.legOneEntries()).isEqualTo(1);
        assertThat(finalized.legTwoEntries()).isEqualTo(1);
    }

    @Test
    void section20WorkerGuidThatDoesNotClose() {
        GuidLedger done = GuidLedger.seed(1).markWorkDone().markChildrenSpawned();

        assertThat(done).hasToString("000011000000001");
        assertThat(done.closer()).isFalse();
        assertThat(done.completionDone()).isFalse();
    }

    @Test
    void section20CycleIsSeededForTheNextDimension() {
        ActivityLedger cycled = LEG_ONE_DONE.enterLegTwo();

        assertThat(cycled).hasToString("001100000000001");
        assertThat(cycled.finalized()).isFalse();
        assertThat(GuidLedger.seed(cycled.enterLegTwo().legTwoEntries()).dimension()).isEqualTo(1);
    }

    @Test
    void section20PassthroughThatClosesTakesItsStepsInLegOne() {
        GuidLedger stepA = GuidLedger.seed(0).markWorkDone();
        GuidLedger stepB = stepA.markChildrenSpawned().markCloser();

        assertThat(stepA).hasToString("000010000000000");
        assertThat(stepB).hasToString("000111000000000");
        assertThat(stepB.markCompletionDone()).hasToString("000111100000000");
        assertThat(LEG_ONE_DONE.finish()).hasToString("201100000000000");
    }
}
