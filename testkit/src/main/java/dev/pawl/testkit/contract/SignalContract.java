package dev.pawl.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.store.AcceptedSignal;
import dev.pawl.engine.store.SignalRequest;
import dev.pawl.engine.store.SignalResult;
import dev.pawl.engine.store.StartResult;
import dev.pawl.engine.store.Store;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.collation.Collation;
import dev.pawl.kernel.collation.Request;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Signals from outside the shard: accepted once, answered always the same. */
interface SignalContract extends ContractWorld {

    static SignalRequest request(WorkflowKey key, String name, String id) {
        return request(key, name, id, NOW);
    }

    private static SignalRequest request(WorkflowKey key, String name, String id, Instant at) {
        return new SignalRequest(key, name, id, true, new Response.Final(Sketch.text("yes")), at,
                at.plus(Duration.ofDays(1)));
    }

    private AcceptedSignal accepted(SignalRequest request) {
        SignalResult result = store().signal(request);
        assertThat(result).isInstanceOf(SignalResult.Accepted.class);
        return ((SignalResult.Accepted) result).signal();
    }

    @Test
    default void acceptedSignalLiesInTheInboxWithItsAcceptance() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);

        AcceptedSignal signal = accepted(request(key, "approval", "s-1"));

        assertThat(signal.workflow()).isEqualTo(key);
        assertThat(signal.signalName()).isEqualTo("approval");
        assertThat(signal.signalId()).isEqualTo("s-1");
        assertThat(signal.acceptedAt()).isEqualTo(NOW);
        assertThat(signal.signalStorageKey()).isNotEmpty();
        assertThat(driver.inbox()).extracting(Delivery::message)
                .containsExactly(request(key, "approval", "s-1").message());
    }

    @Test
    default void whetherASignalWasAcceptedCanBeLookedUpWithoutSendingIt() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);

        assertThat(store().accepted(key, "approval", "s-1")).isFalse();
        accepted(request(key, "approval", "s-1"));

        assertThat(store().accepted(key, "approval", "s-1")).isTrue();
        assertThat(store().accepted(key, "approval", "S-1")).isFalse();
        assertThat(store().accepted(key, "refusal", "s-1")).isFalse();
        assertThat(driver.inbox()).hasSize(1);
    }

    @Test
    default void duplicateIsAnsweredWithTheFirstResultAndEnqueuesNothing() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        AcceptedSignal first = accepted(request(key, "approval", "s-1"));

        SignalResult again = store().signal(request(key, "approval", "s-1", NOW.plusSeconds(60)));

        assertThat(again).isEqualTo(new SignalResult.Duplicate(first));
        assertThat(driver.inbox()).hasSize(1);
    }

    @Test
    default void oneOfManyDuplicatesAtOnceIsAccepted() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);

        List<SignalResult> results = ContractWorld.atOnce(8, () -> store().signal(request(key, "approval", "s-1")));

        assertThat(results.stream().filter(SignalResult.Accepted.class::isInstance)).hasSize(1);
        assertThat(results.stream().filter(SignalResult.Duplicate.class::isInstance)).hasSize(7);
        assertThat(driver.inbox()).hasSize(1);
    }

    @Test
    default void startAndSignalAreOne() {
        Driver driver = driver();
        WorkflowKey key = Driver.keyIn(driver.shard, 7);
        Message.Start start = Driver.start(key);

        Store.StartedWithSignal first = store().start(start, Collation.inception(start, ContractWorld.NOW),
                request(key, "approval", "s-1"), existing -> false);
        Store.StartedWithSignal second = store().start(start, Collation.inception(start, ContractWorld.NOW),
                request(key, "approval", "s-1"), existing -> true);
        Store.StartedWithSignal other = store().start(start, Collation.inception(start, ContractWorld.NOW),
                request(key, "approval", "s-2"), existing -> !existing.key().equals(key));

        assertThat(first.start()).isInstanceOf(StartResult.Started.class);
        assertThat(first.signal()).isInstanceOf(SignalResult.Accepted.class);
        assertThat(second.start()).isInstanceOf(StartResult.AlreadyStarted.class);
        assertThat(second.signal()).isInstanceOf(SignalResult.Duplicate.class);
        assertThat(other.start()).isInstanceOf(StartResult.AlreadyStarted.class);
        assertThat(other.signal()).as("of a workflow that is another one").isNull();
        reopen();
        assertThat(store().inbox(driver.shard, 10)).extracting(each -> each.message().getClass().getSimpleName())
                .containsExactly("Start", "Signal");
    }

    @Test
    default void idsAreTakenAsTheyAre() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        List<String> ids = List.of("a", "A", " a", "a ", "a:b", "a%3Ab", "a%b", "\u00e9", "e\u0301", "\0", "a\0b",
                "\ud83d\ude00", "a/b", "a,b");
        Set<String> storageKeys = new HashSet<>();

        ids.forEach(id -> storageKeys.add(accepted(request(key, "approval", id)).signalStorageKey()));

        assertThat(storageKeys).hasSize(ids.size());
        assertThat(driver.inbox()).hasSize(ids.size());
    }

    @Test
    default void nameAndIdDoNotRunIntoEachOther() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);

        accepted(request(key, "a:b", "c"));
        accepted(request(key, "a", "b:c"));
        assertThat(driver.inbox()).hasSize(2);
    }

    @Test
    default void sameIdForAnotherWorkflowIsAnotherSignal() {
        Driver driver = driver();
        accepted(request(driver.running(0), "approval", "s-1"));

        accepted(request(driver.running(1), "approval", "s-1"));
    }

    @Test
    default void signalToAWorkflowThatWasNeverStartedIsNotAccepted() {
        Driver driver = driver();

        assertThat(store().signal(request(driver.key(0), "approval", "s-1")))
                .isEqualTo(new SignalResult.WorkflowMissing());
        assertThat(driver.inbox()).isEmpty();
    }

    @Test
    default void closedWorkflowTakesNoNewSignalButAnswersAKnownOne() {
        Driver driver = driver(Sketch.ofWorkers("a"));
        WorkflowKey key = driver.running(0);
        AcceptedSignal known = accepted(request(key, "approval", "s-1"));
        driver.run(driver.inbox().getFirst());
        driver.run(Driver.answer(key, "a"));

        assertThat(store().signal(request(key, "approval", "s-2"))).isEqualTo(new SignalResult.WorkflowClosed());
        assertThat(store().signal(request(key, "approval", "s-1"))).isEqualTo(new SignalResult.Duplicate(known));
        assertThat(driver.inbox()).isEmpty();
    }

    @Test
    default void acceptanceIsKeptAsLongAsItsWorkflowIsOpenAndForgottenAfterItsExpiry() {
        Driver driver = driver(Sketch.ofWorkers("a"));
        WorkflowKey key = driver.running(0);
        AcceptedSignal first = accepted(request(key, "approval", "s-1"));
        driver.run(driver.inbox().getFirst());
        Instant expiry = NOW.plus(Duration.ofDays(1));

        assertThat(store().signal(request(key, "approval", "s-1", expiry.plusSeconds(1))))
                .isEqualTo(new SignalResult.Duplicate(first));
        driver.run(Driver.answer(key, "a"));
        assertThat(store().signal(request(key, "approval", "s-1", expiry.minusMillis(1))))
                .isEqualTo(new SignalResult.Duplicate(first));
        assertThat(store().signal(request(key, "approval", "s-1", expiry)))
                .isEqualTo(new SignalResult.WorkflowClosed());
    }

    @Test
    default void unkeyedSignalsAreAcceptedEachUnderItsOwnId() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        for (String fresh : List.of("fresh-1", "fresh-2")) {
            assertThat(store().signal(new SignalRequest(key, "approval", fresh, false,
                    new Response.Final(Sketch.text("yes")), NOW, NOW.plusSeconds(1))))
                    .isInstanceOf(SignalResult.Accepted.class);
        }
        assertThat(driver.inbox()).hasSize(2);
    }

    @Test
    default void messageWithoutAnAcceptanceIsIndeterminateAndNotEnqueuedAgain() {
        Driver driver = driver(new Sketch().activity("wait", new Request.WebHook("approval")).trigger("wait"));
        WorkflowKey key = driver.key(0);
        driver.run(Driver.start(key));
        store().post(GROUP, request(key, "approval", "s-1").message());

        assertThat(store().signal(request(key, "approval", "s-1"))).isEqualTo(new SignalResult.Indeterminate());
        driver.run(driver.inbox().getFirst());
        assertThat(store().signal(request(key, "approval", "s-1"))).as("kept")
                .isEqualTo(new SignalResult.Indeterminate());
        assertThat(driver.inbox()).isEmpty();
    }

    @Test
    default void givenUpSignalWithoutAnAcceptanceIsIndeterminateToo() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        store().post(GROUP, request(key, "approval", "s-1").message());
        driver.commit(driver.handmade(key, new Write.GiveUp(driver.inbox().getFirst().place(), "poison")));
        assertThat(driver.inbox()).isEmpty();

        assertThat(store().signal(request(key, "approval", "s-1"))).isEqualTo(new SignalResult.Indeterminate());
        assertThat(store().signal(request(key, "approval", "s-2"))).isInstanceOf(SignalResult.Accepted.class);
        assertThat(driver.inbox()).hasSize(1);
    }

    @Test
    default void appliedSignalWithoutAnAcceptanceIsIndeterminateToo() {
        Driver driver = driver(new Sketch().activity("wait", new Request.WebHook("approval"))
                .activity("more", new Request.WebHook("other")).trigger("wait", "more"));
        WorkflowKey key = driver.running(0);
        store().post(GROUP, request(key, "approval", "s-1").message());
        driver.run(driver.inbox().getFirst());

        assertThat(store().signal(request(key, "approval", "s-1"))).isEqualTo(new SignalResult.Indeterminate());
        assertThat(driver.inbox()).isEmpty();
    }
}
