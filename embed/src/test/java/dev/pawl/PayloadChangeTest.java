package dev.pawl;

import static dev.pawl.FlowTest.SOON;
import static dev.pawl.FlowTest.await;
import static dev.pawl.FlowTest.open;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.flow.Activity;
import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.flow.FlowContext;
import dev.pawl.engine.store.Page;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A class is changed between two deployments, and does not fit what is stored: the workflow is parked, nothing is taken back, and it goes
 * on when code is there that fits.
 */
class PayloadChangeTest {

    private static final String AMOUNT = "12.50";

    /** As it was when the workflow was started. */
    record Order(String id, String amount) {
    }

    /** As it is after a deployment. */
    record Changed(String id, List<Integer> amount) {
    }

    /** What of a workflow is read as the class that has changed. */
    enum Place {
        INPUT, STEP, ACTIVITY, ELSEWHERE, TRANSACTION, CHILD, SIGNAL, TIMED_SIGNAL, UPDATE
    }

    private final List<String> tokens = Collections.synchronizedList(new ArrayList<>());
    private final List<String> undone = Collections.synchronizedList(new ArrayList<>());

    static Stream<Arguments> places() {
        return Databases.all().flatMap(kind -> Stream.of(Place.values()).map(place -> Arguments.of(kind, place)));
    }

    private static Order order() {
        return new Order("a", AMOUNT);
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static Flow<Object, Object> child(Class<?> type) {
        return Flow.named("child", String.class, (Class) type, (context, input) -> context.step("make", (Class) type,
                PayloadChangeTest::order));
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private Flow<Object, String> flow(Place place, Class<?> type) {
        return Flow.named("order", (Class) (place == Place.INPUT ? type : Object.class), String.class,
                (FlowContext context, Object input) -> {
                    context.onRollback("undo", () -> undone.add("undone"));
                    read(context, place, (Class) type);
                    context.step("after", String.class, () -> "x");
                    return context.signal("go", String.class);
                });
    }

    private void read(FlowContext context, Place place, Class<Object> type) {
        switch (place) {
            case INPUT -> {}
            case STEP -> context.step("place", type, PayloadChangeTest::order);
            case ACTIVITY -> context.run(Activity.named("place", String.class, type, input -> (Object) order())
                    .compensate((input, output) -> undone.add("activity")), "x");
            case ELSEWHERE -> context.run(Activity.<String, Object>named("place", String.class, type,
                    (attempt, input) -> tokens.add(attempt.token())).completedElsewhere(), "x");
            case TRANSACTION -> context.transaction("place", type, connection -> order());
            case CHILD -> context.child(child(type), context.workflowId() + ".child", "x");
            case SIGNAL -> context.signal("place", type);
            case TIMED_SIGNAL -> context.signal("place", type, SOON);
            case UPDATE -> {
                context.onUpdate("place", type, String.class, given -> "taken");
                context.signal("updated", String.class);
            }
        }
    }

    private void happen(Place place, Pawl pawl, WorkflowHandle<?> handle) throws InterruptedException {
        switch (place) {
            case ELSEWHERE -> {
                await(() -> !tokens.isEmpty());
                pawl.complete(tokens.getFirst(), order());
            }
            case SIGNAL, TIMED_SIGNAL -> handle.signal("place", order());
            case UPDATE -> {
                assertThat(handle.update("place", order(), String.class)).isEqualTo("taken");
                handle.signal("updated", "");
            }
            case INPUT, STEP, ACTIVITY, TRANSACTION, CHILD -> {}
        }
    }

    private Pawl deploy(String url, Place place, Class<?> type) {
        return open(url, 1_000, flow(place, type), place == Place.CHILD ? child(Order.class) : child(type));
    }

    private static boolean after(WorkflowHandle<?> handle) {
        return handle.operations().stream().anyMatch(each -> each.key().activity().equals("after")
                && each.ledger().finalized());
    }

    @ParameterizedTest
    @MethodSource("places")
    void classThatDoesNotFitParksTheWorkflowUntilOneDoes(Databases.Kind kind, Place place) throws Exception {
        String url = kind.fresh();
        try (Pawl pawl = deploy(url, place, Order.class)) {
            WorkflowHandle<String> handle = pawl.start(flow(place, Order.class), "w", order());
            happen(place, pawl, handle);
            await(() -> after(handle));
        }
        try (Pawl pawl = deploy(url, place, Changed.class)) {
            WorkflowHandle<?> handle = pawl.workflow("w");
            handle.signal("go", "on");
            await(() -> handle.status() == WorkflowStatus.PARKED);

            assertThat(handle.reason()).contains("\"code\":\"PayloadUnreadable\"", Changed.class.getName(), "$.amount",
                    "a text of 5 characters", "java.util.ArrayList", "\"codeVersion\"", "\"recordedVersion\"")
                    .doesNotContain(AMOUNT);
            assertThat(parked(pawl)).isEqualTo("PayloadUnreadable");
            assertThat(undone).isEmpty();
        }
        try (Pawl pawl = deploy(url, place, Order.class)) {
            assertThat(pawl.workflow(flow(place, Order.class), "w").result(SOON)).isEqualTo("on");
            assertThat(undone).isEmpty();
        }
    }

    /** The update is there, and is answered by code that fits. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void updateOfAParkedWorkflowSaysThatItIsParked(Databases.Kind kind) throws Exception {
        String url = kind.fresh();
        try (Pawl pawl = deploy(url, Place.UPDATE, Order.class)) {
            WorkflowHandle<String> handle = pawl.start(flow(Place.UPDATE, Order.class), "w", order());
            happen(Place.UPDATE, pawl, handle);
            await(() -> after(handle));
        }
        try (Pawl pawl = deploy(url, Place.UPDATE, Changed.class)) {
            WorkflowHandle<?> handle = pawl.workflow("w");
            // It wakes the code, which meets the first update again and cannot read it.
            assertThatThrownBy(() -> handle.update("place", order(), String.class, "u-2", Duration.ofSeconds(3)))
                    .isInstanceOf(WorkflowParked.class).hasMessageContaining("w is parked")
                    .hasMessageContaining("PayloadUnreadable");
        }
        try (Pawl pawl = deploy(url, Place.UPDATE, Order.class)) {
            assertThat(pawl.workflow("w").update("place", order(), String.class, "u-2", SOON)).isEqualTo("taken");
        }
    }

    private static @Nullable String parked(Pawl pawl) {
        Page<Case> cases = pawl.attention().list(null, 10);
        assertThat(cases.items()).hasSize(1).first().isInstanceOf(Case.ParkedWorkflow.class);
        return cases.items().getFirst().evidence().code();
    }

    /** By a person, while the process runs: the types fit again, without another deployment. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void personHasAParkedWorkflowTriedOnceMore(Databases.Kind kind) throws Exception {
        boolean[] fits = {false};
        JsonCodec json = JsonCodec.builder().build();
        PayloadTransform broken = new PayloadTransform() {
            @Override
            public byte[] seal(byte[] written) {
                return json.encode(new String(written, java.nio.charset.StandardCharsets.UTF_8)).bytes();
            }

            @Override
            public byte[] open(byte[] stored) {
                if (!fits[0]) {
                    throw new IllegalArgumentException("the key is not there yet");
                }
                String written = json.decode(dev.pawl.kernel.message.Payload.of(stored), String.class);
                return String.valueOf(written).getBytes(java.nio.charset.StandardCharsets.UTF_8);
            }
        };
        Flow<String, String> flow = Flow.named("locked", String.class, String.class, (context, input) -> {
            context.onRollback("undo", () -> undone.add("undone"));
            return "read " + input;
        });
        try (Pawl pawl = Pawl.builder().url(kind.fresh()).shards(1).definitions(flow)
                .codec(JsonCodec.builder().transform(broken).build()).open()) {
            WorkflowHandle<String> handle = pawl.start(flow, "w", "x");
            await(() -> handle.status() == WorkflowStatus.PARKED);
            assertThat(handle.reason()).contains("PayloadUnreadable", "the key is not there yet");
            fits[0] = true;
            Case found = pawl.attention().list(null, 10).items().getFirst();
            pawl.decide(found.id(), Decision.retry(), "desk");

            assertThat(handle.result(SOON)).isEqualTo("read x");
            assertThat(undone).isEmpty();
        }
    }
}
