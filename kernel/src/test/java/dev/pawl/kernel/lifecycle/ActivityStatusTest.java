package dev.pawl.kernel.lifecycle;

import static dev.pawl.kernel.lifecycle.ActivityEvent.FINISH;
import static dev.pawl.kernel.lifecycle.ActivityEvent.PASS;
import static dev.pawl.kernel.lifecycle.ActivityEvent.REENTER;
import static dev.pawl.kernel.lifecycle.ActivityEvent.REQUEST;
import static dev.pawl.kernel.lifecycle.ActivityEvent.RESPOND_PENDING;
import static dev.pawl.kernel.lifecycle.ActivityStatus.ENTERED;
import static dev.pawl.kernel.lifecycle.ActivityStatus.FINISHED;
import static dev.pawl.kernel.lifecycle.ActivityStatus.PASSED;
import static dev.pawl.kernel.lifecycle.ActivityStatus.WAITING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.kernel.lifecycle.Lifecycle.Row;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class ActivityStatusTest {

    private static final List<Row<ActivityStatus, ActivityEvent>> ALLOWED = List.of(
            new Row<>(ENTERED, REQUEST, WAITING),
            new Row<>(ENTERED, FINISH, FINISHED),
            new Row<>(ENTERED, PASS, PASSED),
            new Row<>(WAITING, RESPOND_PENDING, WAITING),
            new Row<>(WAITING, FINISH, FINISHED),
            new Row<>(PASSED, REENTER, PASSED));

    @TestFactory
    Stream<DynamicTest> everyPair() {
        return new EveryPair<>(ActivityStatus.LIFECYCLE, ALLOWED)
                .tests(ActivityStatus.values(), ActivityEvent.values());
    }

    @Test
    void onlyAFinishedActivityTakesNothingMore() {
        assertThat(ActivityStatus.values()).filteredOn(ActivityStatus.LIFECYCLE::terminal).containsExactly(FINISHED);
    }
}
