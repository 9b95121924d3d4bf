package dev.pawl.kernel.collation;

import static dev.pawl.kernel.collation.Workbench.DONE;
import static dev.pawl.kernel.collation.Workbench.at;
import static dev.pawl.kernel.collation.Workbench.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.message.Delivery;
import java.util.List;
import org.junit.jupiter.api.Test;

/** DESIGN.md 3.8: all-of joins by the same primitive that closes workflows. */
class JoinTest {

    private static final ActivityKey JOIN = at("join", ",0,0,0");

    private final Workbench bench = new Workbench().activity("join", task());

    @Test
    void onlyTheLastArrivalSpawnsTheJoin() {
        branches(new Next.Join(2, 1, 3));
        bench.run(bench.answer(at("a", ",0,0"), 1, DONE));
        assertThat(bench.state.activity(JOIN)).isNull();
        assertThat(bench.semaphore()).isEqualTo(1);

        bench.run(bench.answer(at("b", ",0,0"), 1, DONE));

        assertThat(bench.ledger(JOIN)).isEqualTo("001000000000000");
        assertThat(bench.semaphore()).isEqualTo(1);
        assertThat(bench.queue).singleElement().satisfies(delivery -> assertThat(delivery.message().guid())
                .isEqualTo(Guid.ofJoin(Workbench.KEY, JOIN)));
    }

    @Test
    void workflowCompletesWhenTheJoinedActivityIsDone() {
        branches(new Next.Join(2, 1, 3));
        bench.run(bench.answer(at("a", ",0,0"), 1, DONE));
        bench.run(bench.answer(at("b", ",0,0"), 1, DONE));
        bench.drain().run(bench.answer(JOIN, 1, DONE));

        assertThat(bench.state.started().status()).isEqualTo(WorkflowStatus.COMPLETED);
    }

    @Test
    void arrivalsAreWrittenWithTheirPredictedOutcome() {
        branches(new Next.Join(2, 1, 3));
        Transition first = bench.run(bench.answer(at("a", ",0,0"), 1, DONE));
        Transition last = bench.run(bench.answer(at("b", ",0,0"), 1, DONE));

        assertThat(first.bundle().writes()).contains(
                new Write.MoveJoin(JOIN, 2, bench.answer(at("a", ",0,0"), 1, DONE).guid(), false));
        assertThat(last.bundle().writes()).contains(
                new Write.MoveJoin(JOIN, 2, bench.answer(at("b", ",0,0"), 1, DONE).guid(), true));
    }

    @Test
    void branchesOfUnequalLengthMeetAtTheDepthOfTheJoin() {
        Next.Join join = new Next.Join(2, 1, 4);
        bench.activity("a", task(), response -> joining(join))
                .activity("b", task(), "c")
                .activity("c", task(), response -> joining(join))
                .start("a", "b");
        bench.drain();
        bench.run(bench.answer(at("a", ",0,0"), 1, DONE));
        bench.run(bench.answer(at("b", ",0,0"), 1, DONE));
        bench.drain();
        bench.run(bench.answer(at("c", ",0,0,0"), 1, DONE));

        assertThat(bench.ledger(at("join", ",0,0,0,0"))).isEqualTo("001000000000000");
    }

    @Test
    void twoArrivalsOfOneActivityCountTwice() {
        bench.activity("a", task(), response -> new Next.Spawn(
                List.of(bench.child("join", new Next.Join(2, 1, 3)), bench.child("join", new Next.Join(2, 1, 3)))))
                .start("a");
        bench.drain();
        bench.run(bench.answer(at("a", ",0,0"), 1, DONE));

        assertThat(bench.ledger(JOIN)).isEqualTo("001000000000000");
        assertThat(bench.queue).extracting(Delivery::marks).containsExactly(1);
    }

    @Test
    void moreArrivalsThanDeclaredAreRefused() {
        branches(new Next.Join(1, 1, 3));
        bench.run(bench.answer(at("a", ",0,0"), 1, DONE));

        assertThatThrownBy(() -> bench.run(bench.answer(at("b", ",0,0"), 1, DONE)))
                .isInstanceOf(DefinitionFault.class).hasMessageContaining("than it declares");
    }

    @Test
    void branchesThatMeetWithoutAJoinAreRefused() {
        bench.activity("a", task(), "join").activity("b", task(), "join").start("a", "b");
        bench.drain();
        bench.run(bench.answer(at("a", ",0,0"), 1, DONE));

        assertThatThrownBy(() -> bench.run(bench.answer(at("b", ",0,0"), 1, DONE)))
                .isInstanceOf(DefinitionFault.class).hasMessageContaining("need a join");
    }

    private void branches(Next.Join join) {
        bench.activity("a", task(), response -> joining(join)).activity("b", task(), response -> joining(join))
                .start("a", "b");
        bench.drain();
    }

    private Next joining(Next.Join join) {
        return new Next.Spawn(List.of(bench.child("join", join)));
    }
}
