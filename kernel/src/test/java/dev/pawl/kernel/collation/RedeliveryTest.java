package dev.pawl.kernel.collation;

import static dev.pawl.kernel.collation.Workbench.DONE;
import static dev.pawl.kernel.collation.Workbench.at;
import static dev.pawl.kernel.collation.Workbench.task;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Overlay;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Delivery.Place;
import dev.pawl.kernel.workflow.Snapshot;
import org.junit.jupiter.api.Test;

/** DESIGN.md 3.6: after an unclean takeover each message is charged before its work, and given up at the ceiling. */
class RedeliveryTest {

    private static final ActivityKey PAY = at("pay", ",0,0");

    private final Workbench bench = new Workbench().activity("pay", task());

    @Test
    void legOneMessageIsChargedToItsActivityAndToItself() {
        bench.start("pay");

        Delivery again = redeliver(bench.queue.getFirst());

        assertThat(bench.ledger(PAY)).isEqualTo("002000000000000");
        assertThat(again.marks()).isEqualTo(2);
        bench.run(again);
        assertThat(bench.ledger(PAY)).isEqualTo("002100000000000");
    }

    @Test
    void replayedLegOneMessageCountsAnEntryAndIsStale() {
        bench.start("pay");
        Delivery enter = bench.queue.getFirst();
        bench.run(enter);
        assertThat(bench.ledger(PAY)).isEqualTo("001100000000000");

        Delivery again = redeliver(enter);

        assertThat(bench.ledger(PAY)).isEqualTo("002100000000000");
        assertThat(bench.run(again).entry()).isEqualTo(new Entry.Stale());
    }

    @Test
    void legTwoMessageNeverAdvancesTheCounterOfItsActivity() {
        bench.start("pay");
        bench.runNext();
        Delivery answer = Delivery.inbox(1, bench.answer(PAY, 1, DONE));

        Delivery again = redeliver(redeliver(answer));

        assertThat(bench.ledger(PAY)).isEqualTo("001100000000000");
        assertThat(again).isEqualTo(new Delivery(new Place.Inbox(1), answer.message(), 3));
        bench.run(again);
        assertThat(bench.ledger(PAY)).isEqualTo("201100000000001");
    }

    @Test
    void startThatIsRedeliveredBeforeItsWorkflowExistsIsChargedInTheInbox() {
        Delivery start = Delivery.inbox(1, Workbench.startMessage(0, null));

        Redelivery redelivery = Collation.redeliver(Snapshot.ABSENT, start, Workbench.NOW);

        assertThat(redelivery.bundle().writes()).containsExactly(new Write.Charge(new Place.Inbox(1), 2));
        assertThat(redelivery.bundle().expectedVersion()).isZero();
        assertThat(new Overlay(Snapshot.ABSENT).apply(redelivery.bundle()).workflow()).isNull();
    }

    @Test
    void legOneMessageIsGivenUpAfter99Entries() {
        bench.start("pay");
        Delivery delivery = bench.queue.getFirst();
        for (int entry = 2; entry <= 99; entry++) {
            delivery = redeliver(delivery);
        }
        assertThat(bench.ledger(PAY)).isEqualTo("099000000000000");

        Redelivery last = Collation.redeliver(bench.state, delivery, Workbench.NOW);

        assertThat(last).isInstanceOfSatisfying(Redelivery.GivenUp.class,
                givenUp -> assertThat(givenUp.overflow()).isEqualTo(new Entry.Overflow(Leg.ONE)));
        assertThat(last.bundle().writes()).singleElement().isInstanceOf(Write.GiveUp.class);
    }

    @Test
    void fullLegOneCounterGivesUpAMessageWhateverItsOwnMarks() {
        bench.start("pay");
        Delivery delivery = bench.queue.getFirst();
        for (int entry = 2; entry <= 99; entry++) {
            redeliver(delivery);
        }

        assertThat(Collation.redeliver(bench.state, delivery, Workbench.NOW)).isInstanceOf(Redelivery.GivenUp.class);
    }

    @Test
    void legTwoMessageIsGivenUpAfter99Entries() {
        bench.start("pay");
        bench.runNext();
        Delivery worn = new Delivery(new Place.Inbox(1), bench.answer(PAY, 1, DONE), 99);

        assertThat(Collation.redeliver(bench.state, worn, Workbench.NOW)).isInstanceOfSatisfying(
                Redelivery.GivenUp.class,
                givenUp -> assertThat(givenUp.overflow()).isEqualTo(new Entry.Overflow(Leg.TWO)));
    }

    @Test
    void chargeIsACommitOfItsOwn() {
        bench.start("pay");
        Bundle charge = Collation.redeliver(bench.state, bench.queue.getFirst(), Workbench.NOW).bundle();

        assertThat(charge.expectedVersion()).isEqualTo(1);
        assertThat(charge.writes()).hasSize(2);
    }

    private Delivery redeliver(Delivery delivery) {
        Redelivery.Charged charged = (Redelivery.Charged) Collation.redeliver(bench.state, delivery, Workbench.NOW);
        bench.commit(charged.bundle());
        return charged.delivery();
    }
}
