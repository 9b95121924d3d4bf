package dev.pawl.testkit.scenario;

import static dev.pawl.testkit.scenario.Parts.BEGIN;
import static dev.pawl.testkit.scenario.Parts.graph;
import static dev.pawl.testkit.scenario.Parts.path;
import static dev.pawl.testkit.scenario.Parts.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.graph.Data;
import dev.pawl.engine.graph.Graph;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A comparison that lets everything through would make every run look right. */
class ComparisonTest {

    private static final Graph GRAPH = path(workers(graph("g"), "a")
            .signalOne("tell", data -> data.other("w1"), "topic", Data::workflowInput), BEGIN, "a", "tell").build();
    private static final Scenario EXACT = scenario().build();

    private static ScenarioBuilder scenario() {
        return Scenario.named("test").start("w1", GRAPH, "in").start("w2", GRAPH, "in");
    }

    private static Outcome ended(WorkflowStatus one, WorkflowStatus two) {
        Outcome right = Oracle.outcome(EXACT);
        return new Outcome(List.of(new Outcome.Workflow("w1", one, right.workflows().getFirst().output()),
                new Outcome.Workflow("w2", two, right.workflows().getLast().output())), right.activities(), null);
    }

    @Test
    void sameIsNoDifference() {
        assertThat(EXACT.differences(Oracle.outcome(EXACT))).isEmpty();
    }

    @Test
    void whatIsMissingAndWhatIsTooMuchIsFound() {
        Outcome right = Oracle.outcome(EXACT);
        List<Effect> twice = new ArrayList<>(right.effects());
        twice.add(right.effects().getFirst());

        assertThat(EXACT.differences(new Outcome(right.workflows().subList(0, 1), right.activities(), null)))
                .singleElement().asString().startsWith("missing x1: w2 COMPLETED");
        assertThat(EXACT.differences(new Outcome(right.workflows(), right.activities().subList(1, 6), null)))
                .containsExactly("missing x1: w1 begin@,0 PASSED 'in' -> ''");
        assertThat(EXACT.differences(new Outcome(right.workflows(), right.activities(), twice)))
                .containsExactly("surplus x1: " + right.effects().getFirst());
    }

    @Test
    void effectsThatNobodyWatchedAreNotMissed() {
        Outcome right = Oracle.outcome(EXACT);

        assertThat(EXACT.differences(new Outcome(right.workflows(), right.activities(), null))).isEmpty();
    }

    @Test
    void ofALooseWorkflowOnlyStatusAndOutputCount() {
        Scenario loose = scenario().loose("w1").build();
        Outcome right = Oracle.outcome(loose);

        assertThat(loose.differences(new Outcome(right.workflows(), right.activities().subList(3, 6),
                right.effects().subList(1, 2)))).isEmpty();
        assertThat(loose.differences(ended(WorkflowStatus.FAILED, WorkflowStatus.COMPLETED))).hasSize(2);
    }

    @Test
    void workflowsThatAreAlikeMayEndAsOneAnother() {
        Scenario alike = scenario().alike("w1", "w2").build();

        assertThat(alike.exact()).isFalse();
        assertThat(new Comparison(alike).differences(ended(WorkflowStatus.FAILED, WorkflowStatus.COMPLETED),
                ended(WorkflowStatus.COMPLETED, WorkflowStatus.FAILED))).isEmpty();
        assertThat(new Comparison(alike).differences(ended(WorkflowStatus.FAILED, WorkflowStatus.COMPLETED),
                ended(WorkflowStatus.COMPLETED, WorkflowStatus.COMPLETED))).hasSize(2);
    }
}
