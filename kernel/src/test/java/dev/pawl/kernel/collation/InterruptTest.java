package dev.pawl.kernel.collation;

import static dev.pawl.kernel.collation.Workbench.DONE;
import static dev.pawl.kernel.collation.Workbench.KEY;
import static dev.pawl.kernel.collation.Workbench.at;
import static dev.pawl.kernel.collation.Workbench.other;
import static dev.pawl.kernel.collation.Workbench.task;
import static dev.pawl.kernel.collation.Workbench.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Step;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Ending;
import dev.pawl.kernel.message.Message;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Collation.md 20.7 and DESIGN.md 3.3: every forced end is the same compound primitive, and has an owner. */
class InterruptTest {

    private static final ActivityKey STOP = at("stop", ",0,0");
    private static final Ending ENDING = Ending.interrupted("out of stock", true);
    private static final Message.Interrupt FROM_OUTSIDE = new Message.Interrupt(KEY, Guid.derive("test", "stop"),
            ENDING);

    private final Workbench bench = new Workbench().activity("pay", task()).activity("after", task());

    @Test
    void selfInterruptClosesTheWorkflowWhateverElseIsOpen() {
        bench.activity("stop", new Request.InterruptSelf(ENDING)).start("pay", "stop", "after");
        Message enter = bench.queue.stream().map(Delivery::message)
                .filter(message -> ((Message.Enter) message).target().equals(STOP)).findFirst().orElseThrow();
        bench.runNext();
        bench.runNext();

        assertThat(bench.semaphore()).isZero();
        assertThat(bench.state.started().gate().closedBy(enter.guid())).isTrue();
        assertThat(bench.state.started().status()).isEqualTo(WorkflowStatus.INTERRUPTED);
        assertThat(bench.state.started().reason()).isEqualTo("out of stock");
        assertThat(bench.ledger(STOP)).isEqualTo("201100000000000");
        assertThat(bench.ledger(enter)).isEqualTo("000111100000000");
    }

    @Test
    void whatWasOnItsWayIsRefusedAfterwards() {
        bench.activity("stop", new Request.InterruptSelf(ENDING)).start("stop", "pay");
        bench.runNext();

        assertThat(bench.runNext().entry()).isEqualTo(new Entry.Inactive("the workflow is closed"));
        assertThat(bench.run(bench.answer(at("pay", ",0,0"), 1, DONE)).entry())
                .isEqualTo(new Entry.Inactive("the workflow is closed"));
    }

    @Test
    void interruptOfAnotherIsADurableMessageInTheCommitOfTheDigit() {
        bench.activity("stop", new Request.InterruptAnother(other("victim"), ENDING), "after").start("stop");
        Message enter = bench.queue.getFirst().message();
        Bundle bundle = bench.runNext().bundle();

        Write expected = new Write.Post("shop", new Message.Interrupt(other("victim").workflow(),
                enter.guid().interruptOf(other("victim").workflow()), ENDING));
        assertThat(bundle.parts().get(1).step()).isEqualTo(Step.WORK);
        assertThat(bundle.parts().get(1).writes()).contains(expected);
        assertThat(bench.ledger(STOP)).isEqualTo("201100000000000");
        assertThat(bench.ledger(enter)).isEqualTo("000011000000000");
        assertThat(bench.semaphore()).isEqualTo(1);
    }

    @Test
    void interruptFromOutsideIsTakenByTheTriggersRow() {
        bench.start("pay", "after");
        assertThat(bench.run(FROM_OUTSIDE).entry()).isEqualTo(new Entry.Fresh(at("trigger", ",0"), 2));

        assertThat(bench.ledger(at("trigger", ",0"))).isEqualTo("101100000000002");
        assertThat(bench.ledger(FROM_OUTSIDE)).isEqualTo("000111100000002");
        assertThat(bench.semaphore()).isZero();
        assertThat(bench.state.started().gate().closedBy(FROM_OUTSIDE.guid())).isTrue();
    }

    @Test
    void aSecondInterruptOfAClosedWorkflowIsRefused() {
        bench.start("pay");
        bench.run(FROM_OUTSIDE);

        assertThat(bench.run(new Message.Interrupt(KEY, Guid.derive("test", "later"), ENDING)).entry())
                .isEqualTo(new Entry.Inactive("the workflow is closed"));
        assertThat(bench.run(FROM_OUTSIDE).entry()).isEqualTo(new Entry.Duplicate());
    }

    @Test
    void endDescendsToTheWorkflowsThisOneStarted() {
        childrenAreStarted(2);
        bench.run(FROM_OUTSIDE);

        assertThat(bench.posted.subList(2, 4)).extracting(Write.Post::message).containsExactly(
                new Message.Interrupt(other("c0").workflow(), FROM_OUTSIDE.guid().interruptOf(other("c0").workflow()),
                        ENDING),
                new Message.Interrupt(other("c1").workflow(), FROM_OUTSIDE.guid().interruptOf(other("c1").workflow()),
                        ENDING));
    }

    @Test
    void endThatDoesNotDescendLeavesThemAlone() {
        childrenAreStarted(2);
        bench.run(new Message.Interrupt(KEY, FROM_OUTSIDE.guid(), Ending.interrupted("enough", false)));

        assertThat(bench.posted).hasSize(2);
    }

    @Test
    void endDescendsToManyInChunks() {
        childrenAreStarted(2500);
        bench.posted.clear();
        Delivery delivery = Delivery.inbox(7, FROM_OUTSIDE);

        assertThat(bench.run(delivery).consumed()).isFalse();
        assertThat(bench.state.started().status()).isEqualTo(WorkflowStatus.RUNNING);
        assertThat(bench.ledger(FROM_OUTSIDE)).isEqualTo("000111000000002");
        assertThat(bench.run(delivery).consumed()).isFalse();
        assertThat(bench.run(delivery).consumed()).isTrue();

        Set<Guid> guids = new HashSet<>();
        bench.posted.forEach(post -> guids.add(post.message().guid()));
        assertThat(guids).hasSize(2500);
        assertThat(bench.posted).hasSize(2500);
        assertThat(bench.state.started().status()).isEqualTo(WorkflowStatus.INTERRUPTED);
        assertThat(bench.ledger(FROM_OUTSIDE)).isEqualTo("000111100000002");
    }

    private void childrenAreStarted(int count) {
        String[] names = new String[count];
        for (int i = 0; i < count; i++) {
            names[i] = "child%04d".formatted(i);
            bench.activity(names[i],
                    new Request.StartChild(other("c" + i), "delivery", "1", "begin", text("parcel"), true));
        }
        bench.start(names);
        bench.drain();
    }
}
