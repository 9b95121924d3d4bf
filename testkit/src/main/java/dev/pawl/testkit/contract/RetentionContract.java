package dev.pawl.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.store.Commit;
import dev.pawl.engine.store.Cutoffs;
import dev.pawl.engine.store.Rejection;
import dev.pawl.engine.store.SignalResult;
import dev.pawl.engine.store.StartResult;
import dev.pawl.engine.store.Swept;
import dev.pawl.engine.store.WorkflowQuery;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.collation.Collation;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.lifecycle.WorkflowEvent;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.message.Ending;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Deleting what is over, all of it, and nothing else. */
interface RetentionContract extends ContractWorld {

    /** When everything the tests do is long over. */
    Instant LATER = NOW.plus(Duration.ofDays(400));

    private Swept sweep() {
        return store().sweep(NAMESPACE, Cutoffs.all(LATER), LATER, 100);
    }

    private Driver oneStep() {
        return driver(Sketch.ofWorkers("a"));
    }

    /** The n-th workflow, at its end. */
    private static WorkflowKey closed(Driver driver, int n) {
        WorkflowKey key = driver.running(n);
        driver.run(Driver.answer(key, "a"));
        return key;
    }

    /** What the users and the log have put there: how a store keeps a payload that is told several times is its own affair. */
    private void requireBytes(long bytes, WorkflowKey... keys) {
        long least = 0;
        long payloads = 0;
        for (WorkflowKey key : keys) {
            Snapshot snapshot = store().load(key);
            least += row(key).beginning().input().size() + row(key).output().size()
                    + store().events(key, 0, 100).stream()
                            .mapToLong(event -> event.json().getBytes(StandardCharsets.UTF_8).length).sum();
            payloads += snapshot.activities().stream()
                    .mapToLong(activity -> activity.input().size() + activity.output().size() + 2L * Integer.BYTES)
                    .sum()
                    + snapshot.signals().stream()
                            .mapToLong(signal -> signal.response().payload().size() + Integer.BYTES).sum();
        }
        assertThat(bytes).isBetween(least, least + payloads);
    }

    private WorkflowRecord row(WorkflowKey key) {
        return Objects.requireNonNull(store().load(key).workflow());
    }

    @Test
    default void closedWorkflowIsSweptWithEverythingItHad() {
        Driver driver = oneStep();
        WorkflowKey key = driver.running(0);
        store().signal(SignalContract.request(key, "never awaited", "s-1"));
        driver.run(driver.inbox().getFirst());
        driver.run(Driver.answer(key, "a"));
        long bytes = store().sweepable(NAMESPACE, Cutoffs.all(LATER), LATER).bytes();
        requireBytes(bytes, key);
        assertThat(store().load(key).signals()).hasSize(1);
        int events = store().events(key, 0, 100).size();

        assertThat(sweep()).isEqualTo(new Swept(1, events, 1, bytes));
        assertThat(store().load(key)).isEqualTo(Snapshot.ABSENT);
        assertThat(store().events(key, 0, 100)).isEmpty();
        assertThat(store().workflows(WorkflowQuery.all(NAMESPACE), null, 10).items()).isEmpty();
        assertThat(sweep().isNothing()).isTrue();
        assertThat(store().orphans(NAMESPACE)).isEmpty();
    }

    @Test
    default void everyStatusHasItsOwnTime() {
        Driver driver = oneStep();
        WorkflowKey completed = closed(driver, 0);
        WorkflowKey failed = driver.running(1);
        driver.run(new Message.Interrupt(failed, Guid.ofRequest(failed, "test", "1"),
                new Ending(WorkflowEvent.FAIL, "why", Ending.GONE, false, Payload.EMPTY)));
        assertThat(row(failed).status()).isEqualTo(WorkflowStatus.FAILED);

        Cutoffs onlyFailed = new Cutoffs(Map.of(WorkflowStatus.COMPLETED, NOW, WorkflowStatus.FAILED, LATER));
        assertThat(store().sweep(NAMESPACE, Cutoffs.NONE, LATER, 100)).isEqualTo(Swept.NOTHING);
        assertThat(store().sweepable(NAMESPACE, onlyFailed, LATER).workflows()).isEqualTo(1);
        requireBytes(store().sweepable(NAMESPACE, onlyFailed, LATER).bytes(), failed);
        assertThat(store().sweep(NAMESPACE, onlyFailed, LATER, 100).workflows()).isEqualTo(1);
        assertThat(store().load(failed)).isEqualTo(Snapshot.ABSENT);
        assertThat(row(completed).status()).isEqualTo(WorkflowStatus.COMPLETED);

        // A status that is not named is kept, and a setting that changes applies to what is closed already.
        Cutoffs withoutCompleted = new Cutoffs(Map.of(WorkflowStatus.CANCELLED, LATER));
        assertThat(store().sweep(NAMESPACE, withoutCompleted, LATER, 100)).isEqualTo(Swept.NOTHING);
        assertThat(sweep().workflows()).isEqualTo(1);
        assertThat(store().orphans(NAMESPACE)).isEmpty();
    }

    @Test
    default void whatWouldBeSweptIsCountedAndNotTouched() {
        Driver driver = oneStep();
        WorkflowKey key = closed(driver, 0);
        closed(driver, 1);
        driver.running(2);
        int events = 2 * store().events(key, 0, 100).size();
        long bytes = store().sweepable(NAMESPACE, Cutoffs.all(LATER), LATER).bytes();
        requireBytes(bytes, key, driver.key(1));

        assertThat(store().sweepable(NAMESPACE, Cutoffs.all(LATER), LATER)).isEqualTo(new Swept(2, events, 0, bytes));
        assertThat(store().sweepable(NAMESPACE, Cutoffs.all(NOW), LATER)).isEqualTo(Swept.NOTHING);
        assertThat(store().load(key).workflow()).isNotNull();
        assertThat(sweep()).isEqualTo(new Swept(2, events, 0, bytes));
    }

    @Test
    default void openWorkflowIsNeverSwept() {
        Driver driver = oneStep();
        WorkflowKey key = driver.running(0);
        Snapshot before = store().load(key);

        assertThat(store().sweepable(NAMESPACE, Cutoffs.all(LATER), LATER)).isEqualTo(Swept.NOTHING);
        assertThat(sweep()).isEqualTo(Swept.NOTHING);
        assertThat(store().load(key)).isEqualTo(before);
        driver.run(Driver.answer(key, "a"));
        assertThat(row(key).status()).isEqualTo(WorkflowStatus.COMPLETED);
    }

    @Test
    default void workflowAtItsThresholdStaysUntilItsEndIsDone() {
        Driver driver = oneStep();
        WorkflowKey key = driver.running(0);
        List<Bundle> steps = driver.compute(Driver.answer(key, "a")).bundle().apart();
        int done = 0;
        while (!row(key).gate().closed()) {
            driver.commit(steps.get(done++));
        }
        assertThat(row(key).status()).isEqualTo(WorkflowStatus.RUNNING);

        assertThat(sweep()).isEqualTo(Swept.NOTHING);
        steps.subList(done, steps.size()).forEach(driver::commit);
        assertThat(row(key).status()).isEqualTo(WorkflowStatus.COMPLETED);
        assertThat(sweep().workflows()).isEqualTo(1);
    }

    @Test
    default void workflowIsKeptUntilItsTime() {
        Driver driver = oneStep();
        WorkflowKey key = driver.running(0);
        driver.now = NOW.plusSeconds(60);
        driver.run(Driver.answer(key, "a"));

        assertThat(store().sweep(NAMESPACE, Cutoffs.all(NOW.plusSeconds(60)), LATER, 100)).isEqualTo(Swept.NOTHING);
        assertThat(store().sweep(NAMESPACE, Cutoffs.all(NOW.plusSeconds(60).plusMillis(1)), LATER, 100).workflows())
                .isEqualTo(1);
    }

    @Test
    default void workflowWithMessagesLeftInItsQueueIsKept() {
        Driver driver = oneStep();
        WorkflowKey key = closed(driver, 0);
        driver.commit(driver.handmade(key, new Write.Enqueue(row(key).messages(), Driver.answer(key, "b"))));

        assertThat(store().sweepable(NAMESPACE, Cutoffs.all(LATER), LATER)).isEqualTo(Swept.NOTHING);
        assertThat(sweep()).isEqualTo(Swept.NOTHING);
        driver.drain(key);
        assertThat(sweep().workflows()).isEqualTo(1);
    }

    @Test
    default void workflowIsKeptWhileAMessageIsOnItsWayToIt() {
        Driver driver = oneStep();
        WorkflowKey key = closed(driver, 0);
        store().post(GROUP, Driver.answer(key, "a"));

        assertThat(store().sweepable(NAMESPACE, Cutoffs.all(LATER), LATER)).isEqualTo(Swept.NOTHING);
        assertThat(sweep()).isEqualTo(Swept.NOTHING);
        assertThat(driver.inbox()).hasSize(1);
        driver.run(driver.inbox().getFirst());
        assertThat(sweep().workflows()).isEqualTo(1);
    }

    @Test
    default void sweepTakesTheOldestFirstAndNoMoreThanItMay() {
        Driver driver = oneStep();
        for (int i = 3; i >= 0; i--) {
            driver.now = NOW.minusSeconds(i);
            closed(driver, i);
        }

        assertThat(store().sweep(NAMESPACE, Cutoffs.all(LATER), LATER, 3).workflows()).isEqualTo(3);
        assertThat(store().workflows(WorkflowQuery.all(NAMESPACE), null, 10).items())
                .extracting(WorkflowRecord::key).containsExactly(driver.key(0));
    }

    @Test
    default void otherNamespacesAreNotSwept() {
        Driver driver = oneStep();
        closed(driver, 0);

        assertThat(store().sweepable("elsewhere", Cutoffs.all(LATER), LATER)).isEqualTo(Swept.NOTHING);
        assertThat(store().sweep("elsewhere", Cutoffs.all(LATER), LATER, 100)).isEqualTo(Swept.NOTHING);
        assertThat(sweep().workflows()).isEqualTo(1);
    }

    @Test
    default void acceptanceIsAnsweredUntilItExpiresAndKeepsItsWorkflowUntilThen() {
        Driver driver = oneStep();
        WorkflowKey key = driver.running(0);
        var request = SignalContract.request(key, "approval", "s-1");
        store().signal(request);
        driver.run(driver.inbox().getFirst());
        driver.run(Driver.answer(key, "a"));
        Instant expiry = request.expiresAt();

        assertThat(store().sweepable(NAMESPACE, Cutoffs.all(LATER), expiry.minusMillis(1))).isEqualTo(Swept.NOTHING);
        assertThat(store().sweep(NAMESPACE, Cutoffs.all(LATER), expiry.minusMillis(1), 100)).isEqualTo(Swept.NOTHING);
        assertThat(store().signal(request)).isInstanceOf(SignalResult.Duplicate.class);
        assertThat(store().sweepable(NAMESPACE, Cutoffs.all(LATER), expiry).acceptances()).isEqualTo(1);
        Swept swept = store().sweep(NAMESPACE, Cutoffs.all(LATER), expiry, 100);
        assertThat(swept.workflows()).isEqualTo(1);
        assertThat(swept.acceptances()).isEqualTo(1);
        assertThat(store().signal(request)).isEqualTo(new SignalResult.WorkflowMissing());
    }

    @Test
    default void expiredAcceptanceOfAClosedWorkflowGoesBeforeItsWorkflow() {
        Driver driver = oneStep();
        WorkflowKey key = driver.running(0);
        store().signal(SignalContract.request(key, "approval", "s-1"));
        store().signal(SignalContract.request(key, "approval", "s-2"));
        driver.inbox().forEach(driver::run);
        driver.run(Driver.answer(key, "a"));

        assertThat(store().sweep(NAMESPACE, Cutoffs.all(NOW), LATER, 1)).isEqualTo(new Swept(0, 0, 1, 0));
        assertThat(store().sweep(NAMESPACE, Cutoffs.all(NOW), LATER, 1)).isEqualTo(new Swept(0, 0, 1, 0));
        assertThat(store().sweep(NAMESPACE, Cutoffs.all(NOW), LATER, 1)).isEqualTo(Swept.NOTHING);
        assertThat(row(key).status()).isEqualTo(WorkflowStatus.COMPLETED);
    }

    @Test
    default void acceptanceOfAnOpenWorkflowIsNeverSwept() {
        Driver driver = oneStep();
        WorkflowKey key = driver.running(0);
        var request = SignalContract.request(key, "approval", "s-1");
        store().signal(request);
        driver.run(driver.inbox().getFirst());

        assertThat(store().sweepable(NAMESPACE, Cutoffs.all(LATER), LATER)).isEqualTo(Swept.NOTHING);
        assertThat(sweep()).isEqualTo(Swept.NOTHING);
        assertThat(store().signal(request)).isInstanceOf(SignalResult.Duplicate.class);
    }

    @Test
    default void sweptIdCanBeStartedAnewAndBeginsAFreshChain() {
        Driver driver = oneStep();
        WorkflowKey key = driver.running(0);
        var request = SignalContract.request(key, "approval", "s-1");
        store().signal(request);
        driver.run(driver.inbox().getFirst());
        driver.run(Driver.answer(key, "a"));
        sweep();
        driver.now = LATER;
        Message.Start start = Driver.start(key);

        assertThat(store().start(start, Collation.inception(start, LATER))).isEqualTo(new StartResult.Started());
        driver.run(driver.inbox().getFirst());
        driver.drain(key);

        assertThat(store().load(key).signals()).isEmpty();
        assertThat(store().signal(request)).isInstanceOf(SignalResult.Accepted.class);
        assertThat(store().events(key, 0, 100)).hasSize((int) row(key).version())
                .allMatch(event -> event.json().contains("\"at\":" + LATER.toEpochMilli()));
        assertThat(row(key).chain()).isEqualTo(store().events(key, 0, 100).getLast().hash());
        driver.run(Driver.answer(key, "a"));
        assertThat(row(key).status()).isEqualTo(WorkflowStatus.COMPLETED);
    }

    @Test
    default void ownerThatWritesToASweptWorkflowIsToldAndCanGoOn() {
        Driver driver = oneStep();
        WorkflowKey key = closed(driver, 0);
        WorkflowKey other = driver.running(1);
        Bundle late = driver.compute(Driver.answer(key, "a")).bundle();
        Bundle fine = driver.compute(Driver.answer(other, "a")).bundle();
        long version = row(key).version();
        sweep();

        assertThat(store().commit(driver.fence, List.of(fine, late)))
                .isEqualTo(new Commit.Rejected(1, new Rejection.VersionConflict(version, 0)));
        assertThat(store().load(key)).isEqualTo(Snapshot.ABSENT);
        driver.run(Driver.answer(key, "a"));
        driver.commit(fine);
        assertThat(row(other).status()).isEqualTo(WorkflowStatus.COMPLETED);
        assertThat(store().load(key)).isEqualTo(Snapshot.ABSENT);
    }

    @Test
    default void bundleOfTheWorkflowBeforeDoesNotFitTheOneStartedAnew() {
        Driver driver = oneStep();
        WorkflowKey key = closed(driver, 0);
        Bundle late = driver.compute(Driver.answer(key, "a")).bundle();
        sweep();
        driver.now = LATER;
        closed(driver, 0);
        assertThat(row(key).version()).isEqualTo(late.expectedVersion());
        Snapshot before = store().load(key);

        assertThat(store().commit(driver.fence, List.of(late)))
                .isEqualTo(new Commit.Rejected(0, new Rejection.ChainBroken(late.expectedVersion() + 1)));
        assertThat(store().load(key)).isEqualTo(before);
    }

    @Test
    default void whatWasGivenUpIsNotSwept() {
        Driver driver = oneStep();
        WorkflowKey key = closed(driver, 0);
        long number = row(key).messages();
        driver.commit(driver.handmade(key, new Write.Enqueue(number, Driver.answer(key, "b"))));
        driver.commit(driver.handmade(key, new Write.GiveUp(driver.queue().getFirst().place(), "poison")));

        assertThat(sweep().workflows()).isEqualTo(1);
        assertThat(store().givenUp(NAMESPACE, null, 10).items()).hasSize(1);
    }

    @Test
    default void manySweepsAtOnceDeleteEachWorkflowOnceBesideABusyOwner() {
        Driver driver = oneStep();
        int count = 30;
        AtomicInteger role = new AtomicInteger();
        List<Long> swept = ContractWorld.atOnce(4, () -> {
            long own = 0;
            if (role.getAndIncrement() == 0) {
                for (int i = 0; i < count; i++) {
                    closed(driver, i);
                }
            }
            for (int i = 0; i < count; i++) {
                own += store().sweep(NAMESPACE, Cutoffs.all(LATER), LATER, 5).workflows();
            }
            return own;
        });

        long total = swept.stream().mapToLong(Long::longValue).sum();
        for (Swept more = sweep(); !more.isNothing(); more = sweep()) {
            total += more.workflows();
        }
        assertThat(total).isEqualTo(count);
        assertThat(store().workflows(WorkflowQuery.all(NAMESPACE), null, 10).items()).isEmpty();
    }
}
