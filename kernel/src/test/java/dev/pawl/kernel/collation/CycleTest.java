package dev.pawl.kernel.collation;

import static dev.pawl.kernel.collation.Workbench.DONE;
import static dev.pawl.kernel.collation.Workbench.at;
import static dev.pawl.kernel.collation.Workbench.task;
import static dev.pawl.kernel.collation.Workbench.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.lifecycle.ActivityStatus;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.message.Message;
import org.junit.jupiter.api.Test;

/** Collation.md 15, 20.4 (cycle re-entry), 20.6 and 21: the same activities again, in planes of their own. */
class CycleTest {

    private static final ActivityKey PIVOT = at("pivot", ",0,0");

    private final Workbench bench = new Workbench()
            .activity("pivot", new Request.Pass(true), "work")
            .activity("work", task(), "again")
            .activity("again", new Request.Cycle("pivot", 2, text("round")));

    @Test
    void cycleIsCompleteAndPreSeededAfterLegOne() {
        firstRound();

        assertThat(bench.ledger(at("again", ",0,0,0,0"))).isEqualTo("001100000000001");
        assertThat(bench.activity(at("again", ",0,0,0,0")).status()).isEqualTo(ActivityStatus.PASSED);
    }

    @Test
    void cycleDoesNotMoveTheSemaphore() {
        firstRound();

        assertThat(bench.semaphore()).isEqualTo(1);
    }

    @Test
    void pivotStaysOpenForCycles() {
        bench.start("pivot");
        bench.runNext();

        assertThat(bench.ledger(PIVOT)).isEqualTo("001100000000001");
        assertThat(bench.activity(PIVOT).status()).isEqualTo(ActivityStatus.PASSED);
    }

    @Test
    void firstRoundBackRunsInPlaneOneWithItsOwnStateAndChildren() {
        firstRound();
        Message.Reenter reenter = (Message.Reenter) bench.queue.getFirst().message();
        assertThat(reenter.target()).isEqualTo(PIVOT);
        bench.runNext();

        assertThat(bench.ledger(PIVOT)).isEqualTo("001100000000002");
        assertThat(bench.ledger(reenter)).isEqualTo("000011000000002");
        assertThat(bench.activity(at("pivot", ",0,1")).input()).isEqualTo(text("round"));
        assertThat(bench.activity(PIVOT).input()).isEqualTo(text("for pivot"));
        assertThat(bench.ledger(at("work", ",0,1,0"))).isEqualTo("001000000000000");
        assertThat(bench.semaphore()).isEqualTo(1);
    }

    @Test
    void eachRoundHasAPlaneOfItsOwn() {
        bench.start("pivot");
        for (int round = 0; round < 4; round++) {
            bench.drain();
            bench.run(bench.answer(at("work", "," + 0 + "," + round + ",0"), 1, DONE));
        }
        bench.drain();

        assertThat(bench.ledger(PIVOT)).isEqualTo("001100000000005");
        assertThat(bench.activity(at("work", ",0,4,0")).status()).isEqualTo(ActivityStatus.WAITING);
        assertThat(bench.semaphore()).isEqualTo(1);
    }

    @Test
    void innerCycleCountsAtThePivotOfItsOwnOuterPlane() {
        Workbench nested = new Workbench()
                .activity("pivot", new Request.Pass(true), "inner")
                .activity("inner", new Request.Pass(true), "work")
                .activity("work", task(), "once", "again")
                .activity("once", new Request.Cycle("inner", 3, text("inner")))
                .activity("again", new Request.Cycle("pivot", 2, text("outer")));
        nested.start("pivot");
        nested.drain();
        nested.run(nested.answer(at("work", ",0,0,0,0"), 1, DONE));
        nested.drain();
        nested.run(nested.answer(at("work", ",0,1,0,0"), 1, DONE));
        nested.drain();

        assertThat(nested.ledger(at("inner", ",0,0,0"))).isEqualTo("001100000000002");
        assertThat(nested.ledger(at("inner", ",0,1,0"))).isEqualTo("001100000000002");
        assertThat(nested.activity(at("work", ",0,0,1,0")).status()).isEqualTo(ActivityStatus.WAITING);
        assertThat(nested.activity(at("work", ",0,1,1,0")).status()).isEqualTo(ActivityStatus.WAITING);
    }

    @Test
    void pivotThatClosesTheWorkflowIsNotFinalized() {
        Workbench lone = new Workbench().activity("pivot", new Request.Pass(true));
        lone.start("pivot");
        lone.runNext();

        assertThat(lone.state.started().status()).isEqualTo(WorkflowStatus.COMPLETED);
        assertThat(lone.ledger(PIVOT)).isEqualTo("001100000000001");
    }

    @Test
    void sameRoundAgainIsADuplicateAndCountsNothing() {
        firstRound();
        Message reenter = bench.queue.remove().message();
        bench.run(reenter);

        assertThat(bench.run(reenter).entry()).isEqualTo(new Entry.Duplicate());
        assertThat(bench.ledger(PIVOT)).isEqualTo("001100000000002");
    }

    @Test
    void cycleToAnActivityThatIsNotOpenForCyclesIsRefused() {
        Workbench wrong = new Workbench()
                .activity("work", task(), "again")
                .activity("again", new Request.Cycle("work", 2, text("round")));
        wrong.start("work");
        wrong.runNext();
        wrong.run(wrong.answer(at("work", ",0,0"), 1, DONE));

        assertThatThrownBy(wrong::runNext).isInstanceOf(DefinitionFault.class)
                .hasMessageContaining("work@,0,0").hasMessageContaining("not open for cycles");
    }

    @Test
    void cycleToAnActivityThatDoesNotExistIsRefused() {
        Workbench wrong = new Workbench().activity("again", new Request.Cycle("nowhere", 2, text("round")));
        wrong.start("again");

        assertThatThrownBy(wrong::runNext).isInstanceOf(DefinitionFault.class).hasMessageContaining("nowhere@,0,0");
    }

    private void firstRound() {
        bench.start("pivot");
        bench.drain();
        bench.run(bench.answer(at("work", ",0,0,0"), 1, DONE));
        bench.runNext();
    }
}
