package dev.pawl.kernel.lifecycle;

import static dev.pawl.kernel.lifecycle.WorkflowEvent.CANCEL;
import static dev.pawl.kernel.lifecycle.WorkflowEvent.COMPLETE;
import static dev.pawl.kernel.lifecycle.WorkflowEvent.CONTINUE_AS_NEW;
import static dev.pawl.kernel.lifecycle.WorkflowEvent.FAIL;
import static dev.pawl.kernel.lifecycle.WorkflowEvent.INTERRUPT;
import static dev.pawl.kernel.lifecycle.WorkflowEvent.PARK;
import static dev.pawl.kernel.lifecycle.WorkflowEvent.PAUSE;
import static dev.pawl.kernel.lifecycle.WorkflowEvent.RESUME;
import static dev.pawl.kernel.lifecycle.WorkflowStatus.CANCELLED;
import static dev.pawl.kernel.lifecycle.WorkflowStatus.COMPLETED;
import static dev.pawl.kernel.lifecycle.WorkflowStatus.CONTINUED_AS_NEW;
import static dev.pawl.kernel.lifecycle.WorkflowStatus.FAILED;
import static dev.pawl.kernel.lifecycle.WorkflowStatus.INTERRUPTED;
import static dev.pawl.kernel.lifecycle.WorkflowStatus.PARKED;
import static dev.pawl.kernel.lifecycle.WorkflowStatus.PAUSED;
import static dev.pawl.kernel.lifecycle.WorkflowStatus.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.kernel.lifecycle.Lifecycle.Row;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class WorkflowStatusTest {

    private static final List<Row<WorkflowStatus, WorkflowEvent>> ALLOWED = List.of(
            new Row<>(RUNNING, PAUSE, PAUSED),
            new Row<>(RUNNING, PARK, PARKED),
            new Row<>(RUNNING, COMPLETE, COMPLETED),
            new Row<>(RUNNING, FAIL, FAILED),
            new Row<>(RUNNING, CANCEL, CANCELLED),
            new Row<>(RUNNING, INTERRUPT, INTERRUPTED),
            new Row<>(RUNNING, CONTINUE_AS_NEW, CONTINUED_AS_NEW),
            new Row<>(PAUSED, RESUME, RUNNING),
            new Row<>(PAUSED, COMPLETE, COMPLETED),
            new Row<>(PAUSED, FAIL, FAILED),
            new Row<>(PAUSED, CANCEL, CANCELLED),
            new Row<>(PAUSED, INTERRUPT, INTERRUPTED),
            new Row<>(PAUSED, CONTINUE_AS_NEW, CONTINUED_AS_NEW),
            new Row<>(PARKED, RESUME, RUNNING),
            new Row<>(PARKED, COMPLETE, COMPLETED),
            new Row<>(PARKED, FAIL, FAILED),
            new Row<>(PARKED, CANCEL, CANCELLED),
            new Row<>(PARKED, INTERRUPT, INTERRUPTED));

    @TestFactory
    Stream<DynamicTest> everyPair() {
        return new EveryPair<>(WorkflowStatus.LIFECYCLE, ALLOWED)
                .tests(WorkflowStatus.values(), WorkflowEvent.values());
    }

    @Test
    void aClosedWorkflowStaysClosed() {
        assertThat(WorkflowStatus.values()).filteredOn(WorkflowStatus::terminal)
                .containsExactly(COMPLETED, FAILED, CANCELLED, INTERRUPTED, CONTINUED_AS_NEW);
    }
}
