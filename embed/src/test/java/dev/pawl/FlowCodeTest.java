package dev.pawl;

import static dev.pawl.FlowTest.SOON;
import static dev.pawl.FlowTest.await;
import static dev.pawl.FlowTest.open;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.flow.RetryPolicy;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What becomes of workflows when their code is run again, is changed, or goes on in another workflow. */
class FlowCodeTest {

    private final List<String> log = Collections.synchronizedList(new ArrayList<>());

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void whatWasDoneBeforeARestartIsNotDoneAgain(Databases.Kind kind, int waitingMax) {
        Flow<String, String> flow = Flow.named("long", String.class, String.class, (context, input) -> {
            String first = context.step("first", String.class, () -> {
                log.add("first");
                return "done";
            });
            String chance = context.random().nextLong() + " " + context.uuid() + " " + context.now();
            String recorded = context.step("chance", String.class, () -> chance);
            context.signal("go", String.class);
            return first.isEmpty() + " " + chance.equals(recorded);
        });
        String url = kind.fresh();
        try (Pawl pawl = open(url, waitingMax, flow)) {
            pawl.start(flow, "w", "");
        }
        try (Pawl pawl = open(url, waitingMax, flow)) {
            WorkflowHandle<String> handle = pawl.workflow(flow, "w");
            handle.signal("go", "");

            assertThat(handle.result(SOON)).isEqualTo("false true");
            assertThat(log).containsExactly("first");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void stepMayNotUseTheContext(Databases.Kind kind, int waitingMax) {
        Flow<String, String> flow = Flow.named("sly", String.class, String.class, (context, input) -> context
                .step("outer", String.class, RetryPolicy.NONE, () -> context.step("inner", String.class, () -> "x")));
        Flow<String, String> shared = Flow.named("shared", String.class, String.class,
                (context, input) -> context.<String>parallel(List.of(
                        branch -> context.step("theirs", String.class, () -> "x"))).getFirst());
        try (Pawl pawl = open(kind.fresh(), waitingMax, flow, shared)) {
            assertThatThrownBy(() -> pawl.start(flow, "w", "").result(SOON))
                    .hasMessageContaining("a step does not use the context");
            assertThatThrownBy(() -> pawl.start(shared, "v", "").result(SOON))
                    .hasMessageContaining("this context belongs to another thread");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void codeThatDoesSomethingElseIsParkedUntilItIsMended(Databases.Kind kind, int waitingMax) throws Exception {
        Flow<String, String> before = Flow.named("flow", String.class, String.class, (context, input) -> {
            context.step("pay", String.class, () -> "paid");
            return context.signal("go", String.class);
        });
        Flow<String, String> broken = Flow.named("flow", String.class, String.class, (context, input) -> {
            context.step("charge", String.class, () -> "charged");
            return context.signal("go", String.class);
        });
        String url = kind.fresh();
        try (Pawl pawl = open(url, waitingMax, before)) {
            WorkflowHandle<String> handle = pawl.start(flow(before), "w", "");
            await(() -> handle.operations().size() == 2);
        }
        try (Pawl pawl = open(url, waitingMax, broken)) {
            WorkflowHandle<String> handle = pawl.workflow(flow(broken), "w");
            handle.signal("go", "x");
            await(() -> handle.status() == WorkflowStatus.PARKED);
            assertThat(handle.reason()).contains("FlowMismatch", "pay", "charge", "recordedVersion", "codeVersion");
        }
        try (Pawl pawl = open(url, waitingMax, before)) {
            assertThat(pawl.workflow(flow(before), "w").result(SOON)).isEqualTo("x");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void changedCodeAsksWhetherAWorkflowIsOld(Databases.Kind kind, int waitingMax) throws Exception {
        Flow<String, String> before = Flow.named("flow", String.class, String.class, (context, input) -> {
            context.signal("go", String.class);
            return context.step("end", String.class, () -> "old");
        });
        Flow<String, String> after = Flow.named("flow", String.class, String.class, (context, input) -> {
            boolean checked = context.patched("check-first");
            if (checked) {
                context.step("check", String.class, () -> "checked");
            }
            context.signal("go", String.class);
            return context.step("end", String.class, () -> checked ? "new" : "old");
        });
        String url = kind.fresh();
        try (Pawl pawl = open(url, waitingMax, before)) {
            WorkflowHandle<String> handle = pawl.start(before, "old", "");
            await(() -> handle.operations().size() == 1);
        }
        try (Pawl pawl = open(url, waitingMax, after)) {
            WorkflowHandle<String> fresh = pawl.start(after, "new", "");
            fresh.signal("go", "");
            pawl.workflow("old").signal("go", "");

            assertThat(fresh.result(SOON)).isEqualTo("new");
            assertThat(pawl.workflow(after, "old").result(SOON)).isEqualTo("old");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void versionsRunSideBySide(Databases.Kind kind, int waitingMax) throws Exception {
        Flow<String, String> one = Flow.named("flow", String.class, String.class, (context, input) -> {
            context.signal("go", String.class);
            return "one";
        });
        Flow<String, String> two = Flow.named("flow", String.class, String.class,
                (context, input) -> context.step("direct", String.class, () -> "two")).version("2");
        try (Pawl pawl = open(kind.fresh(), waitingMax, one, two)) {
            WorkflowHandle<String> old = pawl.start(one, "w1", "");
            assertThat(pawl.start(two, "w2", "").result(SOON)).isEqualTo("two");
            old.signal("go", "");
            assertThat(old.result(SOON)).isEqualTo("one");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void flowGoesOnInANewWorkflow(Databases.Kind kind, int waitingMax) {
        Flow<Integer, String> flow = Flow.named("loop", Integer.class, String.class, (context, round) -> {
            context.step("round", Integer.class, () -> round);
            if (round < 3) {
                return context.continueAsNew(round + 1);
            }
            return context.workflowId() + " " + context.signal("late", String.class);
        });
        try (Pawl pawl = open(kind.fresh(), waitingMax, flow)) {
            WorkflowHandle<String> handle = pawl.start(flow, "w", 1);
            handle.signal("late", "news", "s-1");

            assertThat(handle.result(SOON)).isEqualTo("w~3 news");
            assertThat(handle.status()).isEqualTo(WorkflowStatus.COMPLETED);
        }
    }

    private static Flow<String, String> flow(Flow<String, String> flow) {
        return flow;
    }
}
