package dev.pawl.kernel.lifecycle;

import static dev.pawl.kernel.lifecycle.ActionEvent.AWAIT_PERSON;
import static dev.pawl.kernel.lifecycle.ActionEvent.CANCEL;
import static dev.pawl.kernel.lifecycle.ActionEvent.DISPATCH;
import static dev.pawl.kernel.lifecycle.ActionEvent.FAIL;
import static dev.pawl.kernel.lifecycle.ActionEvent.SUCCEED;
import static dev.pawl.kernel.lifecycle.ActionStatus.CANCELLED;
import static dev.pawl.kernel.lifecycle.ActionStatus.FAILED;
import static dev.pawl.kernel.lifecycle.ActionStatus.PENDING;
import static dev.pawl.kernel.lifecycle.ActionStatus.RUNNING;
import static dev.pawl.kernel.lifecycle.ActionStatus.SUCCEEDED;
import static dev.pawl.kernel.lifecycle.ActionStatus.WAITING_FOR_MANUAL_COMPLETION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.kernel.lifecycle.Lifecycle.Row;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class ActionStatusTest {

    private static final List<Row<ActionStatus, ActionEvent>> ALLOWED = List.of(
            new Row<>(PENDING, DISPATCH, RUNNING),
            new Row<>(PENDING, CANCEL, CANCELLED),
            new Row<>(RUNNING, AWAIT_PERSON, WAITING_FOR_MANUAL_COMPLETION),
            new Row<>(RUNNING, SUCCEED, SUCCEEDED),
            new Row<>(RUNNING, FAIL, FAILED),
            new Row<>(RUNNING, CANCEL, CANCELLED),
            new Row<>(WAITING_FOR_MANUAL_COMPLETION, SUCCEED, SUCCEEDED),
            new Row<>(WAITING_FOR_MANUAL_COMPLETION, FAIL, FAILED),
            new Row<>(WAITING_FOR_MANUAL_COMPLETION, CANCEL, CANCELLED));

    @TestFactory
    Stream<DynamicTest> everyPair() {
        return new EveryPair<>(ActionStatus.LIFECYCLE, ALLOWED).tests(ActionStatus.values(), ActionEvent.values());
    }

    @Test
    void waitingForAPersonIsNotAnEnd() {
        assertThat(ActionStatus.values()).filteredOn(ActionStatus.LIFECYCLE::terminal)
                .containsExactly(SUCCEEDED, FAILED, CANCELLED);
    }
}
