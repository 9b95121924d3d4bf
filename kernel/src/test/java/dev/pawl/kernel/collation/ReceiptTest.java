package dev.pawl.kernel.collation;

import static dev.pawl.kernel.collation.Workbench.DONE;
import static dev.pawl.kernel.collation.Workbench.KEY;
import static dev.pawl.kernel.collation.Workbench.NOW;
import static dev.pawl.kernel.collation.Workbench.at;
import static dev.pawl.kernel.collation.Workbench.other;
import static dev.pawl.kernel.collation.Workbench.task;
import static dev.pawl.kernel.collation.Workbench.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.Recipient;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Ending;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.message.Sender;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.kernel.workflow.Waker;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The sender of a signal hears what has become of it: in the commit that accepts or refuses it, and once. */
class ReceiptTest {

    private static final ActivityKey TELL = at("tell", ",0,0");
    private static final ActivityKey FLOW = at("flow", ",0,0");
    private static final ActivityKey HOOK = at("hook", ",0,0");
    private static final Sender SENDER = new Sender(other("sender"), TELL,
            Guid.ofAnswer(other("sender").workflow(), TELL, 1, 0));

    private final Workbench bench = new Workbench().activity("after", task())
            .activity("hook", new Request.WebHook("news"), "after")
            .activity("flow", new Request.Code());

    private static Message.Signal signal(String id) {
        return new Message.Signal(KEY, Guid.ofRequest(KEY, "news", id), "news", DONE, SENDER);
    }

    private static Write.Post accepted() {
        return new Write.Post("shop", SENDER.accepted());
    }

    private static Write.Post refused(String code) {
        return new Write.Post("shop", SENDER.refused(code));
    }

    // The sender.

    private Message.Signal told() {
        bench.activity("tell", new Request.SignalAwaitingReceipt(other("target"), "news", text("it rains")), "after")
                .start("tell");
        bench.runNext();
        return (Message.Signal) bench.posted.getFirst().message();
    }

    @Test
    void signalGoesOutInTheCommitThatBeginsToWait() {
        Message.Signal sent = told();

        assertThat(bench.posted).hasSize(1);
        assertThat(sent.workflow()).isEqualTo(other("target").workflow());
        assertThat(sent.topic()).isEqualTo("news");
        assertThat(sent.response()).isEqualTo(new Response.Final(text("it rains")));
        assertThat(sent.sender())
                .isEqualTo(new Sender(new Recipient("shop", KEY), TELL, Guid.ofAnswer(KEY, TELL, 1, 0)));
        assertThat(bench.activity(TELL).waker()).isEqualTo(new Waker.Receipt());
        assertThat(bench.activity(TELL).waker().text()).isEqualTo("receipt");
        assertThat(bench.activity(TELL).child()).as("an end that descends must not reach it").isNull();
        assertThat(bench.ledger(TELL)).isEqualTo("001100000000000");
    }

    @Test
    void firstReceiptCountsAndAnyOtherIsADuplicate() {
        Sender sender = told().sender();

        assertThat(bench.run(sender.accepted()).entry()).isEqualTo(new Entry.Fresh(TELL, 1));
        assertThat(bench.ledger(TELL)).isEqualTo("201100000000001");
        assertThat(bench.activity(TELL).output()).isEqualTo(Payload.EMPTY);
        assertThat(bench.run(sender.refused(Sender.CLOSED)).entry()).isEqualTo(new Entry.Duplicate());
        assertThat(bench.activity(TELL).output()).isEqualTo(Payload.EMPTY);
    }

    @Test
    void refusalIsAFailureThatSaysWhy() {
        assertThat(told().sender().refused(Sender.NOT_FOUND).response())
                .isEqualTo(new Response.Failure(text("\"NotFound\"")));
    }

    /** The run that has sent the signal is over: the next one has not asked for a receipt. */
    @Test
    void receiptForARunThatHasContinuedAsNewIsNotForwarded() {
        Sender sender = told().sender();
        close(Ending.continued("order-1~2", text("rest"), List.of()));

        assertThat(bench.run(sender.accepted()).entry()).isInstanceOf(Entry.Inactive.class);

        assertThat(bench.posted).isEmpty();
    }

    // The target.

    @Test
    void hookThatWaitsAcceptsItOnce() {
        bench.start("hook");
        bench.runNext();

        bench.run(signal("s1"));
        bench.run(signal("s1"));

        assertThat(bench.posted).containsExactly(accepted());
        assertThat(bench.ledger(HOOK)).isEqualTo("201100000000001");
    }

    @Test
    void keptSignalIsAcceptedOnceAndKeptWithoutItsSender() {
        bench.start("flow");

        bench.run(signal("s1"));
        bench.run(signal("s1"));

        assertThat(bench.posted).containsExactly(accepted());
        assertThat(bench.state.signals()).containsExactly(
                new Message.Signal(KEY, signal("s1").guid(), "news", DONE));
    }

    @Test
    void signalToNobodyIsRefusedInTheInboxAlone() {
        Delivery delivery = Delivery.inbox(7, signal("s1"));

        Transition transition = Collation.transition(Snapshot.ABSENT, delivery, bench, NOW);

        assertThat(transition.bundle().inboxOnly()).isTrue();
        assertThat(transition.bundle().writes()).containsExactly(refused(Sender.NOT_FOUND),
                new Write.Acknowledge(delivery.place()));
    }

    private void close(Ending ending) {
        bench.run(new Message.Interrupt(KEY, Guid.derive("test", "stop"), ending));
        bench.posted.clear();
    }

    @Test
    void signalToAClosedWorkflowIsRefused() {
        bench.start("flow");
        close(Ending.interrupted("stop", false));

        bench.run(Delivery.inbox(7, signal("s1")));

        assertThat(bench.posted).containsExactly(refused(Sender.CLOSED));
    }

    @Test
    void signalThatWasAcceptedBeforeTheEndIsNotRefusedAfterIt() {
        bench.start("flow", "hook");
        bench.runNext();
        Bundle entry = Collation.transition(bench.state, Delivery.inbox(7, signal("s1")), bench, NOW).bundle().apart()
                .getFirst();
        bench.commit(entry);
        bench.run(signal("s2"));
        assertThat(bench.posted).containsExactly(accepted(), accepted());
        close(Ending.interrupted("stop", false));

        assertThat(bench.run(signal("s1")).entry()).isInstanceOf(Entry.Inactive.class);
        assertThat(bench.run(signal("s2")).entry()).isInstanceOf(Entry.Inactive.class);

        assertThat(bench.posted).isEmpty();
    }

    @Test
    void nextRunAnswersForTheOneThatHasContinuedAsNew() {
        bench.start("flow");
        close(Ending.continued("order-1~2", text("rest"), List.of()));

        bench.run(Delivery.inbox(7, signal("s1")));

        Message.Signal forwarded = (Message.Signal) bench.posted.getFirst().message();
        assertThat(bench.posted).hasSize(1);
        assertThat(forwarded.workflow().workflowId()).isEqualTo("order-1~2");
        assertThat(forwarded.sender()).isEqualTo(SENDER);
    }

    /** Its hook has used it: the next run must not get it again. */
    @Test
    void signalThatWasUsedBeforeTheWorkflowContinuedIsNotForwarded() {
        bench.start("flow", "hook");
        bench.runNext();
        bench.run(signal("s1"));
        close(Ending.continued("order-1~2", text("rest"), List.of()));

        assertThat(bench.run(signal("s1")).entry()).isEqualTo(new Entry.Duplicate());

        assertThat(bench.posted).isEmpty();
    }

    @Test
    void senderHearsOfASignalThatIsGivenUp() {
        bench.start("flow");
        Delivery worn = new Delivery(new Delivery.Place.Inbox(7), signal("s1"), Delivery.MARKS_MAX);

        assertThat(Collation.redeliver(bench.state, worn, NOW).bundle().writes())
                .startsWith(refused(Sender.GIVEN_UP)).last().isInstanceOf(Write.GiveUp.class);
    }

    @Test
    void senderHearsOfASignalThatLiesInTheWrongShard() {
        Delivery delivery = Delivery.inbox(7, signal("s1"));

        assertThat(Collation.misdirected(delivery).writes()).containsExactly(refused(Sender.NOT_FOUND),
                new Write.Acknowledge(delivery.place()));
    }

    @Test
    void signalWithoutASenderNeedsNoReceipt() {
        bench.start("flow");
        bench.run(Workbench.signal("news", "s1", DONE));

        assertThat(bench.posted).isEmpty();
        assertThat(bench.activity(FLOW).waker()).isInstanceOf(Waker.Code.class);
    }
}
