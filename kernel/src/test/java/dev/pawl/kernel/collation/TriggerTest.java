package dev.pawl.kernel.collation;

import static dev.pawl.kernel.collation.Workbench.at;
import static dev.pawl.kernel.collation.Workbench.other;
import static dev.pawl.kernel.collation.Workbench.task;
import static dev.pawl.kernel.collation.Workbench.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Overlay;
import dev.pawl.kernel.bundle.Step;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.message.Attribute;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Origin;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Collation.md 20.1: category D. */
class TriggerTest {

    private static final ActivityKey TRIGGER = at("trigger", ",0");
    private static final Message.Start START = Workbench.startMessage(0, null);

    private final Workbench bench = new Workbench().activity("pay", task()).activity("ship", task());

    @Test
    void workflowIsBornWithItsAttributes() {
        Message.Start plain = Workbench.startMessage(0, null);
        Attribute tier = new Attribute.Text("tier", "vip");
        Message.Start start = new Message.Start(plain.workflow(), plain.beginning(), List.of(tier));

        Bundle inception = Collation.inception(start, Workbench.NOW);

        assertThat(inception.writes().stream().filter(Write.PutAttribute.class::isInstance))
                .containsExactly(new Write.PutAttribute(tier, Workbench.NOW));
        assertThat(Collation.inception(plain, Workbench.NOW).writes()).noneMatch(Write.PutAttribute.class::isInstance);
    }

    @Test
    void activityLedgerIsBornComplete() {
        bench.start("pay");

        assertThat(bench.ledger(TRIGGER)).isEqualTo("101100000000001");
    }

    @Test
    void guidLedgerAfterEachStepOfATriggerWithChildren() {
        assertThat(guidLedgers("pay")).containsExactly("000010000000000", "000011000000000", "000011000000000");
    }

    @Test
    void guidLedgerAfterEachStepOfATriggerWithoutChildren() {
        assertThat(guidLedgers()).containsExactly("000010000000000", "000011000000000", "000011100000000",
                "000011100000000");
    }

    private List<String> guidLedgers(String... children) {
        List<String> ledgers = new ArrayList<>();
        Overlay state = new Overlay(Snapshot.ABSENT);
        for (Bundle step : bench.start(children).bundle().apart()) {
            state.apply(step);
            ledgers.add(state.known(START.guid()).ledger().toString());
        }
        return ledgers;
    }

    @Test
    void semaphoreIsTheNumberOfChildren() {
        bench.start("pay", "ship");

        assertThat(bench.semaphore()).isEqualTo(2);
        assertThat(bench.state.started().gate().closed()).isFalse();
    }

    @Test
    void childrenAreCreatedEnteredOnceAndQueuedOneLevelDown() {
        bench.start("pay", "ship");

        assertThat(bench.ledger(at("pay", ",0,0"))).isEqualTo("001000000000000");
        assertThat(bench.ledger(at("ship", ",0,0"))).isEqualTo("001000000000000");
        assertThat(bench.queue).extracting(Delivery::message).containsExactly(
                new Message.Enter(Workbench.KEY, START.guid().toChild(at("pay", ",0,0")), at("pay", ",0,0")),
                new Message.Enter(Workbench.KEY, START.guid().toChild(at("ship", ",0,0")), at("ship", ",0,0")));
        assertThat(bench.activity(at("pay", ",0,0")).input()).isEqualTo(text("for pay"));
    }

    @Test
    void withoutChildrenTheTriggerClosesTheWorkflowAndRunsItsCompletionTasks() {
        bench.start();

        assertThat(bench.state.started().gate().closedBy(START.guid())).isTrue();
        assertThat(bench.state.started().status()).isEqualTo(WorkflowStatus.COMPLETED);
        assertThat(bench.state.started().output()).isEqualTo(Workbench.RESULT);
        assertThat(bench.state.started().closedAt()).isEqualTo(Workbench.NOW);
    }

    @Test
    void anotherThresholdClosesWhereItIsReached() {
        bench.start(2, null, "pay", "ship");

        assertThat(bench.semaphore()).isEqualTo(2);
        assertThat(bench.state.started().gate().closedBy(START.guid())).isTrue();
    }

    @Test
    void secondStartIsADuplicate() {
        bench.start("pay");

        assertThat(bench.run(START).entry()).isEqualTo(new Entry.Duplicate());
        assertThat(bench.semaphore()).isEqualTo(1);
    }

    @Test
    void startThatCrashedAfterInceptionResumesWithItsChildren() {
        bench.start("pay");
        Workbench restarted = new Workbench().activity("pay", task());
        restarted.commit(Collation.inception(START, Workbench.NOW));

        assertThat(Collation.enter(restarted.state, START, Workbench.NOW))
                .isEqualTo(new Entry.Resume(TRIGGER, Step.SPAWN));
        restarted.start("pay");
        assertThat(restarted.semaphore()).isEqualTo(1);
        assertThat(restarted.ledger(START)).isEqualTo(bench.ledger(START));
    }

    @Test
    void inceptionAloneIsTheFirstPartOfTheTransition() {
        Bundle whole = bench.start("pay").bundle();

        assertThat(Collation.inception(START, Workbench.NOW).parts()).containsExactly(whole.parts().getFirst());
        assertThat(Collation.inception(START, Workbench.NOW).expectedVersion()).isZero();
    }

    @Test
    void childThatIsNotAwaitedTellsItsParentAtOnceThatItExists() {
        bench.start(0, origin(false), "pay");

        assertThat(bench.posted).singleElement().satisfies(post -> {
            assertThat(post.group()).isEqualTo("shop");
            assertThat(post.message()).isEqualTo(origin(false).answer(new Response.Final(text("\"order-1\""))));
        });
    }

    @Test
    void childThatIsNotAwaitedSaysNothingWhenItCloses() {
        bench.start(0, origin(false));

        assertThat(bench.posted).hasSize(1);
    }

    @Test
    void awaitedChildTellsItsParentOnlyWhenItCloses() {
        bench.start(0, origin(true), "pay");
        assertThat(bench.posted).isEmpty();

        bench.drain().run(bench.answer(at("pay", ",0,0"), 1, Workbench.DONE));

        assertThat(bench.posted).singleElement().satisfies(post -> assertThat(post.message())
                .isEqualTo(origin(true).answer(new Response.Final(Workbench.RESULT))));
    }

    @Test
    void parentWhoseChildsIdIsTakenIsTold() {
        bench.start("pay");

        Transition refused = bench.run(Workbench.startMessage(0, origin(true)));

        assertThat(refused.entry()).isEqualTo(new Entry.Taken());
        assertThat(refused.consumed()).isTrue();
        assertThat(bench.posted).singleElement().satisfies(post -> assertThat(post.message())
                .isEqualTo(origin(true).answer(new Response.Failure(text("\"WorkflowIdConflict\"")))));
        assertThat(bench.semaphore()).isEqualTo(1);
    }

    @Test
    void startByNobodyOfAWorkflowThatIsAChildIsTakenSilently() {
        bench.start(0, origin(true), "pay");

        assertThat(bench.run(START).entry()).isEqualTo(new Entry.Taken());
        assertThat(bench.posted).isEmpty();
    }

    @Test
    void startOfAWorkflowThatSomethingElseCreatedIsForbidden() {
        bench.start("pay");
        Snapshot foreign = new Snapshot(bench.state.started(), new TreeMap<>(), Map.of(), Map.of(),
                List.of());

        assertThat(Collation.enter(foreign, START, Workbench.NOW)).isInstanceOf(Entry.Forbidden.class);
    }

    private static Origin origin(boolean awaitsResult) {
        ActivityKey waiting = at("child", ",0,0");
        return new Origin(other("parent"), waiting, Guid.ofAnswer(other("parent").workflow(), waiting, 1, 0),
                awaitsResult);
    }
}
