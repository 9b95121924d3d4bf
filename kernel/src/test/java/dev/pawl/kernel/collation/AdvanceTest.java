package dev.pawl.kernel.collation;

import static dev.pawl.kernel.collation.Workbench.DONE;
import static dev.pawl.kernel.collation.Workbench.KEY;
import static dev.pawl.kernel.collation.Workbench.NOW;
import static dev.pawl.kernel.collation.Workbench.at;
import static dev.pawl.kernel.collation.Workbench.other;
import static dev.pawl.kernel.collation.Workbench.signal;
import static dev.pawl.kernel.collation.Workbench.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Overlay;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.collation.Advance.Begin;
import dev.pawl.kernel.collation.Advance.Change;
import dev.pawl.kernel.collation.Advance.Do;
import dev.pawl.kernel.collation.Advance.Drop;
import dev.pawl.kernel.collation.Advance.Ended;
import dev.pawl.kernel.collation.Advance.Finish;
import dev.pawl.kernel.collation.Advance.Ran;
import dev.pawl.kernel.collation.Advance.Result;
import dev.pawl.kernel.collation.Advance.Retry;
import dev.pawl.kernel.collation.Advance.Returned;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.lifecycle.ActivityStatus;
import dev.pawl.kernel.lifecycle.WorkflowEvent;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.message.Attribute;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Ending;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.ActivityType;
import dev.pawl.kernel.workflow.Effect;
import dev.pawl.kernel.workflow.EffectRecord;
import dev.pawl.kernel.workflow.EffectStatus;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.kernel.workflow.Waker;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the code of a flow comes to: operations as children of its own activity, and its end. */
class AdvanceTest {

    private static final ActivityKey FLOW = at("flow", ",0,0");
    private static final ActivityKey PAY = operation("pay");
    private static final ActivityKey SHIP = operation("ship");
    private static final ActivityKey NAP = operation("nap");
    private static final ActivityKey NEWS = operation("news");
    private static final Attribute TIER = new Attribute.Text("tier", "vip");

    private final Workbench bench = new Workbench()
            .activity("flow", new Request.Code())
            .activity("nap", new Request.Sleep(NOW), response -> new Next.Tell(FLOW))
            .activity("news", new Request.WebHook("news"), response -> new Next.Tell(FLOW))
            .heeding("cancel", FLOW);

    AdvanceTest() {
        bench.start("flow");
    }

    private static ActivityKey operation(String id) {
        return Advance.operation(FLOW, id);
    }

    private static Begin begin(ActivityKey operation) {
        return new Begin(operation, text("in"), new Request.Local("here"));
    }

    private static Finish finish(ActivityKey operation) {
        return new Finish(operation, 1, DONE);
    }

    private static Advance changes(Change... changes) {
        return new Advance(KEY, FLOW, List.of(changes), null, null, null);
    }

    private static Advance result(@Nullable Result result, Change... changes) {
        return new Advance(KEY, FLOW, List.of(changes), null, null, result);
    }

    private Advanced advance(Advance advance) {
        Advanced advanced = Collation.advance(bench.state, advance, bench, NOW);
        if (advanced instanceof Advanced.Through through) {
            bench.commit(through.bundle());
        }
        return advanced;
    }

    private String outdated(Change... changes) {
        return ((Advanced.Outdated) advance(changes(changes))).why();
    }

    @Test
    void codeOfAFlowIsAwakeFromItsStart() {
        assertThat(bench.state.started().version()).isEqualTo(1);
        assertThat(bench.queue).isEmpty();
        assertThat(bench.ledger(FLOW)).isEqualTo("001100000000000");
        assertThat(bench.activity(FLOW).waker()).isEqualTo(new Waker.Code(1, true));
        assertThat(bench.activity(FLOW).status()).isEqualTo(ActivityStatus.WAITING);
        assertThat(bench.semaphore()).isEqualTo(1);
    }

    @Test
    void operationBeginsAsAChildOfTheFlow() {
        advance(changes(begin(PAY)));

        assertThat(bench.ledger(PAY)).isEqualTo("001100000000000");
        assertThat(bench.activity(PAY).waker()).isEqualTo(new Waker.Local(1, "here"));
        assertThat(bench.activity(PAY).input()).isEqualTo(text("in"));
        assertThat(bench.semaphore()).isEqualTo(2);
    }

    @Test
    void endOfOneOperationAndBeginningOfTheNextAreOneBundleOfFourRows() {
        advance(changes(begin(PAY)));

        Advanced.Through through = (Advanced.Through) advance(changes(finish(PAY), begin(SHIP)));

        assertThat(through.bundle().writes().stream().filter(write -> write instanceof Write.PutActivity)).hasSize(2);
        assertThat(through.bundle().writes().stream().filter(write -> write instanceof Write.MoveSemaphore)).isEmpty();
        assertThat(bench.ledger(PAY)).isEqualTo("201100000000001");
        assertThat(bench.activity(PAY).output()).isEqualTo(text("done"));
        assertThat(bench.ledger(bench.answer(PAY, 1, DONE))).isEqualTo("000011000000001");
        assertThat(bench.activity(SHIP).status()).isEqualTo(ActivityStatus.WAITING);
        assertThat(bench.semaphore()).isEqualTo(2);
    }

    @Test
    void stepThatWasNotDeclaredLeavesWhatItsBeginningAndItsEndWouldHaveLeft() {
        Workbench declared = bench;
        advance(changes(begin(PAY)));
        advance(changes(finish(PAY)));
        AdvanceTest other = new AdvanceTest();

        Advanced.Through through =
                (Advanced.Through) other.advance(changes(new Ran(PAY, text("in"), DONE)));

        assertThat(other.bench.activity(PAY)).isEqualTo(declared.activity(PAY));
        assertThat(other.bench.ledger(PAY)).isEqualTo("201100000000001");
        Message answer = other.bench.answer(PAY, 1, DONE);
        assertThat(other.bench.ledger(answer)).isEqualTo(declared.ledger(answer)).isEqualTo("000011000000001");
        assertThat(through.bundle().writes()).hasSize(2)
                .noneMatch(write -> write instanceof Write.MoveSemaphore || write instanceof Write.PutEffect);
        assertThat(other.bench.semaphore()).isEqualTo(declared.semaphore()).isEqualTo(1);
    }

    @Test
    void stepThatWasNotDeclaredMayHaveFailed() {
        Response failure = new Response.Failure(text("no"));
        advance(changes(begin(PAY)));
        advance(changes(new Finish(PAY, 1, failure), new Ran(SHIP, text("in"), failure)));

        assertThat(bench.activity(SHIP).output()).isEqualTo(bench.activity(PAY).output());
        assertThat(bench.ledger(SHIP)).isEqualTo(bench.ledger(PAY));
    }

    @Test
    void endOfAStepThatWasNotDeclaredAndEndOfTheFlowAreOneBundle() {
        advance(result(new Returned(text("out")), new Ran(PAY, text("in"), DONE)));

        assertThat(bench.activity(PAY).status()).isEqualTo(ActivityStatus.FINISHED);
        assertThat(bench.state.started().status()).isEqualTo(WorkflowStatus.COMPLETED);
        assertThat(bench.semaphore()).isZero();
    }

    @Test
    void stepThatWasCancelledBeginsAndIsDroppedInOneAdvance() {
        Advanced.Through through = (Advanced.Through) advance(changes(begin(PAY), new Drop(PAY, false)));

        assertThat(bench.ledger(PAY)).isEqualTo("201100000000000");
        assertThat(bench.activity(PAY).waker()).isInstanceOf(Waker.None.class);
        assertThat(through.bundle().writes()).noneMatch(Write.MoveSemaphore.class::isInstance);
    }

    /** Every change can say something, and what it says is in the commit of the change. */
    @Test
    void whatIsKnownOfAnEffectIsWrittenWithTheChangeThatSaysSo() {
        Effect effect = Effect.declared(new Effect.Key("charge", "pay", "order-42"));
        Effect failed = effect.after(EffectStatus.FAILED, text("no"));
        List<List<Change>> steps = List.of(
                List.of(new Begin(PAY, text("in"), new Request.Local("here"), effect)),
                List.of(new Begin(NAP, text("1s"), new Request.Sleep(NOW), failed)),
                List.of(new Drop(NAP, false, effect.after(EffectStatus.CANCELLED, null)),
                        new Retry(PAY, 2, "here", effect)),
                List.of(new Finish(PAY, 2, DONE, effect.completed(DONE.payload()))),
                List.of(new Do(SHIP, Payload.EMPTY, Payload.EMPTY, new Request.Pass(false), null, effect)));

        for (List<Change> step : steps) {
            Advanced.Through through = (Advanced.Through) advance(changes(step.toArray(Change[]::new)));

            assertThat(through.bundle().writes().stream().filter(Write.PutEffect.class::isInstance).toList())
                    .isEqualTo(step.stream().map(change -> new Write.PutEffect(
                            EffectRecord.of(KEY, Objects.requireNonNull(change.effect()), NOW))).toList());
        }
    }

    @Test
    void operationWithoutAKeyHasNoEffect() {
        assertThat(((Advanced.Through) advance(changes(begin(PAY)))).bundle().writes())
                .noneMatch(Write.PutEffect.class::isInstance);
        assertThat(((Advanced.Through) advance(changes(new Retry(PAY, 2, "here", null)))).bundle().writes())
                .noneMatch(Write.PutEffect.class::isInstance);
    }

    @Test
    void laterAttemptFinishesItsOperation() {
        advance(changes(begin(PAY)));
        advance(changes(new Retry(PAY, 2, "here", null)));

        assertThat(bench.activity(PAY).waker()).isEqualTo(new Waker.Local(2, "here"));
        assertThat(outdated(finish(PAY))).contains("is not at this attempt");
        advance(changes(new Finish(PAY, 2, DONE)));
        assertThat(bench.activity(PAY).status()).isEqualTo(ActivityStatus.FINISHED);
    }

    @Test
    void whatDoesNotFitIsOutdatedAndWritesNothing() {
        assertThat(outdated(finish(PAY))).contains("pay");
        assertThat(outdated(new Retry(PAY, 2, "here", null))).contains("is not at the attempt before");
        assertThat(outdated(new Drop(PAY, false))).contains("has never begun");
        advance(changes(begin(PAY)));
        assertThat(outdated(begin(PAY))).contains("has begun before");
        assertThat(outdated(new Do(PAY, Payload.EMPTY, Payload.EMPTY, new Request.Pass(false), null)))
                .contains("has begun before");
        assertThat(outdated(new Ran(PAY, text("in"), DONE))).contains("has begun before");
        advance(changes(finish(PAY)));
        assertThat(outdated(finish(PAY))).contains("is not at this attempt");
        assertThat(outdated(new Drop(PAY, true))).contains("was answered");
        assertThat(bench.semaphore()).isEqualTo(1);
    }

    @Test
    void advanceOfAWorkflowThatIsOverIsOutdated() {
        assertThat(Collation.advance(new Overlay(Snapshot.ABSENT), changes(begin(PAY)), bench, NOW))
                .isEqualTo(new Advanced.Outdated("the workflow is over"));
        advance(result(new Returned(text("out"))));

        assertThat(outdated(begin(PAY))).isEqualTo("the workflow is over");
    }

    @Test
    void onlyAFlowAdvances() {
        Advance stray = new Advance(KEY, operation("none"), List.of(), null, null, null);
        assertThat(advance(stray)).isEqualTo(new Advanced.Outdated("none@,0,0,0 runs no code"));
        advance(changes(begin(PAY)));
        assertThat(advance(new Advance(KEY, PAY, List.of(), null, null, null)))
                .isEqualTo(new Advanced.Outdated("pay@,0,0,0 runs no code"));
    }

    @Test
    void returnClosesTheWorkflow() {
        advance(changes(begin(PAY)));

        Advanced.Through through = (Advanced.Through) advance(result(new Returned(text("out")), finish(PAY)));

        assertThat(through.again()).isNull();
        assertThat(bench.semaphore()).isZero();
        assertThat(bench.state.started().status()).isEqualTo(WorkflowStatus.COMPLETED);
        assertThat(bench.ledger(bench.answer(FLOW, 1, DONE))).isEqualTo("000111100000001");
        assertThat(bench.ledger(FLOW)).isEqualTo("201100000000001");
        assertThat(bench.activity(FLOW).output()).isEqualTo(text("out"));
    }

    @Test
    void returnDropsWhatIsStillOpen() {
        advance(changes(begin(PAY), new Begin(NAP, text("1h"), new Request.Sleep(NOW.plusSeconds(3600)))));

        advance(result(new Returned(text("out"))));

        assertThat(bench.activity(PAY).status()).isEqualTo(ActivityStatus.FINISHED);
        assertThat(bench.ledger(NAP)).isEqualTo("201100000000000");
        assertThat(bench.semaphore()).isZero();
        assertThat(bench.state.started().status()).isEqualTo(WorkflowStatus.COMPLETED);
    }

    @Test
    void failureEndsTheWorkflow() {
        advance(changes(begin(PAY)));

        advance(result(new Ended(new Ending(WorkflowEvent.CANCEL, "enough", 410, false, text("why")))));

        assertThat(bench.state.started().status()).isEqualTo(WorkflowStatus.CANCELLED);
        assertThat(bench.state.started().output()).isEqualTo(text("why"));
        assertThat(bench.semaphore()).isZero();
    }

    @Test
    void flowGoesOnInAnotherWorkflowWithTheSignalsNobodyWaitedFor() {
        bench.run(signal("later", "s1", DONE));

        advance(result(new Ended(Ending.continued("order-1~2", text("rest"), List.of(TIER)))));

        assertThat(bench.state.started().status()).isEqualTo(WorkflowStatus.CONTINUED_AS_NEW);
        assertThat(bench.state.started().reason()).isEqualTo("order-1~2");
        assertThat(bench.posted).extracting(post -> post.message().workflow().workflowId())
                .containsExactly("order-1~2", "order-1~2");
        Message.Start start = (Message.Start) bench.posted.getFirst().message();
        assertThat(start.beginning().input()).isEqualTo(text("rest"));
        assertThat(start.beginning().definition()).isEqualTo("checkout");
        assertThat(start.attributes()).containsExactly(TIER);
        Message.Signal kept = (Message.Signal) bench.posted.getLast().message();
        assertThat(kept.topic()).isEqualTo("later");
        assertThat(kept.guid()).isNotEqualTo(signal("later", "s1", DONE).guid());

        bench.run(signal("too late", "s2", DONE));
        assertThat(bench.posted).hasSize(3);
        assertThat(bench.posted.getLast().message().workflow().workflowId()).isEqualTo("order-1~2");
        bench.run(bench.answer(FLOW, 1, DONE));
        assertThat(bench.posted).hasSize(3);
    }

    @Test
    void interruptThatComesAfterTheWorkflowHasContinuedGoesToTheNextRun() {
        advance(result(new Ended(Ending.continued("order-1~2", text("rest"), List.of()))));
        Ending ending = new Ending(WorkflowEvent.INTERRUPT, "stop", 410, true, text("why"));
        Guid guid = Guid.ofRequest(bench.state.started().key(), "abort", "case-1");

        bench.run(new Message.Interrupt(bench.state.started().key(), guid, ending));

        Message.Interrupt forwarded = (Message.Interrupt) bench.posted.getLast().message();
        assertThat(forwarded.workflow().workflowId()).isEqualTo("order-1~2");
        assertThat(forwarded.ending()).isEqualTo(ending);
        assertThat(forwarded.guid()).isNotEqualTo(guid);
    }

    @Test
    void signalToAWorkflowThatIsOverGoesNowhere() {
        advance(result(new Returned(text("out"))));

        assertThat(bench.run(signal("late", "s1", DONE)).entry()).isInstanceOf(Entry.Inactive.class);
        assertThat(bench.posted).isEmpty();
    }

    @Test
    void flowWithManyChildrenEndsThemInChunks() {
        int many = Collation.FAN_OUT_MAX + 1;
        advance(changes(IntStream.range(0, many)
                .mapToObj(i -> new Begin(operation("c" + i), Payload.EMPTY,
                        new Request.StartChild(other("child" + i), "d", "1", "t", Payload.EMPTY, false)))
                .toArray(Change[]::new)));

        Advanced.Through through = (Advanced.Through) advance(
                result(new Ended(new Ending(WorkflowEvent.INTERRUPT, "stop", 410, true, Payload.EMPTY))));

        assertThat(through.again()).isNotNull();
        bench.drain();
        assertThat(bench.state.started().status()).isEqualTo(WorkflowStatus.INTERRUPTED);
    }

    private static Change startChild(String id) {
        return new Begin(operation(id), Payload.EMPTY,
                new Request.StartChild(other(id), "d", "1", "t", Payload.EMPTY, true));
    }

    @Test
    void whoeverHasStartedWorkflowsTellsThemOfItsEnd() {
        bench.farewell = new Behaviour.Farewell("cancel", text("bye"));
        advance(changes(startChild("c0"), startChild("c1"), startChild("c2")));
        bench.posted.clear();

        advance(result(new Ended(Ending.failed("no", Payload.EMPTY))));

        assertThat(bench.posted).extracting(post -> post.message().workflow().workflowId())
                .containsExactly("c0", "c2");
        assertThat(bench.posted).extracting(post -> ((Message.Signal) post.message()).topic()).containsOnly("cancel");
        assertThat(bench.state.started().status()).isEqualTo(WorkflowStatus.FAILED);
    }

    @Test
    void nobodyIsToldOfAGoodEndOrOfOneThatGoesOn() {
        bench.farewell = new Behaviour.Farewell("cancel", text("bye"));
        advance(changes(startChild("c0")));
        bench.posted.clear();

        advance(result(new Ended(Ending.continued("order-1~2", Payload.EMPTY, List.of()))));

        assertThat(bench.posted).hasSize(1).allMatch(post -> post.message() instanceof Message.Start);
    }

    @Test
    void manyAreToldOfTheEndInChunks() {
        bench.farewell = new Behaviour.Farewell("cancel", text("bye"));
        int many = Collation.FAN_OUT_MAX + 1;
        advance(changes(IntStream.range(0, many).mapToObj(i -> startChild("c" + i + "x")).toArray(Change[]::new)));
        bench.posted.clear();

        Advanced.Through through = (Advanced.Through) advance(result(new Ended(Ending.failed("no", Payload.EMPTY))));

        assertThat(through.again()).isNotNull();
        assertThat(bench.posted).hasSize(Collation.FAN_OUT_MAX);
        bench.drain();
        assertThat(bench.posted).hasSize(many).extracting(post -> post.message().workflow()).doesNotHaveDuplicates();
        assertThat(bench.state.started().status()).isEqualTo(WorkflowStatus.FAILED);
    }

    @Test
    void whatBeginsMayBeDroppedInOne() {
        advance(changes(startChild("c0"), new Drop(operation("c0"), true)));

        assertThat(bench.activity(operation("c0")).status()).isEqualTo(ActivityStatus.FINISHED);
        assertThat(bench.posted).hasSize(1);
        assertThat(bench.semaphore()).isEqualTo(1);
        assertThat(outdated(startChild("c2"), new Drop(PAY, true))).contains("has never begun");
        assertThat(outdated(begin(SHIP), new Do(PAY, Payload.EMPTY, Payload.EMPTY, new Request.Pass(false), null),
                new Drop(NAP, true))).contains("has never begun");
    }

    @Test
    void attributeIsWrittenInTheCommitOfTheOperationThatSetsIt() {
        Advanced.Through through = (Advanced.Through) advance(changes(
                new Do(PAY, Payload.EMPTY, Payload.EMPTY, new Request.SetAttribute(TIER), null)));

        assertThat(through.bundle().writes().stream().filter(Write.PutAttribute.class::isInstance))
                .containsExactly(new Write.PutAttribute(TIER, bench.state.started().createdAt()));
        assertThat(bench.activity(PAY).status()).isEqualTo(ActivityStatus.FINISHED);
        assertThat(bench.activity(PAY).type()).isEqualTo(ActivityType.HOOK);
    }

    @Test
    void whatComesWakesTheCode() {
        advance(new Advance(KEY, FLOW, List.of(new Begin(NAP, text("0s"), new Request.Sleep(NOW))), 1, null, null));
        assertThat(bench.activity(FLOW).waker()).isEqualTo(new Waker.Code(1, false));

        bench.run(Message.Respond.wake(KEY, NAP, NOW));

        assertThat(bench.activity(NAP).status()).isEqualTo(ActivityStatus.FINISHED);
        assertThat(bench.activity(FLOW).waker()).isEqualTo(new Waker.Code(2, true));
        assertThat(bench.semaphore()).isEqualTo(1);
    }

    @Test
    void codeThatMissedSomethingStaysAwake() {
        advance(changes(new Begin(NAP, text("0s"), new Request.Sleep(NOW))));
        bench.run(Message.Respond.wake(KEY, NAP, NOW));

        advance(new Advance(KEY, FLOW, List.of(), 1, null, null));
        assertThat(bench.activity(FLOW).waker()).isEqualTo(new Waker.Code(2, true));
        advance(new Advance(KEY, FLOW, List.of(), 2, null, null));
        assertThat(bench.activity(FLOW).waker()).isEqualTo(new Waker.Code(2, false));
    }

    @Test
    void signalThatCameEarlyIsTakenByTheOperationThatWaitsForIt() {
        bench.run(signal("news", "s1", DONE));
        assertThat(bench.activity(FLOW).waker()).isEqualTo(new Waker.Code(1, true));

        advance(changes(new Begin(NEWS, text("news"), new Request.WebHook("news"))));
        bench.drain();

        assertThat(bench.activity(NEWS).output()).isEqualTo(text("done"));
        assertThat(bench.state.signals()).isEmpty();
        assertThat(bench.activity(FLOW).waker()).isEqualTo(new Waker.Code(2, true));
    }

    @Test
    void operationNobodyWaitsForIsDroppedOnce() {
        advance(changes(new Begin(NEWS, text("news"), new Request.WebHook("news"))));

        advance(changes(new Drop(NEWS, true)));
        advance(changes(new Drop(NEWS, false)));
        bench.run(signal("news", "s1", DONE));

        assertThat(bench.ledger(NEWS)).isEqualTo("201100000000000");
        assertThat(bench.semaphore()).isEqualTo(1);
        assertThat(bench.state.signals()).hasSize(1);
    }

    @Test
    void operationIsNotUnansweredWhileItsAnswerIsOnItsWay() {
        advance(changes(new Begin(NEWS, text("news"), new Request.WebHook("news")),
                new Begin(NAP, text("0s"), new Request.Sleep(NOW))));
        Delivery signal = Delivery.ofRow(signal("news", "s1", DONE));
        bench.commit(Collation.transition(bench.state, signal, bench, NOW).bundle().apart().getFirst());

        assertThat(outdated(new Drop(NEWS, true))).contains("was answered");

        bench.run(signal);
        advance(changes(new Drop(NAP, true)));
        assertThat(bench.activity(NEWS).output()).isEqualTo(text("done"));
        assertThat(bench.semaphore()).isEqualTo(1);
    }

    @Test
    void operationIsNotUnansweredWhileASignalThatCameEarlyIsOnItsWay() {
        bench.run(signal("news", "s1", DONE));
        advance(changes(new Begin(NEWS, text("news"), new Request.WebHook("news"))));

        assertThat(outdated(new Drop(NEWS, true))).contains("was answered");
    }

    private static Drop returning(ActivityKey hook) {
        return new Drop(hook, false, null, "news");
    }

    @Test
    void signalThatADroppedHookHasNotUsedIsKeptOnceForTheNext() {
        advance(changes(new Begin(NEWS, text("news"), new Request.WebHook("news"))));
        bench.run(signal("news", "s1", DONE));

        advance(changes(returning(NEWS)));
        advance(changes(returning(NEWS)));
        assertThat(bench.state.signals()).singleElement().satisfies(kept -> {
            assertThat(kept.topic()).isEqualTo("news");
            assertThat(kept.response()).isEqualTo(DONE);
        });

        bench.run(signal("news", "s1", DONE));
        assertThat(bench.state.signals()).hasSize(1);
        advance(changes(new Begin(operation("again"), text("news"), new Request.WebHook("news"))));
        advance(changes(returning(NEWS)));
        assertThat(bench.state.signals()).isEmpty();
    }

    @Test
    void signalGivenBackGoesToAHookThatWaitsAndNotToOneThatIsDroppedWithIt() {
        ActivityKey late = operation("news~2");
        advance(changes(new Begin(NEWS, text("news"), new Request.WebHook("news"))));
        bench.run(signal("news", "s1", DONE));
        advance(changes(new Begin(late, text("news"), new Request.WebHook("news"))));

        advance(changes(returning(NEWS), returning(late),
                new Begin(operation("next"), text("news"), new Request.WebHook("news"))));

        assertThat(bench.state.signals()).isEmpty();
        assertThat(bench.activity(operation("next")).waker()).isEqualTo(new Waker.Hook("news", true));
        assertThat(bench.queue).hasSize(1);
    }

    @Test
    void signalOnItsWayToADroppedHookGoesBackWhenItComes() {
        bench.run(signal("news", "s1", DONE));
        advance(changes(new Begin(NEWS, text("news"), new Request.WebHook("news"))));
        advance(changes(returning(NEWS)));
        Delivery onItsWay = bench.queue.remove();

        bench.run(onItsWay);
        bench.run(onItsWay);

        assertThat(bench.state.signals()).singleElement().extracting(Message.Signal::topic).isEqualTo("news");
        assertThat(bench.activity(NEWS).waker()).isEqualTo(new Waker.None());
        assertThat(bench.semaphore()).isEqualTo(1);
    }

    @Test
    void signalThatIsDeliveredOnceMoreAfterItsHookWasDroppedGoesBackOnce() {
        bench.run(signal("news", "s1", DONE));
        advance(changes(new Begin(NEWS, text("news"), new Request.WebHook("news"))));
        advance(changes(returning(NEWS)));

        bench.run(signal("news", "s1", DONE));
        bench.run(bench.queue.remove());

        assertThat(bench.state.signals()).singleElement().extracting(Message.Signal::topic).isEqualTo("news");
    }

    @Test
    void signalThatAnOperationHasTakenIsNotKeptAgain() {
        bench.run(signal("cancel", "c1", DONE));
        advance(changes(new Do(operation("cancelled"), Payload.EMPTY, text("why"), new Request.Pass(false),
                signal("cancel", "c1", DONE).guid())));

        bench.run(signal("cancel", "c1", DONE));

        assertThat(bench.state.signals()).isEmpty();
    }

    @Test
    void signalTheFlowHeedsWakesItAndIsTakenByAnOperation() {
        bench.run(signal("cancel", "c1", DONE));
        assertThat(bench.activity(FLOW).waker()).isEqualTo(new Waker.Code(2, true));

        advance(changes(new Do(operation("cancelled"), Payload.EMPTY, text("why"), new Request.Pass(false),
                signal("cancel", "c1", DONE).guid())));

        assertThat(bench.state.signals()).isEmpty();
        assertThat(bench.ledger(operation("cancelled"))).isEqualTo("201100000000000");
        assertThat(bench.semaphore()).isEqualTo(1);
    }

    @Test
    void signalTheFlowHeedsIsKeptForCodeThatHasNotBegun() {
        Workbench fresh = new Workbench().activity("flow", new Request.Code()).heeding("cancel", FLOW);
        fresh.commit(Collation.inception(Workbench.startMessage(0, null), NOW));

        fresh.run(signal("cancel", "c1", DONE));

        assertThat(fresh.state.signals()).hasSize(1);
        fresh.start("flow");
        assertThat(fresh.activity(FLOW).waker()).isEqualTo(new Waker.Code(1, true));

        Workbench entered = new Workbench().activity("flow", new Request.Code()).heeding("cancel", FLOW)
                .activity("trigger", new Request.Pass(false), response -> new Next.Spawn(
                        List.of(new Next.Child("flow", ActivityType.WORKER, Payload.EMPTY, null))));
        entered.run(Workbench.startMessage(0, null));
        entered.run(signal("cancel", "c1", DONE));
        entered.drain();
        assertThat(entered.activity(FLOW).waker()).isEqualTo(new Waker.Code(1, true));

        Workbench none = new Workbench().heeding("cancel", FLOW);
        none.activity("wait", new Request.WebHook("x"));
        none.start("wait");
        none.run(signal("cancel", "c1", DONE));
        assertThat(none.state.signals()).hasSize(1);
    }

    @Test
    void operationThatIsOverAtOnceSendsWhatItSends() {
        advance(changes(
                new Do(operation("tell"), Payload.EMPTY, Payload.EMPTY,
                        new Request.SignalOne(other("w2"), "topic", text("x")), null),
                new Do(operation("stop"), Payload.EMPTY, Payload.EMPTY,
                        new Request.InterruptAnother(other("w3"), Ending.interrupted("stop", false)), null),
                new Do(operation("all"), Payload.EMPTY, Payload.EMPTY, new Request.SignalAll("t", text("x")), null),
                new Do(operation("book"), Payload.EMPTY, Payload.EMPTY, new Request.Transacted(), null),
                new Do(operation("self"), Payload.EMPTY, Payload.EMPTY,
                        new Request.InterruptSelf(Ending.interrupted("stop", false)), null)));

        assertThat(bench.posted).extracting(post -> post.message().workflow().workflowId())
                .containsExactly("w2", "w3");
        assertThat(bench.semaphore()).isEqualTo(1);
    }

    @Test
    void codeThatCannotGoOnIsHeldUntilItAdvances() {
        advance(new Advance(KEY, FLOW, List.of(), null, "the code has changed", null));

        assertThat(bench.state.started().status()).isEqualTo(WorkflowStatus.PARKED);
        assertThat(bench.state.started().reason()).isEqualTo("the code has changed");

        advance(new Advance(KEY, FLOW, List.of(begin(SHIP)), null, "the code has changed", null));

        assertThat(bench.state.started().status()).isEqualTo(WorkflowStatus.PARKED);

        advance(changes(begin(PAY)));

        assertThat(bench.state.started().status()).isEqualTo(WorkflowStatus.RUNNING);
        assertThat(bench.state.started().reason()).isNull();
    }

    @Test
    void severalOperationsEndTogether() {
        advance(changes(begin(PAY), begin(SHIP)));
        assertThat(bench.semaphore()).isEqualTo(3);

        advance(changes(finish(PAY), new Finish(SHIP, 1, new Response.Failure(text("lost")))));

        assertThat(bench.semaphore()).isEqualTo(1);
        assertThat(bench.activity(SHIP).output()).isEqualTo(text("lost"));
    }

    @Test
    void waitForTheClockIsDroppedLikeOneForASignal() {
        advance(changes(new Begin(NAP, Payload.EMPTY, new Request.Sleep(NOW)),
                new Begin(NEWS, Payload.EMPTY, new Request.WebHook("news"))));

        advance(changes(new Drop(NAP, true), new Drop(NEWS, true)));

        assertThat(bench.semaphore()).isEqualTo(1);
    }

    @Test
    void answerOfAnOperationMayReachAThreshold() {
        Workbench early = new Workbench().activity("flow", new Request.Code())
                .activity("nap", new Request.Sleep(NOW), response -> new Next.Tell(FLOW));
        early.start(2, null, "flow");
        early.drain();
        Advance naps = changes(new Begin(NAP, Payload.EMPTY, new Request.Sleep(NOW)), begin(PAY));
        early.commit(((Advanced.Through) Collation.advance(early.state, naps, early, NOW)).bundle());

        early.run(Message.Respond.wake(KEY, NAP, NOW));

        assertThat(early.state.started().status()).isEqualTo(WorkflowStatus.COMPLETED);
    }

    /** So the event need not name it again beside what it has done. */
    @Test
    void eventBearsTheMessageOfTheFirstOperation() {
        assertThat(advancedBy(begin(PAY), begin(SHIP))).isEqualTo(Guid.ofStart(KEY).toChild(PAY));
        assertThat(advancedBy(finish(PAY), begin(NAP))).isEqualTo(Guid.ofAnswer(KEY, PAY, 1, 0));
        assertThat(advancedBy(new Do(NEWS, Payload.EMPTY, Payload.EMPTY, new Request.Pass(false), null),
                finish(SHIP))).isEqualTo(Guid.ofStart(KEY).toChild(NEWS));
        assertThat(advancedBy(new Retry(NAP, 2, "here", null))).isEqualTo(Guid.ofAnswer(KEY, FLOW, 1, 0));
    }

    private Guid advancedBy(Change... changes) {
        Bundle bundle = ((Advanced.Through) advance(changes(changes))).bundle();
        return Objects.requireNonNull(bundle.seal()).occasion().guid();
    }

    @Test
    void answerOfAnOperationTellsCodeOnly() {
        bench.activity("odd", new Request.Sleep(NOW), response -> new Next.Tell(PAY));
        advance(changes(begin(PAY), new Begin(operation("odd"), Payload.EMPTY, new Request.Sleep(NOW))));

        assertThatThrownBy(() -> bench.run(Message.Respond.wake(KEY, operation("odd"), NOW)))
                .isInstanceOf(DefinitionFault.class).hasMessageContaining("not the code of a flow");
    }

    @Test
    void answerFromOutsideIsNoAnswerToALocalOperation() {
        advance(changes(begin(PAY)));

        assertThat(bench.run(bench.answer(PAY, 1, DONE)).entry()).isInstanceOf(Entry.Forbidden.class);
    }

    @Test
    void endedWorkflowIsNotHeld() {
        assertThatThrownBy(() -> new Write.Hold(WorkflowStatus.COMPLETED, null))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
