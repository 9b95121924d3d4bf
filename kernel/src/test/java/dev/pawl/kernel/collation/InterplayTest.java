package dev.pawl.kernel.collation;

import static dev.pawl.kernel.collation.Workbench.DONE;
import static dev.pawl.kernel.collation.Workbench.KEY;
import static dev.pawl.kernel.collation.Workbench.MORE;
import static dev.pawl.kernel.collation.Workbench.NOW;
import static dev.pawl.kernel.collation.Workbench.at;
import static dev.pawl.kernel.collation.Workbench.other;
import static dev.pawl.kernel.collation.Workbench.signal;
import static dev.pawl.kernel.collation.Workbench.task;
import static dev.pawl.kernel.collation.Workbench.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Step;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.lifecycle.WorkflowEvent;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Ending;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Origin;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Waker;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two messages to one activity, two branches to one join, a message that lies nowhere: where obligations get lost. */
class InterplayTest {

    private static final ActivityKey HOOK = at("hook", ",0,0");
    private static final ActivityKey PAY = at("pay", ",0,0");

    private final Workbench bench = new Workbench().activity("after", task());

    @Test
    void childrenOfAPendingSignalAndTheNextKeptSignalHaveNumbersOfTheirOwn() {
        bench.activity("hook", new Request.WebHook("topic"), "after").start("hook");
        bench.run(signal("topic", "s1", MORE));
        bench.run(signal("topic", "s2", DONE));
        bench.runNext();
        Bundle pending = bench.runNext().bundle();

        assertThat(pending.writes().stream().filter(Write.Enqueue.class::isInstance)
                .map(write -> ((Write.Enqueue) write).number())).containsExactly(2L, 3L);
        assertThat(bench.state.started().messages()).isEqualTo(4);
    }

    @Test
    void branchThatOpenedAPlaneStillMeetsTheOthers() {
        bench.activity("join", task()).activity("a", task(), this::finallyJoining).activity("b", task(), this::joining)
                .start("a", "b");
        bench.drain();
        bench.run(Message.Respond.pending(KEY, at("a", ",0,0"), 1, 1, text("more")));
        bench.run(bench.answer(at("a", ",0,0"), 1, DONE));
        bench.run(bench.answer(at("b", ",0,0"), 1, DONE));

        assertThat(bench.ledger(at("join", ",0,0,0"))).isEqualTo("001000000000000");
    }

    private Next joining(Response response) {
        return new Next.Spawn(List.of(bench.child("join", new Next.Join(2, 1, 3))));
    }

    private Next finallyJoining(Response response) {
        return response.last() ? joining(response) : bench.spawn();
    }

    @Test
    void loopInsideABranchStillMeetsTheOtherBranch() {
        bench.activity("join", task())
                .activity("pivot", new Request.Pass(true), "work")
                .activity("work", task(), response -> response.payload().equals(text("again"))
                        ? bench.spawn("cycle")
                        : new Next.Spawn(List.of(bench.child("join", new Next.Join(2, 1, 4)))))
                .activity("cycle", new Request.Cycle("pivot", 2, text("round")))
                .activity("b", task(), response -> new Next.Spawn(
                        List.of(bench.child("join", new Next.Join(2, 1, 4)))))
                .start("pivot", "b");
        bench.drain();
        bench.run(bench.answer(at("work", ",0,0,0"), 1, new Response.Final(text("again"))));
        bench.drain();
        bench.run(bench.answer(at("work", ",0,1,0"), 1, DONE));
        bench.run(bench.answer(at("b", ",0,0"), 1, DONE));

        assertThat(bench.ledger(at("join", ",0,0,0,0"))).isEqualTo("001000000000000");
    }

    @Test
    void workflowWhoseJoinCanNeverOpenFailsInsteadOfLookingComplete() {
        bench.activity("join", task()).activity("a", task(), this::joining).activity("b", task()).start("a", "b");
        bench.drain();
        bench.run(bench.answer(at("a", ",0,0"), 1, DONE));
        bench.run(bench.answer(at("b", ",0,0"), 1, DONE));

        assertThat(bench.state.started().status()).isEqualTo(WorkflowStatus.FAILED);
        assertThat(bench.state.started().reason()).contains("join@,0,0,0");
    }

    @ParameterizedTest
    @CsvSource({"0, 3", "2, 3", "1, 2"})
    void branchesThatCannotMeetAreTheDefinitionsFault(int forkDepth, int depth) {
        bench.activity("join", task()).activity("a", task(),
                response -> new Next.Spawn(List.of(bench.child("join", new Next.Join(2, forkDepth + 1, depth)))))
                .activity("b", task(), response -> new Next.Spawn(
                        List.of(bench.child("join", new Next.Join(2, forkDepth, depth)))))
                .start("a", "b");
        bench.drain();

        assertThatThrownBy(() -> {
            bench.run(bench.answer(at("b", ",0,0"), 1, DONE));
            bench.run(bench.answer(at("a", ",0,0"), 1, DONE));
        }).isInstanceOf(DefinitionFault.class);
    }

    @ParameterizedTest
    @CsvSource({"0", "9"})
    void cycleToADepthThatDoesNotExistIsTheDefinitionsFault(int depth) {
        bench.activity("cycle", new Request.Cycle("pivot", depth, text("round"))).start("cycle");

        assertThatThrownBy(bench::runNext).isInstanceOf(DefinitionFault.class);
    }

    @Test
    void halfEnteredSignalReservesItsHook() {
        bench.activity("hook", new Request.WebHook("topic"), "after").start("hook");
        bench.runNext();
        Message.Signal first = signal("topic", "s1", DONE);
        bench.commit(Collation.transition(bench.state, Delivery.inbox(1, first), bench, NOW).bundle().apart()
                .getFirst());

        Message.Signal second = signal("topic", "s2", new Response.Final(text("second")));
        assertThat(bench.run(second).entry()).isEqualTo(new Entry.Keep(second));
        bench.run(first);
        assertThat(bench.activity(HOOK).output()).isEqualTo(text("done"));
    }

    @Test
    void lateFailureOfAnEarlierAttemptDoesNotEndTheOneUnderWay() {
        bench.activity("pay", task(), "after").start("pay");
        bench.runNext();
        bench.commit(
                Collation.reattempt(bench.state, bench.activity(PAY), NOW.plus(Duration.ofHours(1)), NOW));

        assertThat(bench.run(bench.answer(PAY, 1, new Response.Failure(text("late")))).entry())
                .isInstanceOf(Entry.Forbidden.class);
        assertThat(bench.run(bench.answer(PAY, 2, new Response.Failure(text("real")))).entry())
                .isEqualTo(new Entry.Fresh(PAY, 1));
    }

    @Test
    void answersThatAreNotTheLastNeedANumber() {
        assertThatThrownBy(() -> Message.Respond.answer(KEY, PAY, 1, MORE))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Message.Respond.pending(KEY, PAY, 1, 0, Payload.EMPTY))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void messageThatLiesNowhereIsLodgedWhenItDoesNotEndInOneCommit() {
        String[] names = new String[1001];
        for (int i = 0; i < names.length; i++) {
            names[i] = "child%04d".formatted(i);
            bench.activity(names[i], new Request.StartChild(other("c" + i), "d", "1", "t", Payload.EMPTY, true));
        }
        bench.start(names);
        bench.drain();
        Message.Interrupt end = new Message.Interrupt(KEY, Guid.derive("test", "end"), Ending.interrupted("x", true));

        Transition first = bench.run(Delivery.ofRow(end));

        assertThat(first.consumed()).isFalse();
        assertThat(first.again()).isEqualTo(Delivery.queued(1001, end));
        assertThat(bench.queue).containsExactly(Delivery.queued(1001, end));
        assertThat(bench.runNext().consumed()).isTrue();
        assertThat(bench.state.started().status()).isEqualTo(WorkflowStatus.INTERRUPTED);
    }

    @Test
    void messageThatLiesNowhereCanBeGivenAPlace() {
        bench.activity("pay", task()).start("pay");
        bench.runNext();

        bench.commit(Collation.lodge(bench.state, bench.answer(PAY, 1, DONE), NOW));

        assertThat(bench.queue).containsExactly(Delivery.queued(1, bench.answer(PAY, 1, DONE)));
    }

    @Test
    void messageInAnInboxItDoesNotBelongToIsTakenOutAndAParentIsTold() {
        Origin origin = new Origin(other("parent"), PAY, Guid.ofAnswer(other("parent").workflow(), PAY, 1, 0), true);
        Message.Start start = Workbench.startMessage(0, origin);

        Bundle bundle = Collation.misdirected(Delivery.inbox(7, start));

        assertThat(bundle.inboxOnly()).isTrue();
        assertThat(bundle.writes()).hasSize(2);
        assertThat(Collation.misdirected(Delivery.inbox(7, bench.answer(PAY, 1, DONE))).writes()).containsExactly(
                new Write.Acknowledge(new Delivery.Place.Inbox(7)));
    }

    @Test
    void bundleThatTouchesInboxesAloneMakesNoVersion() {
        bench.activity("pay", task()).start("pay");
        long version = bench.state.started().version();
        Delivery.Place inbox = new Delivery.Place.Inbox(1);
        Delivery.Place queue = new Delivery.Place.Queue(1);

        for (Write write : List.of(new Write.Acknowledge(inbox), new Write.Charge(inbox, 2),
                new Write.GiveUp(inbox, "x"))) {
            bench.commit(new Bundle(KEY, 0, List.of(Bundle.Part.of(Step.ACK, write)), null));
        }
        assertThat(bench.state.started().version()).isEqualTo(version);
        for (Write write : List.of(new Write.Acknowledge(queue), new Write.Charge(queue, 2),
                new Write.GiveUp(queue, "x"))) {
            bench.commit(new Bundle(KEY, 0, List.of(Bundle.Part.of(Step.ACK, write)), null));
        }
        assertThat(bench.state.started().version()).isEqualTo(version + 3);
    }

    @Test
    void interruptOfAnotherThatIsOneselfIsASelfInterrupt() {
        bench.activity("stop", new Request.InterruptAnother(other("order-1"), Ending.interrupted("me", false)), "after")
                .start("stop");
        bench.runNext();

        assertThat(bench.posted).isEmpty();
        assertThat(bench.queue).isEmpty();
        assertThat(bench.state.started().status()).isEqualTo(WorkflowStatus.INTERRUPTED);
    }

    @Test
    void secondStartCannotResumeTheFirstWithItsOwnInput() {
        bench.activity("pay", task());
        Message.Start first = Workbench.startMessage(0, null);
        bench.commit(Collation.inception(first, NOW));
        Message.Beginning other = new Message.Beginning("shop", "checkout", "1", "trigger", 0, text("other"), null);

        assertThat(bench.run(new Message.Start(KEY, other)).entry()).isEqualTo(new Entry.Taken());
        assertThat(bench.ledger(first)).isEqualTo("000010000000000");
    }

    @Test
    void workflowEndsByAnEndOnly() {
        assertThatThrownBy(() -> new Ending(WorkflowEvent.PAUSE, "x", 1, false, Payload.EMPTY))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("PAUSE");
    }

    @Test
    void timersAreKeptToTheMillisecondAndNeverEarly() {
        assertThat(new Waker.Timer(NOW.plusNanos(1)).dueAt()).isEqualTo(NOW.plusMillis(1));
        assertThat(new Waker.Timer(NOW).dueAt()).isEqualTo(NOW);
        assertThat(new Waker.Task("q", Payload.EMPTY, 1, NOW.plusNanos(1_000_001)).deadline())
                .isEqualTo(NOW.plusMillis(2));
    }

    @Test
    void lodgingNeedsAWakerOfATask() {
        bench.activity("hook", new Request.WebHook("topic")).start("hook");
        bench.runNext();
        ActivityRecord hook = bench.activity(HOOK);

        assertThatThrownBy(() -> Collation.reattempt(bench.state, hook, NOW, NOW))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
