package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.flow.ParentEnd;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A step that has failed and is not tried again, because its flow was cancelled: a later run of the code must not wait for it. */
@Timeout(120)
class CancelledRetryTest {

    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch cancelled = new CountDownLatch(1);
    private final CountDownLatch childMayEnd = new CountDownLatch(1);

    private final Flow<String, String> child = Flow.named("child", String.class, String.class, (flow, input) -> {
        flow.onRollback("slow", childMayEnd::await);
        flow.sleep(Duration.ofHours(1));
        return "";
    });

    private final Flow<String, String> parent = Flow.named("parent", String.class, String.class, (flow, input) -> {
        flow.start(child, "child", "", ParentEnd.AWAIT_CANCEL);
        return flow.step("fail", String.class, () -> {
            begun.countDown();
            cancelled.await();
            throw new IllegalStateException("failed after the flow was cancelled");
        });
    });

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void flowThatIsEvictedWhileItTakesThingsBackEnds(Databases.Kind kind, int waitingMax) throws Exception {
        try (Pawl pawl = FlowTest.open(kind.fresh(), waitingMax, parent, child)) {
            WorkflowHandle<String> handle = pawl.start(parent, "parent", "");
            assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
            handle.cancel("not needed");
            // Long enough for the flow to have it before its step fails.
            LockSupport.parkNanos(Duration.ofMillis(300).toNanos());
            cancelled.countDown();
            FlowTest.await(() -> pawl.runningOperations().stream().anyMatch(each -> each.workflowId().equals("child")));
            childMayEnd.countDown();

            FlowTest.await(() -> handle.status() == WorkflowStatus.CANCELLED);
        }
    }
}
