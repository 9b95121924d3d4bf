package dev.pawl.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.store.Cutoffs;
import dev.pawl.engine.store.DecisionRecord;
import dev.pawl.engine.store.DecisionRequest;
import dev.pawl.engine.store.DecisionRequest.Consequence;
import dev.pawl.engine.store.DecisionResult;
import dev.pawl.engine.store.GivenUp;
import dev.pawl.engine.store.Page;
import dev.pawl.engine.store.SignalRequest;
import dev.pawl.engine.store.SignalResult;
import dev.pawl.engine.store.Waiting;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.collation.Request;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Ending;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What people decide: once for each case, and what follows from it with it. */
interface DecisionContract extends ContractWorld {

    private static DecisionRecord decision(WorkflowKey key, String caseId, String decision) {
        return new DecisionRecord(key, caseId, decision, "Zo\u00eb:\0 ops", "because \\", NOW, Sketch.text("4"));
    }

    private DecisionResult decide(WorkflowKey key, String caseId, String decision, Consequence consequence) {
        return store().decide(new DecisionRequest(decision(key, caseId, decision), consequence));
    }

    private static Consequence told(WorkflowKey key) {
        return new DecisionRequest.Told(SignalContract.request(key, "decide", "1"));
    }

    private static Message.Interrupt end(WorkflowKey key) {
        return new Message.Interrupt(key, Guid.ofRequest(key, "abort", "1"),
                Ending.failed("aborted", Sketch.text("e")));
    }

    private WorkflowRecord row(WorkflowKey key) {
        return Objects.requireNonNull(store().load(key).workflow());
    }

    /** A message that was given up: the n-th workflow's own, or one from its inbox. */
    private GivenUp givenUp(Driver driver, WorkflowKey key) {
        driver.run(Driver.start(key));
        driver.commit(driver.handmade(key, new Write.GiveUp(driver.queue().getFirst().place(), "poison")));
        return store().givenUp(NAMESPACE, null, 10).items().getLast();
    }

    @Test
    default void decisionAndItsSignalAreOne() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);

        assertThat(decide(key, "c-1", "retry", told(key))).isEqualTo(new DecisionResult.Decided());
        reopen();
        assertThat(store().decisions(key)).containsExactly(decision(key, "c-1", "retry"));
        assertThat(driver.inbox()).extracting(Delivery::message)
                .containsExactly(SignalContract.request(key, "decide", "1").message());
    }

    @Test
    default void caseIsDecidedOnceWhateverIsDecidedThen() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        decide(key, "c-1", "retry", told(key));
        DecisionResult first = new DecisionResult.AlreadyDecided(decision(key, "c-1", "retry"));

        assertThat(decide(key, "c-1", "retry", told(key))).isEqualTo(first);
        assertThat(decide(key, "c-1", "abort", new DecisionRequest.Ended(GROUP, end(key), null))).isEqualTo(first);
        assertThat(driver.inbox()).hasSize(1);
        assertThat(decide(key, "c-2", "abort", new DecisionRequest.Ended(GROUP, end(key), null)))
                .isEqualTo(new DecisionResult.Decided());
        assertThat(driver.inbox()).extracting(Delivery::message).contains(end(key));
        assertThat(store().decisions(key)).hasSize(2);
    }

    @Test
    default void oneOfManyDecisionsAtOnceCounts() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);

        List<DecisionResult> results = ContractWorld.atOnce(6, () -> Thread.currentThread().threadId() % 2 == 0
                ? decide(key, "c-1", "retry", told(key))
                : decide(key, "c-1", "abort", new DecisionRequest.Ended(GROUP, end(key), null)));

        assertThat(results.stream().filter(DecisionResult.Decided.class::isInstance)).hasSize(1);
        assertThat(results.stream().filter(DecisionResult.AlreadyDecided.class::isInstance)).hasSize(5);
        assertThat(driver.inbox()).hasSize(1);
        boolean retried = store().decisions(key).getFirst().decision().equals("retry");
        assertThat(driver.inbox().getFirst().message())
                .isInstanceOf(retried ? Message.Signal.class : Message.Interrupt.class);
    }

    @Test
    default void nothingIsDecidedAboutWhatIsOverOrGone() {
        Driver driver = driver(Sketch.ofWorkers("a"));
        WorkflowKey key = driver.running(0);
        driver.run(Driver.answer(key, "a"));
        DecisionResult nothing = new DecisionResult.NothingToDecide();

        assertThat(decide(key, "c-1", "retry", told(key))).isEqualTo(nothing);
        assertThat(decide(driver.key(1), "c-1", "retry", told(driver.key(1)))).isEqualTo(nothing);
        assertThat(decide(key, "c-1", "retry", new DecisionRequest.PutBack(77))).isEqualTo(nothing);
        assertThat(decide(key, "c-1", "abort", new DecisionRequest.Ended(GROUP, end(key), 77L))).isEqualTo(nothing);
        assertThat(store().decisions(key)).isEmpty();
        assertThat(driver.inbox()).isEmpty();
    }

    @Test
    default void whatWasFoundOutIsWrittenDownOnceItIsOver() {
        Driver driver = driver(Sketch.ofWorkers("a"));
        WorkflowKey key = driver.running(0);
        Consequence noted = new DecisionRequest.Noted();

        assertThat(decide(key, "e-1", "accept", noted)).as("it may find out itself")
                .isEqualTo(new DecisionResult.NothingToDecide());
        assertThat(decide(driver.key(1), "e-1", "accept", noted)).as("there is none")
                .isEqualTo(new DecisionResult.NothingToDecide());
        driver.run(Driver.answer(key, "a"));
        assertThat(decide(key, "e-1", "accept", noted)).isEqualTo(new DecisionResult.Decided());
        assertThat(decide(key, "e-1", "not-done", noted))
                .isEqualTo(new DecisionResult.AlreadyDecided(decision(key, "e-1", "accept")));
        reopen();
        assertThat(store().decisions(key)).containsExactly(decision(key, "e-1", "accept"));
        assertThat(driver.inbox()).isEmpty();
    }

    @Test
    default void messageIsPutBackWithItsFirstEntryChargedAndGoesOn() {
        Driver driver = driver(Sketch.ofWorkers("a"));
        WorkflowKey key = driver.key(0);
        GivenUp message = givenUp(driver, key);

        assertThat(decide(key, "g-1", "retry", new DecisionRequest.PutBack(message.id())))
                .isEqualTo(new DecisionResult.Decided());
        assertThat(decide(key, "g-1", "retry", new DecisionRequest.PutBack(message.id())))
                .isInstanceOf(DecisionResult.AlreadyDecided.class);
        reopen();
        assertThat(store().givenUp(NAMESPACE, null, 10).items()).isEmpty();
        assertThat(driver.inbox()).singleElement().satisfies(delivery -> {
            assertThat(delivery.message()).isEqualTo(message.delivery().message());
            assertThat(delivery.marks()).isEqualTo(1);
        });
        driver.run(driver.inbox().getFirst());
        driver.run(Driver.answer(key, "a"));
        assertThat(row(key).status()).isEqualTo(WorkflowStatus.COMPLETED);
    }

    @Test
    default void givenUpMessageIsForgottenWithTheEndOfItsWorkflow() {
        Driver driver = driver(Sketch.ofWorkers("a"));
        WorkflowKey key = driver.key(0);
        GivenUp message = givenUp(driver, key);

        decide(key, "g-1", "abort", new DecisionRequest.Ended(GROUP, end(key), message.id()));
        assertThat(store().givenUp(NAMESPACE, null, 10).items()).isEmpty();
        driver.run(driver.inbox().getFirst());
        assertThat(row(key).status()).isEqualTo(WorkflowStatus.FAILED);
        assertThat(row(key).reason()).isEqualTo("aborted");
    }

    @Test
    default void decisionsGoWithTheirWorkflow() {
        Driver driver = driver(Sketch.ofWorkers("a"));
        WorkflowKey key = driver.running(0);
        decide(key, "c-1", "retry", told(key));
        driver.run(driver.inbox().getFirst());
        driver.run(Driver.answer(key, "a"));
        WorkflowKey never = driver.key(7);
        assertThat(decide(never, "c-1", "abort", new DecisionRequest.Ended(GROUP, null, null)))
                .isEqualTo(new DecisionResult.Decided());

        assertThat(store().sweep(NAMESPACE, Cutoffs.all(RetentionContract.LATER), RetentionContract.LATER, 10)
                .workflows()).isEqualTo(1);
        assertThat(store().decisions(key)).isEmpty();
        assertThat(store().orphans(NAMESPACE)).isEmpty();
    }

    @Test
    default void waitsAreFoundByTheBeginningOfTheirTopics() {
        Driver driver = driver(new Sketch().activity("one", new Request.WebHook("ask:one"))
                .activity("two", new Request.WebHook("ask:two")).activity("other", new Request.WebHook("asked"))
                .activity("early", new Request.WebHook("ask")).trigger("one", "two", "other", "early"));
        List<WorkflowKey> keys = List.of(driver.running(0), driver.running(1), driver.running(2));
        WorkflowKey closed = keys.get(1);
        driver.run(end(closed));
        List<String> found = new ArrayList<>();
        String cursor = null;
        do {
            Page<Waiting> page = store().awaiting(NAMESPACE, "ask:", cursor, 1);
            page.items().forEach(each -> found.add(each.workflow().workflowId() + " " + each.activity().activity()));
            cursor = page.next();
        } while (cursor != null);

        assertThat(found).containsExactlyInAnyOrder(keys.get(0).workflowId() + " one",
                keys.get(0).workflowId() + " two", keys.get(2).workflowId() + " one",
                keys.get(2).workflowId() + " two").doesNotHaveDuplicates();
        assertThat(store().awaiting("elsewhere", "ask:", null, 10).items()).isEmpty();
    }

    @Test
    default void whatIsParkedIsListedIfItsCodeHasToRun() {
        Driver driver = driver(new Sketch().activity("code", new Request.Code()).trigger("code"));
        WorkflowKey parked = driver.running(0);
        driver.running(1);
        driver.commit(driver.handmade(parked, new Write.Hold(WorkflowStatus.PARKED, "why")));

        assertThat(store().parked(NAMESPACE, null, 10).items()).containsExactly(row(parked));
        assertThat(store().parked(NAMESPACE, parked.workflowId(), 10).items()).isEmpty();
        assertThat(store().parked("elsewhere", null, 10).items()).isEmpty();
    }

    @Test
    default void signalWithoutItsAcceptanceGetsOneByADecision() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        SignalRequest request = SignalContract.request(key, "approval", "s-1");
        Consequence settled = new DecisionRequest.Settled(request);
        assertThat(decide(key, "s", "accept", settled)).as("nothing is there")
                .isEqualTo(new DecisionResult.NothingToDecide());
        store().post(GROUP, request.message());
        assertThat(store().signal(request)).isEqualTo(new SignalResult.Indeterminate());

        assertThat(decide(key, "s", "accept", settled)).isEqualTo(new DecisionResult.Decided());
        assertThat(store().signal(request)).isInstanceOf(SignalResult.Duplicate.class);
        assertThat(driver.inbox()).hasSize(1);
    }
}
