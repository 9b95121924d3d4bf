package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.flow.Activity;
import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.flow.ReplayMode;
import dev.pawl.engine.flow.Verified;
import dev.pawl.engine.store.Page;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whether the outside world still agrees with the record is asked when the code is run again, and the mode says what follows. */
class ReplayVerificationTest {

    private static final Duration SOON = Duration.ofSeconds(60);

    private final AtomicInteger looks = new AtomicInteger();
    private final AtomicInteger calls = new AtomicInteger();
    private final List<String> undone = Collections.synchronizedList(new ArrayList<>());
    private final AtomicReference<Verified<Map<String, Object>>> world =
            new AtomicReference<>(new Verified.Completed<>(Map.of("receipt", 7, "amount", "1.00")));

    private Flow<String, String> flow(ReplayMode mode) {
        Activity<String, Map<String, Object>> charge = Activity
                .<String, Map<String, Object>>named("charge",
                        new dev.pawl.engine.flow.TypeRef<Map<String, Object>>() {}, (attempt, input) -> {
                            calls.incrementAndGet();
                            return Map.of("amount", "1.00", "receipt", 7);
                        })
                .key(input -> "key")
                .verify((key, input) -> {
                    looks.incrementAndGet();
                    return world.get();
                })
                .confirmOnReplay(mode);
        return Flow.named("pay", String.class, String.class, (context, input) -> {
            context.step("before", String.class, () -> "x");
            context.onRollback("undo", () -> undone.add("before"));
            String receipt;
            try {
                receipt = "receipt " + context.run(charge, input).get("receipt");
            } catch (RuntimeException e) {
                receipt = "swallowed " + e;
            }
            String first = context.signal("first", String.class);
            return receipt + first + context.signal("second", String.class);
        });
    }

    private static Pawl open(String url, Flow<?, ?> flow) {
        return Pawl.builder().url(url).shards(2).lease(Duration.ofSeconds(3), Duration.ofMillis(500)).waitingMax(0)
                .definitions(flow).open();
    }

    /** Done, and waiting for its first signal. */
    private void begun(String url, Flow<String, String> flow) throws InterruptedException {
        try (Pawl pawl = open(url, flow)) {
            WorkflowHandle<String> handle = pawl.start(flow, "w", "x");
            for (int i = 0; i < 6_000 && handle.operations().size() < 3; i++) {
                new CountDownLatch(1).await(10, TimeUnit.MILLISECONDS);
            }
        }
        assertThat(looks).as("it is not asked about what was just done").hasValue(0);
    }

    private static Case awaitCase(Pawl pawl) throws InterruptedException {
        for (int i = 0; i < 2_000; i++) {
            Page<Case> page = pawl.attention().list(null, 10);
            if (!page.items().isEmpty()) {
                return page.items().getFirst();
            }
            new CountDownLatch(1).await(10, TimeUnit.MILLISECONDS);
        }
        throw new AssertionError("nothing came up");
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void worldThatAgreesIsAskedOnceForEachOwner(Databases.Kind kind) throws Exception {
        String url = kind.fresh();
        Flow<String, String> flow = flow(ReplayMode.STRICT);
        begun(url, flow);
        try (Pawl pawl = open(url, flow)) {
            WorkflowHandle<String> handle = pawl.workflow(flow, "w");
            handle.signal("first", "a");
            for (int i = 0; i < 6_000 && handle.operations().size() < 4; i++) {
                new CountDownLatch(1).await(10, TimeUnit.MILLISECONDS);
            }
            handle.signal("second", "b");
            assertThat(handle.result(SOON)).isEqualTo("receipt 7ab");
        }
        assertThat(looks).as("the code ran twice here").hasValue(1);
        assertThat(calls).hasValue(1);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void strictFailsForGoodWhateverTheCodeCatches(Databases.Kind kind) throws Exception {
        for (Verified<Map<String, Object>> other : List.<Verified<Map<String, Object>>>of(
                new Verified.NotCompleted<>(), new Verified.Completed<>(Map.of("receipt", 8, "amount", "1.00")))) {
            String url = kind.fresh();
            looks.set(0);
            undone.clear();
            Flow<String, String> flow = flow(ReplayMode.STRICT);
            begun(url, flow);
            world.set(other);
            try (Pawl pawl = open(url, flow)) {
                pawl.workflow("w").signal("first", "a");
                assertThatThrownBy(() -> pawl.workflow(flow, "w").result(SOON)).isInstanceOf(WorkflowFailed.class)
                        .hasMessageContaining("the outside world");
                assertThat(pawl.workflow("w").status()).isEqualTo(WorkflowStatus.FAILED);
                assertThat(pawl.counters()).containsEntry("ConfirmationReplayWarnTotal", 0L);
            }
            assertThat(undone).containsExactly("before");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void warnCountsAndGoesOn(Databases.Kind kind) throws Exception {
        String url = kind.fresh();
        Flow<String, String> flow = flow(ReplayMode.WARN);
        begun(url, flow);
        world.set(new Verified.NotCompleted<>());
        try (Pawl pawl = open(url, flow)) {
            pawl.workflow("w").signal("first", "a", "1");
            pawl.workflow("w").signal("second", "b", "2");
            assertThat(pawl.workflow(flow, "w").result(SOON)).isEqualTo("receipt 7ab");
            assertThat(pawl.counters()).containsEntry("ConfirmationReplayWarnTotal", 1L);
        }
        assertThat(calls).hasValue(1);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void humanInLoopParksUntilSomebodyHasDecided(Databases.Kind kind) throws Exception {
        String url = kind.fresh();
        Flow<String, String> flow = flow(ReplayMode.HUMAN_IN_LOOP);
        begun(url, flow);
        world.set(new Verified.NotCompleted<>());
        Case first;
        try (Pawl pawl = open(url, flow)) {
            pawl.workflow("w").signal("first", "a", "1");
            first = awaitCase(pawl);
            assertThat(first).isInstanceOf(Case.UnconfirmedOperation.class);
            assertThat(first.evidence().code()).isEqualTo("ReplayVerificationHumanRequired");
            assertThat(first.evidence().operation()).isEqualTo("charge");
            assertThat(pawl.workflow("w").status()).isEqualTo(WorkflowStatus.PARKED);
            assertThat(pawl.workflow("w").reason()).contains("ReplayVerificationHumanRequired");
        }
        try (Pawl pawl = open(url, flow)) {
            pawl.decide(first.id(), Decision.retry(), "desk-1");
            Case second = awaitCase(pawl);
            assertThat(second.id()).isNotEqualTo(first.id());
            pawl.decide(second.id(), Decision.accept().because("seen in the books"), "desk-2");
            pawl.workflow("w").signal("second", "b", "2");
            assertThat(pawl.workflow(flow, "w").result(SOON)).isEqualTo("receipt 7ab");
            assertThat(pawl.workflow("w").status()).isEqualTo(WorkflowStatus.COMPLETED);
        }
        assertThat(calls).hasValue(1);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void worldThatCannotBeAskedFailsNothing(Databases.Kind kind) throws Exception {
        String url = kind.fresh();
        Flow<String, String> flow = flow(ReplayMode.STRICT);
        begun(url, flow);
        world.set(new Verified.Indeterminate<>("down"));
        try (Pawl pawl = open(url, flow)) {
            pawl.workflow("w").signal("first", "a", "1");
            Case asked = awaitCase(pawl);
            assertThat(asked.evidence().code()).isEqualTo("ReplayVerificationIndeterminate");
            world.set(new Verified.ResultUnavailable<>("too long ago"));
            pawl.decide(asked.id(), Decision.retry(), "desk-1");
            pawl.workflow("w").signal("second", "b", "2");
            assertThat(pawl.workflow(flow, "w").result(SOON)).isEqualTo("receipt 7ab");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void decisionToAbortEndsIt(Databases.Kind kind) throws Exception {
        String url = kind.fresh();
        Flow<String, String> flow = flow(ReplayMode.HUMAN_IN_LOOP);
        begun(url, flow);
        world.set(new Verified.NotCompleted<>());
        try (Pawl pawl = open(url, flow)) {
            pawl.workflow("w").signal("first", "a", "1");
            pawl.decide(awaitCase(pawl).id(), Decision.abort(), "desk-1");
            assertThatThrownBy(() -> pawl.workflow(flow, "w").result(SOON)).hasMessageContaining("desk-1");
        }
        assertThat(undone).containsExactly("before");
    }
}
