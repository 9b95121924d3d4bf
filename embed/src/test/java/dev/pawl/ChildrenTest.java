package dev.pawl;

import static dev.pawl.FlowTest.SOON;
import static dev.pawl.FlowTest.await;
import static dev.pawl.FlowTest.open;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.flow.ChildFailed;
import dev.pawl.engine.flow.ChildHandle;
import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.flow.FlowCancelled;
import dev.pawl.engine.flow.ParentEnd;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Workflows that start others: what becomes of those when it ends, and what it hears of them. Every time with a restart between. */
class ChildrenTest {

    private final List<String> log = Collections.synchronizedList(new ArrayList<>());

    private final Flow<String, String> child = Flow.named("child", String.class, String.class, (flow, input) -> {
        try {
            return flow.signal("go", String.class);
        } catch (FlowCancelled e) {
            flow.shielded(inner -> inner.signal("leave", String.class));
            log.add(input + " left");
            throw e;
        }
    });

    private static String id(String parent, ParentEnd end) {
        return parent + "." + end;
    }

    private Flow<String, String> parent(boolean fails) {
        return Flow.named("parent", String.class, String.class, (flow, input) -> {
            flow.onRollback("first", () -> log.add("parent took back"));
            List<ChildHandle<String>> children = new ArrayList<>();
            for (ParentEnd end : ParentEnd.values()) {
                children.add(flow.start(child, id(flow.workflowId(), end), end.name(), end));
            }
            flow.signal("on", String.class);
            if (fails) {
                throw new IllegalStateException("the parent has failed");
            }
            return children.getLast().result();
        });
    }

    private static WorkflowStatus status(Pawl pawl, ParentEnd end) {
        return pawl.workflow(id("p", end)).status();
    }

    private void ended(Databases.Kind kind, int waitingMax, boolean fails) throws InterruptedException {
        String url = kind.fresh();
        Flow<String, String> parent = parent(fails);
        try (Pawl pawl = open(url, waitingMax, parent, child)) {
            pawl.start(parent, "p", "x");
            await(() -> pawl.workflows(Search.all().definition(child)).items().size() == 3);
        }
        try (Pawl pawl = open(url, waitingMax, parent, child)) {
            pawl.workflow("p").signal("on", "x");
            if (!fails) {
                pawl.workflow("p").cancel("enough");
            }
            // It waits for the one whose end it awaits, and for no other.
            await(() -> pawl.workflow(id("p", ParentEnd.AWAIT_CANCEL)).operations().toString().contains("leave"));
            assertThat(pawl.workflow("p").status()).isEqualTo(WorkflowStatus.RUNNING);
            assertThat(log).isEmpty();
        }
        try (Pawl pawl = open(url, waitingMax, parent, child)) {
            pawl.workflow(id("p", ParentEnd.AWAIT_CANCEL)).signal("leave", "x");
            assertThatThrownBy(() -> pawl.workflow("p").result(SOON)).isInstanceOf(WorkflowFailed.class);
            assertThat(pawl.workflow("p").status()).isEqualTo(fails ? WorkflowStatus.FAILED : WorkflowStatus.CANCELLED);
            assertThat(log).containsExactly("AWAIT_CANCEL left", "parent took back");
            assertThat(status(pawl, ParentEnd.AWAIT_CANCEL)).isEqualTo(WorkflowStatus.CANCELLED);

            await(() -> pawl.workflow(id("p", ParentEnd.REQUEST_CANCEL)).operations().toString().contains("leave"));
            assertThat(status(pawl, ParentEnd.ABANDON)).isEqualTo(WorkflowStatus.RUNNING);
        }
        try (Pawl pawl = open(url, waitingMax, parent, child)) {
            pawl.workflow(id("p", ParentEnd.REQUEST_CANCEL)).signal("leave", "x");
            await(() -> status(pawl, ParentEnd.REQUEST_CANCEL) == WorkflowStatus.CANCELLED);
            pawl.workflow(id("p", ParentEnd.ABANDON)).signal("go", "done");
            assertThat(pawl.workflow(id("p", ParentEnd.ABANDON)).result(SOON)).isEqualTo("done");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void parentThatFailsHasItsChildrenEndAsTheyWereStarted(Databases.Kind kind, int waitingMax) throws Exception {
        ended(kind, waitingMax, true);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void parentThatIsCancelledHasItsChildrenEndAsTheyWereStarted(Databases.Kind kind, int waitingMax)
            throws Exception {
        ended(kind, waitingMax, false);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void childrenAreStartedNowAndAwaitedLater(Databases.Kind kind, int waitingMax) throws Exception {
        String url = kind.fresh();
        Flow<String, String> both = Flow.named("both", String.class, String.class, (flow, input) -> {
            AtomicInteger asked = new AtomicInteger();
            flow.onUpdate("ask", String.class, Integer.class, who -> asked.incrementAndGet());
            ChildHandle<String> one = flow.start(child, "c1", "c1", ParentEnd.REQUEST_CANCEL);
            ChildHandle<String> two = flow.start(child, "c2", "c2", ParentEnd.ABANDON);
            String between = flow.step("between", String.class, () -> "between " + asked.get());
            String second = two.result();
            return between + " " + one.result() + " " + second + " " + one.result() + " " + asked.get();
        });
        try (Pawl pawl = open(url, waitingMax, both, child)) {
            WorkflowHandle<String> handle = pawl.start(both, "w", "x");
            await(() -> pawl.workflows(Search.all().definition(child)).items().size() == 2);
            pawl.workflow("c1").signal("go", "first");
            assertThat(pawl.workflow("c1").result(SOON)).isEqualTo("first");
            assertThat(handle.update("ask", "me", Integer.class)).isEqualTo(1);
        }
        try (Pawl pawl = open(url, waitingMax, both, child)) {
            pawl.workflow("c2").signal("go", "second");

            assertThat(pawl.workflow(both, "w").result(SOON)).isEqualTo("between 0 first second first 1");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void parentThatCompletesLeavesItsChildrenAlone(Databases.Kind kind, int waitingMax) {
        Flow<String, String> good = Flow.named("good", String.class, String.class, (flow, input) -> {
            flow.start(child, "c", "c", ParentEnd.REQUEST_CANCEL);
            return flow.step("s", String.class, () -> "good");
        });
        try (Pawl pawl = open(kind.fresh(), waitingMax, good, child)) {
            assertThat(pawl.start(good, "w", "x").result(SOON)).isEqualTo("good");
            pawl.workflow("c").signal("go", "alone");
            assertThat(pawl.workflow("c").result(SOON)).isEqualTo("alone");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void failureOfAChildIsSeenWithItsCause(Databases.Kind kind, int waitingMax) {
        Flow<String, String> bad = Flow.named("bad", String.class, String.class, (flow, input) -> {
            throw new IllegalStateException("no " + input, new java.io.IOException("disk"));
        });
        Flow<String, String> middle = Flow.named("middle", String.class, String.class,
                (flow, input) -> flow.child(bad, "bad", "luck"));
        Flow<String, String> top = Flow.named("top", String.class, String.class, (flow, input) -> {
            ChildHandle<String> cancelled = flow.start(child, "cancelled", "c", ParentEnd.ABANDON);
            cancelled.cancel("not needed");
            flow.signalTo("cancelled", "leave", "x");
            List<String> seen = new ArrayList<>();
            try {
                flow.child(middle, "middle", "x");
            } catch (ChildFailed e) {
                seen.add(e.workflowId() + " " + e.code() + " " + e.errorType());
                for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
                    seen.add(((ChildFailed.Cause) cause).type());
                }
            }
            try {
                cancelled.result();
            } catch (ChildFailed e) {
                seen.add(e.errorType());
            }
            return String.join(",", seen);
        });
        try (Pawl pawl = open(kind.fresh(), waitingMax, bad, middle, top, child)) {
            String seen = pawl.start(top, "top", "x").result(SOON);
            assertThat(seen).startsWith("middle OperationFailed " + ChildFailed.class.getName())
                    .contains(",java.lang.IllegalStateException,java.io.IOException,")
                    .endsWith(FlowCancelled.class.getName());
        }
    }
}
