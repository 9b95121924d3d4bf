package dev.pawl;

import static dev.pawl.FlowTest.SOON;
import static dev.pawl.FlowTest.await;
import static dev.pawl.FlowTest.open;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.flow.UpdateOptions;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.workflow.ActivityRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Handlers of updates are branches of their own: they do what the flow may do, survive crashes, and take turns with the flow. */
class UpdateHandlerTest {

    private final List<String> log = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger calls = new AtomicInteger();

    private static <T> CompletableFuture<T> later(Supplier<T> call) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                answer.complete(call.get());
            } catch (RuntimeException e) {
                answer.completeExceptionally(e);
            }
        });
        return answer;
    }

    private static <T> T soon(CompletableFuture<T> answer) throws Exception {
        return answer.get(SOON.toSeconds(), TimeUnit.SECONDS);
    }

    /** Every kind of operation, on a state that the main code changes, too. */
    private final Flow<String, String> busy = Flow.named("busy", String.class, String.class, (flow, input) -> {
        StringBuilder state = new StringBuilder(input);
        flow.onUpdate("work", String.class, String.class, (handler, word) -> {
            state.append(" +").append(word);
            String one = handler.step("one", String.class, () -> {
                log.add("one " + word);
                return "1";
            });
            state.append(one);
            handler.sleep(Duration.ofMillis(20));
            String more = handler.signal("more", String.class);
            state.append(more);
            String book = handler.transaction("book", String.class, connection -> "b");
            state.append(book);
            return state.toString();
        });
        for (int i = 0; i < 3; i++) {
            String go = flow.signal("go", String.class);
            state.append(' ').append(go);
        }
        return state.toString();
    });

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void handlerDoesWhatTheFlowMayDo(Databases.Kind kind, int waitingMax) throws Exception {
        try (Pawl pawl = open(kind.fresh(), waitingMax, busy)) {
            WorkflowHandle<String> handle = pawl.start(busy, "w", "s");
            handle.signal("go", "g1");
            CompletableFuture<String> answer = later(() -> handle.update("work", "a", String.class));
            await(() -> handle.operations().toString().contains(":more"));
            handle.signal("go", "g2");
            handle.signal("more", "m");
            assertThat(soon(answer)).startsWith("s").contains(" +a", "m", "g1").endsWith("b");
            handle.signal("go", "g3");
            String result = handle.result(SOON);
            assertThat(result).contains(" +a", "m", "b", "g1", "g2").endsWith("g3");
            assertThat(log).containsExactly("one a");
        }
    }

    /** Cut off after every commit of the handler's operations, one after the other: it goes on, and the state is the same. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void handlerGoesOnAfterACrashInAnyOfItsOperations(Databases.Kind kind) throws Exception {
        for (String operation : List.of("one", "sleep", "more", "book")) {
            for (boolean after : new boolean[] {true, false}) {
                String url = kind.fresh();
                CompletableFuture<String> first;
                try (Lifetime crashing = new Lifetime(url, busy)) {
                    crashing.pawl.start(busy, "w", "s").signal("go", "g1");
                    await(() -> crashing.operation("w", "go~2") != null);
                    java.util.function.Predicate<dev.pawl.kernel.bundle.Write> end =
                            write -> write instanceof dev.pawl.kernel.bundle.Write.PutActivity put
                                    && put.activity().key().activity().endsWith(":" + operation)
                                    && put.activity().ledger().finalized();
                    Lifetime unused = after ? crashing.cutAfter(end) : crashing.cutBefore(end);
                    crashing.pawl.workflow("w").signal("more", "m");
                    first = later(() -> crashing.pawl.workflow("w").update("work", "a", String.class, "u-1", SOON));
                    crashing.awaitCut();
                }
                try (Lifetime second = new Lifetime(url, busy)) {
                    WorkflowHandle<String> handle = second.pawl.workflow(busy, "w");
                    assertThat(handle.update("work", "ignored", String.class, "u-1", SOON)).as(operation + " " + after)
                            .isEqualTo("s g1 +a1mb");
                    assertThat(handle.status()).isEqualTo(WorkflowStatus.RUNNING);
                    handle.signal("go", "g2");
                    handle.signal("go", "g3");
                    assertThat(handle.result(SOON)).isEqualTo("s g1 +a1mb g2 g3");
                }
                assertThat(first).isNotNull();
            }
        }
    }

    /** The state that main code and handlers share comes about in the same order whenever the code runs again. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void turnsAreTheSameAfterARestart(Databases.Kind kind, int waitingMax) throws Exception {
        Flow<String, String> turns = Flow.named("turns", String.class, String.class, (flow, input) -> {
            StringBuilder state = new StringBuilder();
            flow.onUpdate("say", String.class, String.class, (handler, word) -> {
                state.append(word).append('1');
                handler.step("a", () -> {});
                state.append(word).append('2');
                handler.sleep(Duration.ofMillis(1));
                state.append(word).append('3');
                return state.toString();
            }, UpdateOptions.<String>serial().concurrent());
            flow.onQuery("state", String.class, String.class, none -> state.toString());
            for (int i = 0; i < 6; i++) {
                state.append('m').append(i);
                flow.step("s", () -> {});
            }
            flow.signal("go", String.class);
            return state.toString();
        });
        String url = kind.fresh();
        String seen;
        try (Pawl pawl = open(url, waitingMax, turns)) {
            WorkflowHandle<String> handle = pawl.start(turns, "w", "x");
            List<CompletableFuture<String>> answers = Stream.of("a", "b", "c")
                    .map(word -> later(() -> handle.update("say", word, String.class))).toList();
            for (CompletableFuture<String> answer : answers) {
                soon(answer);
            }
            await(() -> handle.query("state", "", String.class).contains("m5"));
            seen = handle.query("state", "", String.class);
            assertThat(seen).contains("a1", "a2", "a3", "b3", "c3");
        }
        try (Pawl pawl = open(url, waitingMax, turns)) {
            assertThat(pawl.workflow(turns, "w").query("state", "", String.class)).isEqualTo(seen);
            pawl.workflow("w").signal("go", "x");
            assertThat(pawl.workflow(turns, "w").result(SOON)).isEqualTo(seen);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void updateIsAnsweredWhileTheMainCodeIsInAStep(Databases.Kind kind, int waitingMax) throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        Flow<String, String> flow = Flow.named("long", String.class, String.class, (context, input) -> {
            AtomicInteger sum = new AtomicInteger();
            context.onUpdate("add", Integer.class, Integer.class, sum::addAndGet);
            context.step("long", String.class, () -> {
                calls.incrementAndGet();
                release.await();
                return "x";
            });
            return "sum " + sum.get();
        });
        try (Pawl pawl = open(kind.fresh(), waitingMax, flow)) {
            WorkflowHandle<String> handle = pawl.start(flow, "w", "x");
            await(() -> calls.get() == 1);
            assertThat(handle.update("add", 1, Integer.class, "u-1", SOON)).isEqualTo(1);
            assertThat(handle.update("add", 2, Integer.class, "u-2", SOON)).isEqualTo(3);
            release.countDown();
            assertThat(handle.result(SOON)).isEqualTo("sum 3");
        }
    }

    private Flow<String, String> waiting(UpdateOptions<String> options) {
        return Flow.named("waiting", String.class, String.class, (flow, input) -> {
            flow.onUpdate("wait", String.class, String.class, (handler, word) -> {
                log.add("begin " + word);
                handler.signal("release-" + word, String.class);
                log.add("end " + word);
                return word;
            }, options);
            flow.signal("go", String.class);
            return "done";
        });
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void handlersRunOneAtATimeUnlessTheyAreConcurrent(Databases.Kind kind) throws Exception {
        for (boolean concurrent : new boolean[] {false, true}) {
            log.clear();
            Flow<String, String> flow = waiting(concurrent ? UpdateOptions.<String>serial().concurrent()
                    : UpdateOptions.serial());
            try (Pawl pawl = open(kind.fresh(), 1_000, flow)) {
                WorkflowHandle<String> handle = pawl.start(flow, "w", "x");
                CompletableFuture<String> a = later(() -> handle.update("wait", "a", String.class));
                await(() -> log.contains("begin a"));
                CompletableFuture<String> b = later(() -> handle.update("wait", "b", String.class));
                handle.signal("release-b", "x");
                if (concurrent) {
                    assertThat(soon(b)).isEqualTo("b");
                }
                handle.signal("release-a", "x");
                assertThat(soon(a)).isEqualTo("a");
                assertThat(soon(b)).isEqualTo("b");
                handle.signal("go", "x");
                assertThat(handle.result(SOON)).isEqualTo("done");
                assertThat(log).isEqualTo(concurrent ? List.of("begin a", "begin b", "end b", "end a")
                        : List.of("begin a", "end a", "begin b", "end b"));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void refusedUpdateChangesNothing(Databases.Kind kind, int waitingMax) {
        Flow<String, String> flow = Flow.named("strict", String.class, String.class, (context, input) -> {
            AtomicInteger sum = new AtomicInteger();
            context.onUpdate("add", Integer.class, Integer.class, (handler, added) -> {
                handler.step("note", () -> log.add("added " + added));
                return sum.addAndGet(added);
            }, UpdateOptions.validatedBy(added -> {
                if (sum.get() + added > 10) {
                    throw new IllegalArgumentException("at most 10, but there would be " + (sum.get() + added));
                }
            }));
            context.signal("go", String.class);
            return "sum " + sum.get();
        });
        String url = kind.fresh();
        try (Pawl pawl = open(url, waitingMax, flow)) {
            WorkflowHandle<String> handle = pawl.start(flow, "w", "x");
            assertThat(handle.update("add", 6, Integer.class, "u-1", SOON)).isEqualTo(6);
            assertThatThrownBy(() -> handle.update("add", 5, Integer.class, "u-2", SOON))
                    .hasFieldOrPropertyWithValue("code", "UpdateRefused")
                    .hasMessageContaining("add").hasMessageContaining("at most 10, but there would be 11");
            assertThat(handle.operations()).extracting(ActivityRecord::key).filteredOn(
                    key -> key.activity().endsWith(":note")).hasSize(1);
        }
        try (Pawl pawl = open(url, waitingMax, flow)) {
            WorkflowHandle<String> handle = pawl.workflow(flow, "w");
            assertThat(handle.update("add", 4, Integer.class, "u-3", SOON)).isEqualTo(10);
            assertThatThrownBy(() -> handle.update("add", 5, Integer.class, "u-2", SOON))
                    .hasFieldOrPropertyWithValue("code", "UpdateRefused");
            handle.signal("go", "x");
            assertThat(handle.result(SOON)).isEqualTo("sum 10");
            assertThat(log).containsExactly("added 6", "added 4");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void flowEndsWhenItsHandlersHaveAnswered(Databases.Kind kind, int waitingMax) throws Exception {
        Flow<String, String> flow = waiting(UpdateOptions.serial());
        String url = kind.fresh();
        try (Pawl pawl = open(url, waitingMax, flow)) {
            WorkflowHandle<String> handle = pawl.start(flow, "w", "x");
            CompletableFuture<String> unused = later(() -> handle.update("wait", "a", String.class, "u-1", SOON));
            await(() -> log.contains("begin a"));
            handle.signal("go", "x");
            assertThatThrownBy(() -> handle.result(Duration.ofMillis(300))).hasFieldOrPropertyWithValue("code",
                    "Timeout");
        }
        try (Pawl pawl = open(url, waitingMax, flow)) {
            WorkflowHandle<String> handle = pawl.workflow(flow, "w");
            handle.signal("release-a", "x");
            assertThat(handle.result(SOON)).isEqualTo("done");
            assertThat(handle.update("wait", "a", String.class, "u-1", SOON)).isEqualTo("a");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void handlersAreCancelledWithAFlowThatFails(Databases.Kind kind, int waitingMax) throws Exception {
        Flow<String, String> flow = Flow.named("failing", String.class, String.class, (context, input) -> {
            context.onUpdate("wait", String.class, String.class, (handler, word) -> {
                handler.step("do", () -> log.add("did"));
                handler.onRollback("undo", () -> log.add("undone"));
                log.add("waits");
                return handler.signal("never", String.class);
            });
            context.signal("go", String.class);
            throw new IllegalStateException("no good");
        });
        try (Pawl pawl = open(kind.fresh(), waitingMax, flow)) {
            WorkflowHandle<String> handle = pawl.start(flow, "w", "x");
            CompletableFuture<String> answer = later(() -> handle.update("wait", "a", String.class));
            await(() -> log.contains("waits") && handle.operations().toString().contains(":never"));
            handle.signal("go", "x");
            assertThatThrownBy(() -> handle.result(SOON)).hasMessageContaining("no good");
            assertThatThrownBy(() -> soon(answer)).hasRootCauseMessage("the flow has ended: no good");
            assertThat(log).contains("did", "undone");
        }
    }
}
