package dev.pawl;

import static dev.pawl.FlowTest.SOON;
import static dev.pawl.FlowTest.await;
import static dev.pawl.FlowTest.open;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.flow.ParentEnd;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.message.Ending;
import dev.pawl.kernel.message.Message;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Children with REQUEST_CANCEL are asked to cancel however their parent ends before its time: by its own code or without it. */
class FarewellTest {

    private static final String PARENT = "p";
    private static final int MANY = 1_500;

    private final Flow<String, String> child = Flow.named("child", String.class, String.class,
            (flow, input) -> flow.signal("go", String.class));

    /** The same flow after a deployment that does not fit its record: it is parked. */
    private Flow<String, String> parent(String firstStep) {
        return Flow.named("parent", String.class, String.class, (flow, input) -> {
            flow.step(firstStep, String.class, () -> "x");
            flow.start(child, "asked", "x", ParentEnd.REQUEST_CANCEL);
            flow.start(child, "alone", "x", ParentEnd.ABANDON);
            return flow.signal("never", String.class);
        });
    }

    private Flow<String, String> started(String url, int waitingMax) throws InterruptedException {
        Flow<String, String> parent = parent("first");
        try (Pawl pawl = open(url, waitingMax, parent, child)) {
            pawl.start(parent, PARENT, "x");
            await(() -> pawl.workflows(Search.all().definition(child)).items().size() == 2);
        }
        return parent;
    }

    private static void assertAsked(Pawl pawl, WorkflowStatus parent) throws InterruptedException {
        await(() -> pawl.workflow(PARENT).status() == parent);
        await(() -> pawl.workflow("asked").status() == WorkflowStatus.CANCELLED);
        assertThat(pawl.workflow("asked").reason()).contains("has ended");
        assertThat(pawl.workflow("alone").status()).isEqualTo(WorkflowStatus.RUNNING);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void parentAbortedByAnOperatorAsksItsChildrenToCancel(Databases.Kind kind, int waitingMax) throws Exception {
        String url = kind.fresh();
        started(url, waitingMax);
        try (Pawl pawl = open(url, waitingMax, parent("other"), child)) {
            pawl.workflow(PARENT).signal("never", "wake up");
            await(() -> pawl.workflow(PARENT).status() == WorkflowStatus.PARKED);
            Case parked = pawl.attention().list(null, 10).items().getFirst();
            pawl.decide(parked.id(), Decision.abort(), "desk-1");

            assertAsked(pawl, WorkflowStatus.FAILED);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void parentThatIsInterruptedAsksItsChildrenToCancel(Databases.Kind kind, int waitingMax) throws Exception {
        String url = kind.fresh();
        Flow<String, String> parent = started(url, waitingMax);
        try (Pawl pawl = open(url, waitingMax, parent, child)) {
            WorkflowKey key = new WorkflowKey("default", PARENT);
            pawl.store().post(pawl.store().load(key).workflow().beginning().group(), new Message.Interrupt(key,
                    Guid.ofRequest(key, "interrupt", "1"), Ending.interrupted("not wanted", false)));

            assertAsked(pawl, WorkflowStatus.INTERRUPTED);
        }
    }

    /** More than one commit sends: the rest goes in chunks, on a message of its own. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void parentWithManyChildrenThatFailsAsksAllOfThem(Databases.Kind kind) throws Exception {
        Flow<Integer, String> many = Flow.named("many", Integer.class, String.class, (flow, count) -> {
            for (int i = 0; i < count; i++) {
                flow.start(child, "c-" + i, "x", ParentEnd.REQUEST_CANCEL);
            }
            flow.signal("on", String.class);
            throw new IllegalStateException("the parent has failed");
        });
        // With the lease that a user has, and room for all: it is about the chunks, and not about a busy machine.
        try (Pawl pawl =
                Pawl.builder().url(kind.fresh()).shards(2).waitingMax(2 * MANY).definitions(many, child).open()) {
            pawl.start(many, PARENT, MANY);
            pawl.workflow(PARENT).signal("on", "x");
            assertThatThrownBy(() -> pawl.workflow(PARENT).result(Duration.ofSeconds(60)))
                    .isInstanceOf(WorkflowFailed.class).hasMessageContaining("the parent has failed");
            for (int i = 0; i < MANY; i++) {
                String id = "c-" + i;
                assertThatThrownBy(() -> pawl.workflow(id).result(SOON))
                        .hasFieldOrPropertyWithValue("code", "WorkflowCancelled");
            }
            assertThat(pawl.attention().list(null, 10).items()).isEmpty();
        }
    }
}
