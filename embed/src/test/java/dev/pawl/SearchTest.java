package dev.pawl;

import static dev.pawl.FlowTest.SOON;
import static dev.pawl.FlowTest.await;
import static dev.pawl.FlowTest.open;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.store.Page;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Workflows are found by what they say of themselves, on both stores, with flows kept in memory and with flows put aside. */
class SearchTest {

    private static final Instant DUE = Instant.parse("2030-06-01T12:00:00Z");

    private static final Flow<Integer, String> ORDER = Flow.named("order", Integer.class, String.class,
            (flow, total) -> {
                flow.attribute("total", total);
                flow.attribute("due", DUE.plusSeconds(total));
                flow.attribute("state", "waiting");
                flow.memo("items", List.of(Map.of("sku", "a-1"), total));
                flow.signal("paid", String.class);
                flow.attribute("state", "paid");
                flow.attribute("vip", total > 100);
                flow.removeAttribute("due");
                flow.removeMemo("note");
                return flow.signal("shipped", String.class);
            });

    private static List<String> ids(Page<WorkflowSummary> page) {
        return page.items().stream().map(WorkflowSummary::workflowId).toList();
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void workflowsAreFoundByWhatTheySayThroughARestart(Databases.Kind kind, int waitingMax) throws Exception {
        String url = kind.fresh();
        Search waiting = Search.all().is("state", "waiting");
        try (Pawl pawl = open(url, waitingMax, ORDER)) {
            for (int total : List.of(50, 150, 250)) {
                pawl.start(ORDER, "order-" + total, total, StartOptions.NONE.attribute("region", "eu")
                        .attribute("state", "new").memo("note", "n" + total));
            }
            await(() -> ids(pawl.workflows(waiting)).size() == 3);
            assertThat(pawl.workflow("order-50").attributes()).isEqualTo(Map.of("region", "eu", "state", "waiting",
                    "total", 50L, "due", DUE.plusSeconds(50)));
            assertThat(pawl.workflow("order-50").memo()).isEqualTo(Map.of("note", "n50", "items",
                    List.of(Map.of("sku", "a-1"), 50)));
        }
        try (Pawl pawl = open(url, waitingMax, ORDER)) {
            assertThat(ids(pawl.workflows(waiting))).hasSize(3);
            pawl.workflow("order-150").signal("paid", "yes");
            await(() -> ids(pawl.workflows(waiting)).size() == 2);
            await(() -> pawl.workflow("order-150").attributes().containsKey("vip"));
            await(() -> pawl.workflow("order-150").memo().size() == 1);

            assertThat(pawl.workflow("order-150").attributes()).isEqualTo(
                    Map.of("region", "eu", "state", "paid", "total", 150L, "vip", true));
            assertThat(ids(pawl.workflows(Search.all().is("vip", true).definition(ORDER))))
                    .containsExactly("order-150");
            assertThat(ids(pawl.workflows(Search.all().is("vip", false)))).isEmpty();
            assertThat(ids(pawl.workflows(Search.all().atLeast("total", 150).is("region", "eu"))))
                    .containsExactlyInAnyOrder("order-150", "order-250");
            assertThat(ids(pawl.workflows(Search.all().between("total", 40, 60)))).containsExactly("order-50");
            assertThat(ids(pawl.workflows(Search.all().atMost("due", DUE.plusSeconds(200)))))
                    .containsExactly("order-50");
            assertThat(ids(pawl.workflows(Search.all().in("state", "paid", "lost").exists("total"))))
                    .containsExactly("order-150");
            assertThat(ids(pawl.workflows(Search.all().in("total", 50, 250).status(WorkflowStatus.COMPLETED))))
                    .isEmpty();
            pawl.workflow("order-150").signal("shipped", "gone");
            pawl.workflow("order-150").result(SOON);
            assertThat(ids(pawl.workflows(Search.all().is("state", "paid").status(WorkflowStatus.COMPLETED))))
                    .containsExactly("order-150");
            assertThat(pawl.workflow("order-150").events().toString()).contains("\"name\":\"vip\"")
                    .contains("\"removed\":\"attribute\"").contains("\"removed\":\"memo\"");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void pagesGoOnWhereTheyEndedAndAreNewestFirst(Databases.Kind kind) {
        Flow<String, String> flow = Flow.named("echo", String.class, String.class, (context, input) -> input);
        try (Pawl pawl = open(kind.fresh(), 100, flow)) {
            for (int i = 0; i < 7; i++) {
                pawl.start(flow, "w" + i, "x", StartOptions.NONE.attribute("batch", "b").attribute("n", i));
            }
            pawl.start(flow, "other", "x");
            List<WorkflowSummary> all = new ArrayList<>();
            @Nullable String cursor = null;
            do {
                Page<WorkflowSummary> page = pawl.workflows(Search.all().is("batch", "b"), cursor, 3);
                all.addAll(page.items());
                cursor = page.next();
            } while (cursor != null);

            assertThat(all).hasSize(7)
                    .isSortedAccordingTo((one, other) -> other.createdAt().compareTo(one.createdAt()));
            assertThat(all).extracting(WorkflowSummary::workflowId).doesNotHaveDuplicates();
            assertThat(ids(pawl.workflows(Search.all()))).hasSize(8);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void attributesGoAlongToTheWorkflowThatGoesOn(Databases.Kind kind, int waitingMax) {
        Flow<Integer, Integer> flow = Flow.named("counter", Integer.class, Integer.class, (context, round) -> {
            context.attribute("round", round);
            if (round == 1) {
                context.attribute("gone", "x");
                context.memo("first", Map.of("by", context.workflowId()));
                context.sleep(Duration.ofMillis(5));
                context.removeAttribute("gone");
            }
            return round < 3 ? context.<Integer>continueAsNew(round + 1) : round;
        });
        try (Pawl pawl = open(kind.fresh(), waitingMax, flow)) {
            WorkflowHandle<Integer> handle = pawl.start(flow, "w", 1, StartOptions.NONE.attribute("tenant", "t-1"));

            assertThat(handle.result(SOON)).isEqualTo(3);
            assertThat(pawl.workflow("w~3").attributes()).isEqualTo(Map.of("tenant", "t-1", "round", 3L));
            assertThat(pawl.workflow("w~3").memo()).isEqualTo(Map.of("first", Map.of("by", "w")));
            assertThat(ids(pawl.workflows(Search.all().is("tenant", "t-1")))).hasSize(3);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void startWithOtherAttributesIsTheSameStart(Databases.Kind kind) {
        Flow<String, String> flow = Flow.named("wait", String.class, String.class,
                (context, input) -> context.signal("go", String.class));
        Instant later = Instant.now().plusSeconds(3_600);
        try (Pawl pawl = open(kind.fresh(), 100, flow)) {
            pawl.start(flow, "w", "x", StartOptions.NONE.attribute("a", "first"));
            pawl.start(flow, "w", "x", StartOptions.NONE.attribute("a", "second"));
            pawl.start(flow, "w", "x");
            pawl.start(flow, "later", "x", StartOptions.NONE.at(later).attribute("a", "first"));

            assertThat(pawl.workflow("w").attributes()).isEqualTo(Map.of("a", "first"));
            assertThat(ids(pawl.workflows(Search.all().is("a", "first")))).containsExactlyInAnyOrder("w", "later");
            assertThatThrownBy(() -> pawl.start(flow, "w", "y", StartOptions.NONE.attribute("a", "first")))
                    .hasFieldOrPropertyWithValue("code", "WorkflowIdConflict");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void whatCannotBeAnAttributeIsRefusedWithACode(Databases.Kind kind) {
        Flow<Integer, String> flow = Flow.named("many", Integer.class, String.class, (context, count) -> {
            for (int i = 0; i < count; i++) {
                context.attribute("a" + i, i);
                context.attribute("a0", "again");
            }
            return "done";
        });
        try (Pawl pawl = open(kind.fresh(), 0, flow)) {
            assertThat(pawl.start(flow, "w64", 64).result(SOON)).isEqualTo("done");
            assertThatThrownBy(() -> pawl.start(flow, "w65", 65).result(SOON)).hasMessageContaining("at most 64 names");
            assertThatThrownBy(() -> pawl.start(flow, "w63", 63, StartOptions.NONE.attribute("x", 1)
                    .attribute("y", 2)).result(SOON)).hasMessageContaining("at most 64 names");
            for (Runnable bad : List.<Runnable>of(
                    () -> Search.all().is("a b", "x"), () -> Search.all().exists("'; drop table attribute; --"),
                    () -> Search.all().is("a", "\0"), () -> Search.all().in("a", new String[0]),
                    () -> Search.all().atLeast("", 1), () -> Search.all().is("a", Instant.MAX),
                    () -> StartOptions.NONE.attribute("a", "x".repeat(2_049)),
                    () -> pawl.start(flow, "w", 1, StartOptions.NONE.memo("a", "x".repeat(20_000))),
                    () -> pawl.workflows(Search.all(), "1' or 1=1", 10),
                    () -> pawl.workflows(Search.all(), null, 501))) {
                assertThatThrownBy(bad::run).hasFieldOrPropertyWithValue("code", "ValidationFailed");
            }
            assertThat(ids(pawl.workflows(Search.all().is("a1", "'; drop table attribute; --")))).isEmpty();
            assertThat(ids(pawl.workflows(Search.all().is("a1", 1)))).contains("w64");
        }
    }
}
