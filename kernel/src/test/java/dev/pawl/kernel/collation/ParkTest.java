package dev.pawl.kernel.collation;

import static dev.pawl.kernel.collation.Workbench.DONE;
import static dev.pawl.kernel.collation.Workbench.NOW;
import static dev.pawl.kernel.collation.Workbench.at;
import static dev.pawl.kernel.collation.Workbench.signal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.workflow.Waker;
import org.junit.jupiter.api.Test;

/** A workflow whose definition the owner of its shard does not have. */
class ParkTest {

    private final Workbench bench = new Workbench().activity("flow", new Request.Code());

    @Test
    void parkedWorkflowSaysWhichDefinitionIsMissingAndItsCodeIsAwake() {
        bench.start("flow");
        bench.commit(Collation.park(bench.state, bench.state.started(), NOW));

        assertThat(bench.state.started().status()).isEqualTo(WorkflowStatus.PARKED);
        assertThat(bench.state.started().reason())
                .isEqualTo("{\"code\":\"DefinitionMissing\",\"definition\":\"checkout\",\"version\":\"1\"}");
        assertThat(Collation.lacksDefinition(bench.state.started())).isTrue();
        assertThat(bench.activity(at("flow", ",0,0")).waker()).isEqualTo(new Waker.Code(2, true));
    }

    @Test
    void nextTransitionByAnOwnerThatHasTheDefinitionLetsItGoOn() {
        bench.start("flow");
        bench.commit(Collation.park(bench.state, bench.state.started(), NOW));

        bench.run(signal("topic", "1", DONE));

        assertThat(bench.state.started().status()).isEqualTo(WorkflowStatus.RUNNING);
        assertThat(Collation.lacksDefinition(bench.state.started())).isFalse();
    }

    @Test
    void workflowThatIsParkedForAnotherReasonStaysSo() {
        bench.start("flow");
        bench.state.apply(new Write.Hold(WorkflowStatus.PARKED, "another"));

        bench.run(signal("topic", "1", DONE));

        assertThat(bench.state.started().status()).isEqualTo(WorkflowStatus.PARKED);
    }
}
