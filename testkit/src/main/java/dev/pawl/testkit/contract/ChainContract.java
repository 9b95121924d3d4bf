package dev.pawl.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.store.Commit;
import dev.pawl.engine.store.Rejection;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Seal;
import dev.pawl.kernel.event.Event;
import dev.pawl.kernel.id.Hash;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.workflow.Snapshot;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The chain of events: what does not follow from the head is refused, and nothing of it is written. */
interface ChainContract extends ContractWorld {

    private EventLog log() {
        return new EventLog(store());
    }

    @Test
    default void rejectedCommitLeavesNoEvents() {
        Driver driver = driver();
        WorkflowKey good = driver.running(0);
        WorkflowKey bad = driver.running(1);
        Bundle goodBundle = driver.compute(Driver.answer(good, "a")).bundle();
        Bundle late = driver.compute(Driver.answer(bad, "a")).bundle();
        driver.run(Driver.answer(bad, "b"));
        List<Event> goodBefore = log().events(good);
        List<Event> badBefore = log().events(bad);

        assertThat(store().commit(driver.fence, List.of(goodBundle, late))).isInstanceOf(Commit.Rejected.class);
        assertThat(log().events(good)).isEqualTo(goodBefore);
        assertThat(log().events(bad)).isEqualTo(badBefore);
        log().intact(good);
    }

    @Test
    default void eventThatDoesNotFollowFromTheLastOneIsRefusedAndNothingIsWritten() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        Bundle honest = driver.compute(Driver.answer(key, "a")).bundle();

        refused(driver, resealed(honest, Hash.of("another past")));
        refused(driver, resealed(honest, Hash.NONE));
        driver.commit(honest);
        log().intact(key);
    }

    @Test
    default void firstEventFollowsNothing() {
        Driver driver = driver();
        Bundle start = driver.compute(Driver.start(driver.key(0))).bundle();

        assertThat(store().commit(driver.fence, List.of(resealed(start, Hash.of("a past")))))
                .isEqualTo(new Commit.Rejected(0, new Rejection.ChainBroken(1)));
        assertThat(store().load(driver.key(0))).isEqualTo(Snapshot.ABSENT);
        assertThat(log().events(driver.key(0))).isEmpty();
    }

    @Test
    default void eventInABatchMustFollowFromTheOneBeforeItInTheBatch() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        Bundle[] batch = driver.batch(Driver.answer(key, "a"), Driver.answer(key, "b"));
        Snapshot before = store().load(key);

        assertThat(store().commit(driver.fence, List.of(batch[0], resealed(batch[1], log().row(key).chain()))))
                .isEqualTo(new Commit.Rejected(1, new Rejection.ChainBroken(5)));
        assertThat(store().load(key)).isEqualTo(before);
        assertThat(log().events(key)).hasSize(3);
    }

    @Test
    default void bundleWithoutAnEventIsRefused() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        Bundle honest = driver.compute(Driver.answer(key, "a")).bundle();

        refused(driver, new Bundle(key, honest.expectedVersion(), honest.parts(), null));
    }

    private void refused(Driver driver, Bundle bundle) {
        WorkflowKey key = bundle.workflow();
        Snapshot before = store().load(key);
        List<Event> log = log().events(key);

        assertThat(store().commit(driver.fence, List.of(bundle)))
                .isEqualTo(new Commit.Rejected(0, new Rejection.ChainBroken(bundle.expectedVersion() + 1)));
        assertThat(store().load(key)).isEqualTo(before);
        assertThat(log().events(key)).isEqualTo(log);
    }

    /** The same writes under an event that claims another past. */
    private static Bundle resealed(Bundle bundle, Hash previous) {
        Seal seal = Objects.requireNonNull(bundle.seal());
        return new Bundle(bundle.workflow(), bundle.expectedVersion(), bundle.parts(),
                Seal.of(seal.occasion(), previous, bundle.expectedVersion() + 1, bundle.writes(),
                        seal.existing(), seal.closed()));
    }
}
