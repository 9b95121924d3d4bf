package dev.pawl.kernel.collation;

import static dev.pawl.kernel.collation.Workbench.DONE;
import static dev.pawl.kernel.collation.Workbench.KEY;
import static dev.pawl.kernel.collation.Workbench.NOW;
import static dev.pawl.kernel.collation.Workbench.at;
import static dev.pawl.kernel.collation.Workbench.task;
import static dev.pawl.kernel.collation.Workbench.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Overlay;
import dev.pawl.kernel.bundle.Step;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Ending;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.Waker;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Collation.md 18.2 to 18.4 and 20.2: category A, and with it the three steps. */
class WorkerTest {

    private static final ActivityKey PAY = at("pay", ",0,0");
    private static final ActivityKey LAST = at("p5", ",0,0");

    private final Workbench bench = new Workbench().activity("pay", task(), "ship").activity("ship", task());

    private final Message.Respond answer = bench.answer(PAY, 1, DONE);

    @Test
    void legOneHandsOutTheTaskAndWaits() {
        bench.start("pay");
        Transition legOne = bench.runNext();

        assertThat(bench.ledger(PAY)).isEqualTo("001100000000000");
        assertThat(bench.activity(PAY).waker())
                .isEqualTo(new Waker.Task("queue", Payload.EMPTY, 1, NOW.plusSeconds(300)));
        assertThat(bench.semaphore()).isEqualTo(1);
        assertThat(legOne.bundle().parts()).extracting(Bundle.Part::step).containsExactly(Step.WORK, Step.ACK);
    }

    @Test
    void ledgersAfterEachStepOfAResponseThatGoesOn() {
        bench.start("pay");
        bench.runNext();

        assertThat(drawn(bench, answer, PAY)).containsExactly(
                "001100000000001 000000000000001",
                "001100000000001 000010000000001",
                "201100000000001 000011000000001",
                "201100000000001 000011000000001");
    }

    @Test
    void ledgersAfterEachStepOfAResponseThatClosesTheWorkflow() {
        Workbench last = new Workbench().activity("pay", task());
        last.start("pay");
        last.runNext();

        assertThat(drawn(last, answer, PAY)).containsExactly(
                "001100000000001 000000000000001",
                "001100000000001 000010000000001",
                "001100000000001 000111000000001",
                "201100000000001 000111100000001",
                "201100000000001 000111100000001");
        assertThat(last.state.started().status()).isEqualTo(WorkflowStatus.COMPLETED);
    }

    /** Both ledgers after each step, as they would be with a commit for every step. */
    private static List<String> drawn(Workbench bench, Message message, ActivityKey activity) {
        Overlay state = new Overlay(bench.state);
        List<String> drawn = new ArrayList<>();
        for (Bundle step : Collation.transition(bench.state, Delivery.inbox(1, message), bench, NOW).bundle().apart()) {
            state.apply(step);
            drawn.add(state.existing(activity).ledger() + " " + state.known(message.guid()).ledger());
        }
        bench.run(message);
        return drawn;
    }

    @Test
    void twoChildrenMoveASemaphoreOfFiveToSix() {
        Workbench five = fiveWorkers("a", "b").activity("a", task()).activity("b", task());
        five.start("p1", "p2", "p3", "p4", "p5");
        five.drain();
        assertThat(five.semaphore()).isEqualTo(5);

        Transition transition = five.run(five.answer(LAST, 1, DONE));

        assertThat(five.semaphore()).isEqualTo(6);
        assertThat(five.ledger(five.answer(LAST, 1, DONE))).isEqualTo("000011000000001");
        assertThat(transition.bundle().writes().stream().filter(Write.MoveSemaphore.class::isInstance)).containsExactly(
                new Write.MoveSemaphore(five.answer(LAST, 1, DONE).guid(), 1, 100_000_000_000L, false));
    }

    @Test
    void noChildrenMoveASemaphoreOfOneToZeroAndTheMessageIsTheCloser() {
        Workbench one = new Workbench().activity("pay", task());
        one.start("pay");
        one.runNext();

        Transition transition = one.run(answer);

        assertThat(one.semaphore()).isZero();
        assertThat(one.state.started().gate().closedBy(answer.guid())).isTrue();
        assertThat(transition.bundle().writes().stream().filter(Write.MoveSemaphore.class::isInstance))
                .containsExactly(new Write.MoveSemaphore(answer.guid(), -1, 100_000_000_000L, true));
    }

    private static Workbench fiveWorkers(String... children) {
        return new Workbench().activity("p1", task()).activity("p2", task()).activity("p3", task())
                .activity("p4", task()).activity("p5", task(), children);
    }

    @Test
    void theOutputIsKeptWithTheActivityAndItsWakerIsGone() {
        bench.start("pay");
        bench.runNext();
        bench.run(answer);

        assertThat(bench.activity(PAY).output()).isEqualTo(text("done"));
        assertThat(bench.activity(PAY).waker()).isEqualTo(new Waker.None());
    }

    @Test
    void theSameAnswerAgainIsADuplicate() {
        bench.start("pay");
        bench.runNext();
        bench.run(answer);
        bench.queue.clear();

        assertThat(bench.run(answer).entry()).isEqualTo(new Entry.Duplicate());
        assertThat(bench.queue).isEmpty();
        assertThat(bench.ledger(PAY)).isEqualTo("201100000000001");
    }

    @Test
    void anotherAnswerAfterTheFinalOneIsNeverApplied() {
        bench.start("pay");
        bench.runNext();
        bench.run(answer);

        assertThat(bench.run(bench.answer(PAY, 2, new Response.Final(text("other")))).entry())
                .isEqualTo(new Entry.Inactive("the activity has had its last response"));
        assertThat(bench.activity(PAY).output()).isEqualTo(text("done"));
    }

    @Test
    void pendingResponsesKeepTheObligationAndRunInPlanesOfTheirOwn() {
        bench.start("pay");
        bench.runNext();
        bench.run(Message.Respond.pending(KEY, PAY, 1, 1, text("more")));
        bench.run(Message.Respond.pending(KEY, PAY, 1, 2, text("more")));

        assertThat(bench.semaphore()).isEqualTo(3);
        assertThat(bench.ledger(PAY)).isEqualTo("001100000000002");
        assertThat(bench.activity(PAY).waker()).isInstanceOf(Waker.Task.class);
        assertThat(bench.activity(at("pay", ",0,1")).output()).isEqualTo(text("more"));
        assertThat(bench.ledger(at("pay", ",0,1"))).isEqualTo("000000000000000");
        assertThat(bench.ledger(at("ship", ",0,0,0"))).isEqualTo("001000000000000");
        assertThat(bench.ledger(at("ship", ",0,1,0"))).isEqualTo("001000000000000");

        bench.run(answer);
        assertThat(bench.semaphore()).isEqualTo(3);
        assertThat(bench.ledger(PAY)).isEqualTo("201100000000003");
    }

    @Test
    void taskIsHandedOutAgainAsTheNextAttemptAndTheFirstOneMayStillAnswer() {
        bench.start("pay");
        bench.runNext();
        bench.commit(Collation.reattempt(bench.state, bench.activity(PAY), NOW.plusSeconds(600), NOW));

        assertThat(bench.activity(PAY).waker())
                .isEqualTo(new Waker.Task("queue", Payload.EMPTY, 2, NOW.plusSeconds(600)));
        assertThat(bench.ledger(PAY)).isEqualTo("001100000000000");
        bench.run(answer);
        assertThat(bench.run(bench.answer(PAY, 2, DONE)).entry()).isInstanceOf(Entry.Inactive.class);
        assertThatThrownBy(() -> Collation.reattempt(bench.state, bench.activity(PAY), NOW, NOW))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("pay@,0,0");
    }

    @Test
    void aFailureMayEndTheWholeWorkflow() {
        Workbench failing = new Workbench()
                .activity("pay", task(),
                        response -> new Next.Close(Ending.failed("card refused", response.payload())))
                .activity("ship", task());
        failing.start("pay", "ship");
        failing.drain();
        failing.run(failing.answer(PAY, 1, new Response.Failure(text("no funds"))));

        assertThat(failing.semaphore()).isZero();
        assertThat(failing.state.started().status()).isEqualTo(WorkflowStatus.FAILED);
        assertThat(failing.state.started().output()).isEqualTo(text("no funds"));
        assertThat(failing.state.started().reason()).isEqualTo("card refused");
        assertThat(failing.ledger(failing.answer(PAY, 1, DONE))).isEqualTo("000111100000001");
        assertThat(failing.run(failing.answer(at("ship", ",0,0"), 1, DONE)).entry())
                .isEqualTo(new Entry.Inactive("the workflow is closed"));
    }

    @Test
    void expectedVersionIsWhatTheTransitionWasComputedFrom() {
        assertThat(bench.start("pay").bundle().expectedVersion()).isZero();
        assertThat(bench.runNext().bundle().expectedVersion()).isEqualTo(1);
        assertThat(bench.state.started().version()).isEqualTo(2);
        assertThat(KEY).isEqualTo(bench.state.started().key());
    }
}
