package dev.pawl;

import static dev.pawl.FlowTest.SOON;
import static dev.pawl.FlowTest.await;
import static dev.pawl.FlowTest.open;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.flow.Received;
import dev.pawl.engine.flow.SignalUnreadable;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Signals of a type that their wait does not ask for, and signals that carry nothing. */
class SignalTypeTest {

    private static final WorkflowKey KEY = new WorkflowKey("default", "w");

    private final List<String> undone = Collections.synchronizedList(new ArrayList<>());

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void signalThatTheWaitCannotReadIsRefusedWhereItsTypeIsKnown(Databases.Kind kind) throws Exception {
        Flow<String, String> flow = Flow.named("count", String.class, String.class,
                (context, input) -> context.signal("n", String.class) + context.signal("n", Integer.class));
        try (Pawl pawl = open(kind.fresh(), 1_000, flow)) {
            WorkflowHandle<String> handle = pawl.start(flow, "w", "");
            AcceptedSignalResult first = handle.signal("n", "one", "s-1");
            await(() -> pawl.expected(KEY, "n").contains(Integer.class));

            assertThatThrownBy(() -> handle.signal("n", "two secrets")).hasFieldOrPropertyWithValue("code",
                    "SignalRefused").hasMessageContaining("java.lang.Integer").hasMessageNotContaining("secrets");
            assertThatThrownBy(() -> handle.signal("n", "two", "s-2")).hasFieldOrPropertyWithValue("code",
                    "SignalRefused");
            // What was accepted before is answered as before, whatever the next wait asks for.
            assertThat(handle.signal("n", "one", "s-1")).isEqualTo(first);
            handle.signal("n", 2, "s-2");

            assertThat(handle.result(SOON)).isEqualTo("one2");
            assertThat(pawl.expected(KEY, "n")).isEmpty();
        }
    }

    /** It came before the code waited for it: the code hears of it, and does so again when it runs again. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void signalThatTheWaitCannotReadIsAnErrorOfTheWait(Databases.Kind kind, int waitingMax) throws Exception {
        Flow<String, String> flow = Flow.named("count", String.class, String.class, (context, input) -> {
            context.onRollback("undo", () -> undone.add("undone"));
            String refused = "";
            for (int i = 0; i < 3; i++) {
                try {
                    Received<Integer> number = context.signal("n", Integer.class, Duration.ofMinutes(5));
                    return refused + number.payload();
                } catch (SignalUnreadable e) {
                    refused += context.step("note", String.class, () -> e.code() + " " + e.operation() + " ");
                }
            }
            return refused;
        });
        String url = kind.fresh();
        try (Pawl pawl = open(url, waitingMax, flow)) {
            WorkflowHandle<String> handle = pawl.startWithSignal(flow, "w", "", "n", "none", "s-1");
            await(() -> handle.operations().stream().anyMatch(each -> each.key().activity().equals("n~2")));
        }
        try (Pawl pawl = open(url, waitingMax, flow)) {
            WorkflowHandle<String> handle = pawl.workflow(flow, "w");
            handle.signal("n", 7);

            assertThat(handle.result(SOON)).isEqualTo("SignalUnreadable n 7");
            assertThat(undone).isEmpty();
        }
    }

    private Flow<String, String> uncaught(Class<?> type) {
        return Flow.named("count", String.class, String.class, (context, input) -> {
            context.onRollback("undo", () -> undone.add("undone"));
            return "got " + context.signal("n", type);
        });
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void flowThatDoesNotCatchItIsParkedAndTakesNothingBack(Databases.Kind kind, int waitingMax) throws Exception {
        String url = kind.fresh();
        for (int round = 0; round < 2; round++) {
            try (Pawl pawl = open(url, waitingMax, uncaught(Integer.class))) {
                WorkflowHandle<String> handle =
                        pawl.startWithSignal(uncaught(Integer.class), "w", "", "n", "none", "s-1");
                await(() -> handle.status() == WorkflowStatus.PARKED);
                assertThat(handle.reason()).contains("PayloadUnreadable", "java.lang.Integer", "\"operation\":\"n\"");
                assertThat(undone).isEmpty();
            }
        }
        try (Pawl pawl = open(url, waitingMax, uncaught(String.class))) {
            assertThat(pawl.workflow(uncaught(String.class), "w").result(SOON)).isEqualTo("got none");
            assertThat(undone).isEmpty();
        }
    }

    /** In a branch, and what comes after it: which of two runs may read it is a matter of what is recorded after it. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void errorOfAWaitInABranchIsTheSameWhenTheCodeRunsAgain(Databases.Kind kind) throws Exception {
        Flow<String, String> flow = Flow.named("fan", String.class, String.class, (context, input) -> {
            List<String> both = context.parallel(List.of(branch -> {
                try {
                    return "got " + branch.signal("n", Integer.class);
                } catch (SignalUnreadable e) {
                    return e.code();
                }
            }, branch -> branch.step("beside", String.class, () -> "beside")));
            context.step("after", String.class, () -> "x");
            return both + context.signal("go", String.class);
        });
        String url = kind.fresh();
        try (Pawl pawl = open(url, 0, flow)) {
            WorkflowHandle<String> handle = pawl.startWithSignal(flow, "w", "", "n", "none", "s-1");
            await(() -> handle.operations().stream().anyMatch(each -> each.key().activity().equals("go")));
        }
        try (Pawl pawl = open(url, 0, flow)) {
            pawl.workflow(flow, "w").signal("go", "!");
            assertThat(pawl.workflow(flow, "w").result(SOON)).isEqualTo("[SignalUnreadable, beside]!");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void updateThatTheHandlerCannotReadIsRefusedAndChangesNothing(Databases.Kind kind) {
        Flow<String, String> flow = Flow.named("sum", String.class, String.class, (context, input) -> {
            int[] sum = {0};
            context.onRollback("undo", () -> undone.add("undone"));
            context.onUpdate("add", Integer.class, Integer.class, added -> sum[0] += added);
            context.onQuery("sum", Integer.class, Integer.class, factor -> sum[0] * factor);
            return context.signal("go", String.class) + sum[0];
        });
        String url = kind.fresh();
        try (Pawl pawl = open(url, 1_000, flow)) {
            WorkflowHandle<String> handle = pawl.start(flow, "w", "");
            assertThat(handle.update("add", 2, Integer.class)).isEqualTo(2);
            assertThatThrownBy(() -> handle.update("add", "many", Integer.class)).hasFieldOrPropertyWithValue("code",
                    "UpdateFailed").hasMessageContaining("java.lang.Integer").hasMessageNotContaining("many");
            assertThat(handle.query("sum", 10, Integer.class)).isEqualTo(20);
            assertThatThrownBy(() -> handle.query("sum", "ten", Integer.class))
                    .hasFieldOrPropertyWithValue("code", "PayloadUnreadable");
        }
        try (Pawl pawl = open(url, 1_000, flow)) {
            WorkflowHandle<String> handle = pawl.workflow(flow, "w");
            assertThat(handle.update("add", 3, Integer.class)).isEqualTo(5);
            handle.signal("go", "=");
            assertThat(handle.result(SOON)).isEqualTo("=5");
            assertThat(undone).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void signalThatCarriesNothingIsNotATimeOut(Databases.Kind kind, int waitingMax) {
        Flow<String, String> flow = Flow.named("null", String.class, String.class, (context, input) -> {
            Received<String> none = context.signal("never", String.class, Duration.ofMillis(20));
            Received<String> empty = context.signal("empty", String.class, Duration.ofMinutes(5));
            String misused = "";
            try {
                misused = none.payload();
            } catch (IllegalStateException e) {
                misused = "refused";
            }
            return none.arrived() + " " + none.orElse("late") + " " + misused + " " + empty.arrived() + " "
                    + empty.payload() + " " + empty.orElse("late");
        });
        try (Pawl pawl = open(kind.fresh(), waitingMax, flow)) {
            WorkflowHandle<String> handle = pawl.start(flow, "w", "");
            handle.signal("empty", null);
            assertThat(handle.result(SOON)).isEqualTo("false late refused true null null");
        }
    }
}
