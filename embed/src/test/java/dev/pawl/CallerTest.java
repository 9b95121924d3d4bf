package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.retention.RetentionPolicy;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.StoreException;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Callers in the process that owns their workflow, on both stores: what they wait for is handed over by the commit and costs no call of the
 * store, and whatever happens to the shard meanwhile, no caller is forgotten, and none gets a result that is not durable.
 */
@Timeout(120)
class CallerTest {

    private static final Duration SOON = Duration.ofSeconds(60);
    /** More than one look at a workflow that another process owns. */
    private static final Duration LONG = Duration.ofMillis(2_500);

    private static final String AWAITED = "is waited for, but it is parked";

    private final Flow<String, String> step = Flow.named("step", String.class, String.class,
            (context, input) -> context.step("step", String.class, () -> input));
    private final Flow<String, String> patient = Flow.named("patient", String.class, String.class,
            (context, input) -> context.signal("go", String.class));
    private final Flow<Integer, String> rounds = Flow.named("rounds", Integer.class, String.class,
            (context, round) -> round == 3 ? "ended" : context.<String>continueAsNew(round + 1));
    private final Flow<String, String> slow = Flow.named("slow", String.class, String.class, (context, input) -> {
        context.sleep(LONG);
        return "slept";
    });
    private final Flow<String, String> broken = Flow.named("broken", String.class, String.class, (context, input) -> {
        throw new NoClassDefFoundError("a class is missing");
    });

    private PawlBuilder builder(Store store) {
        return Pawl.builder().store(store).shards(4).lease(Duration.ofSeconds(3), Duration.ofMillis(300))
                .definitions(step, patient, rounds, slow, broken);
    }

    /** With one shard, and what its last owner may have left is read: an engine that has been at work for a moment. */
    private Pawl warm(FaultyStore store) {
        // A start or signal that is not answered within a lease goes to the store; on a busy machine that may be more than a moment.
        Pawl pawl = builder(store.front).shards(1).lease(Duration.ofSeconds(30), Duration.ofSeconds(5)).open();
        pawl.start(step, "warm", "").result(SOON);
        store.calledByCallers.clear();
        return pawl;
    }

    /** Runs on a thread whose calls of the store are counted. */
    private static <T> CompletableFuture<T> caller(Callable<T> call) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        Thread.ofPlatform().daemon().name("caller").start(() -> {
            try {
                answer.complete(call.call());
            } catch (Throwable e) {
                answer.completeExceptionally(e);
            }
        });
        return answer;
    }

    private static <T> T get(CompletableFuture<T> answer) throws Exception {
        return answer.get(SOON.toSeconds(), TimeUnit.SECONDS);
    }

    private static void assertNoCalls(FaultyStore store) {
        assertThat(store.calledByCallers).as("calls of the store by callers").isSubsetOf("capabilities");
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void startAndResultMakeNoCallOfTheStore(Databases.Kind kind) throws Exception {
        FaultyStore store = new FaultyStore(kind.fresh());
        try (Pawl pawl = warm(store)) {
            assertThat(get(caller(() -> {
                for (int i = 0; i < 50; i++) {
                    assertThat(pawl.start(step, "w" + i, "x" + i).result()).isEqualTo("x" + i);
                }
                return "done";
            }))).isEqualTo("done");
            assertNoCalls(store);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void resultOfAWorkflowThatTakesLongMakesNoCallOfTheStore(Databases.Kind kind) throws Exception {
        FaultyStore store = new FaultyStore(kind.fresh());
        try (Pawl pawl = warm(store)) {
            assertThat(get(caller(() -> pawl.start(slow, "w", "").result()))).isEqualTo("slept");
            assertNoCalls(store);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void signalAndResultMakeNoCallOfTheStore(Databases.Kind kind) throws Exception {
        FaultyStore store = new FaultyStore(kind.fresh());
        try (Pawl pawl = warm(store)) {
            assertThat(get(caller(() -> {
                for (int i = 0; i < 50; i++) {
                    WorkflowHandle<String> handle = pawl.start(patient, "w" + i, "");
                    handle.signal("go", "x" + i);
                    assertThat(handle.result()).isEqualTo("x" + i);
                }
                return "done";
            }))).isEqualTo("done");
            assertNoCalls(store);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void resultOfAWorkflowThatHasEndedMeanwhileMakesNoCallOfTheStore(Databases.Kind kind) throws Exception {
        FaultyStore store = new FaultyStore(kind.fresh());
        try (Pawl pawl = warm(store)) {
            WorkflowHandle<String> handle = get(caller(() -> pawl.start(step, "w", "x")));
            FlowTest.await(() -> pawl.ends().size() == 2);
            assertThat(get(caller(() -> handle.result()))).isEqualTo("x");
            assertThat(get(caller(() -> handle.result()))).as("asked again").isEqualTo("x");
            assertNoCalls(store);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void resultOfTheLastOfManyRunsMakesNoCallOfTheStore(Databases.Kind kind) throws Exception {
        FaultyStore store = new FaultyStore(kind.fresh());
        try (Pawl pawl = warm(store)) {
            assertThat(get(caller(() -> pawl.start(rounds, "w", 1).result()))).isEqualTo("ended");
            assertNoCalls(store);
        }
    }

    /** A caller that has not started the workflow reads its row once, and then waits for the owner. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void callerThatHasNotStartedTheWorkflowReadsItOnce(Databases.Kind kind) throws Exception {
        FaultyStore store = new FaultyStore(kind.fresh());
        try (Pawl pawl = warm(store)) {
            pawl.start(slow, "w", "");
            CompletableFuture<Object> answer = caller(() -> Objects.requireNonNull(pawl.workflow("w").result()));
            FlowTest.await(() -> store.calledByCallers.contains("workflow"));
            store.calledByCallers.clear();
            assertThat(get(answer)).isEqualTo("slept");
            assertNoCalls(store);

            assertThat(get(caller(() -> Objects.requireNonNull(pawl.workflow("w").result())))).isEqualTo("slept");
            assertThat(store.calledByCallers).as("it ended before").contains("workflow");
            assertThatThrownBy(() -> pawl.workflow("none").result(SOON)).hasFieldOrPropertyWithValue("code",
                    "NotFound");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void callerOfAParkedWorkflowWarnsWheneverItWasParked(Databases.Kind kind) throws Exception {
        FaultyStore store = new FaultyStore(kind.fresh());
        try (LogCapture log = new LogCapture(); Pawl pawl = warm(store)) {
            CompletableFuture<String> meanwhile = caller(() -> pawl.start(broken, "w1", "").result());
            FlowTest.await(() -> log.at(Level.WARNING, AWAITED).size() == 1);
            WorkflowHandle<String> handle = pawl.start(broken, "w2", "");
            FlowTest.await(() -> handle.status() == WorkflowStatus.PARKED);
            CompletableFuture<String> before = caller(() -> handle.result());
            FlowTest.await(() -> log.at(Level.WARNING, AWAITED).size() == 2);
            for (Case each : pawl.attention().list(null, 2).items()) {
                pawl.decide(each.id(), Decision.abort(), "desk-1");
            }
            assertThatThrownBy(() -> get(meanwhile)).hasCauseInstanceOf(WorkflowFailed.class);
            assertThatThrownBy(() -> get(before)).hasCauseInstanceOf(WorkflowFailed.class);
        }
    }

    /** Two engines that share a store, in turn owners of the shard that a caller of the first one waits for. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void callerWaitsOnWhenTheShardMovesToAnotherEngine(Databases.Kind kind) throws Exception {
        Store shared = Lifetime.store(kind.fresh());
        try (Pawl first = builder(open(shared)).open()) {
            CompletableFuture<String>[] answers = newArray(12);
            for (int i = 0; i < answers.length; i++) {
                WorkflowHandle<String> handle = first.start(patient, "w" + i, "");
                answers[i] = caller(() -> handle.result());
            }
            FlowTest.await(() -> first.ends().size() == answers.length);
            try (Pawl second = builder(open(shared)).open()) {
                FlowTest.await(() -> owns(second, answers.length));
                for (int i = 0; i < answers.length; i++) {
                    second.workflow("w" + i).signal("go", "x" + i);
                }
                for (int i = 0; i < answers.length; i++) {
                    assertThat(get(answers[i])).isEqualTo("x" + i);
                }
            }
        } finally {
            shared.close();
        }
    }

    private static boolean owns(Pawl pawl, int workflows) {
        return IntStream.range(0, workflows).anyMatch(i -> pawl.owns("w" + i));
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static CompletableFuture<String>[] newArray(int length) {
        return new CompletableFuture[length];
    }

    /** A store that several engines have, and that none of them closes. */
    private static Store open(Store store) {
        return (Store) Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[] {Store.class},
                (proxy, method, args) -> {
                    if (method.getName().equals("close")) {
                        return null;
                    }
                    try {
                        return method.invoke(store, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** The commit of the end comes through and its answer gets lost, or the commit gets lost: each is found out before a caller is answered. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void endWhoseCommitHasAnUnknownOutcomeIsAnsweredWhenItIsKnown(Databases.Kind kind) throws Exception {
        for (boolean committed : new boolean[] {true, false}) {
            AtomicReference<WorkflowHandle<String>> handle = new AtomicReference<>();
            try (Lifetime life = new Lifetime(kind.fresh(), patient)) {
                handle.set(life.pawl.start(patient, "w", ""));
                CompletableFuture<String> answer = caller(() -> {
                    String result = handle.get().result();
                    assertThat(Objects.requireNonNull(life.snapshot("w").workflow()).status()).as("durable")
                            .isEqualTo(WorkflowStatus.COMPLETED);
                    return result;
                });
                FlowTest.await(() -> life.pawl.ends().size() == 1);
                if (committed) {
                    life.loseAnswer(Write.CloseWorkflow.class::isInstance);
                } else {
                    life.lose(Write.CloseWorkflow.class::isInstance);
                }
                life.pawl.workflow("w").signal("go", "on");
                assertThat(get(answer)).isEqualTo("on");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void callerWaitsOnWhileTheStoreIsAway(Databases.Kind kind) throws Exception {
        FaultyStore store = new FaultyStore(kind.fresh());
        try (Pawl pawl = builder(store.front).open()) {
            WorkflowHandle<String> handle = pawl.start(patient, "w", "");
            CompletableFuture<String> answer = caller(() -> handle.result());
            handle.signal("other", "x");
            store.refuse(4, "commit", "workflow");
            pawl.workflow("w").signal("go", "on");
            assertThat(get(answer)).isEqualTo("on");
        }
    }

    /** An error stops the engine. The caller finds the end that another engine has brought about; or its own time limit. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void callerOfAnEngineThatDiesIsNotForgotten(Databases.Kind kind) throws Exception {
        AtomicBoolean fault = new AtomicBoolean();
        String url = kind.fresh();
        Store store = FailingStore.of(url, method -> {
            if (method.equals("commit") && fault.get()) {
                throw new OutOfMemoryError("on purpose");
            }
        });
        CountDownLatch died = new CountDownLatch(1);
        try (Pawl first = builder(open(store)).onFatalError(error -> died.countDown()).open()) {
            WorkflowHandle<String> handle = first.start(patient, "w", "");
            CompletableFuture<String> patiently = caller(() -> handle.result());
            CompletableFuture<String> briefly = caller(() -> handle.result(Duration.ofSeconds(2)));
            FlowTest.await(() -> first.ends().size() == 1);
            fault.set(true);
            first.start(step, "x", "");
            assertThat(died.await(30, TimeUnit.SECONDS)).isTrue();
            fault.set(false);
            assertThatThrownBy(() -> get(briefly)).hasRootCauseInstanceOf(WorkflowError.class)
                    .rootCause().hasFieldOrPropertyWithValue("code", "Timeout");
            try (Pawl second = builder(open(store)).open()) {
                second.workflow("w").signal("go", "on");
                assertThat(get(patiently)).isEqualTo("on");
            }
        } finally {
            store.close();
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void callerOfAnEngineThatIsClosedGetsAnError(Databases.Kind kind) throws Exception {
        CompletableFuture<String> answer;
        try (Pawl pawl = builder(Lifetime.store(kind.fresh())).open()) {
            WorkflowHandle<String> handle = pawl.start(patient, "w", "");
            answer = caller(() -> handle.result());
            FlowTest.await(() -> pawl.ends().size() == 1);
        }
        assertThatThrownBy(() -> answer.get(10, TimeUnit.SECONDS)).hasCauseInstanceOf(StoreException.class);
    }

    /** The id of a workflow that was deleted is free. The second workflow of that name is not answered with the end of the first. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void endOfADeletedWorkflowIsNotThatOfTheNextOneWithItsId(Databases.Kind kind) throws Exception {
        RetentionPolicy none = RetentionPolicy.keepAll(Duration.ZERO);
        try (Pawl pawl = builder(Lifetime.store(kind.fresh())).retention(none).sweepEvery(Duration.ofDays(1)).open()) {
            assertThat(pawl.start(patient, "other", "").id()).isEqualTo("other");
            WorkflowHandle<String> one = pawl.start(step, "w", "one");
            assertThat(one.result(SOON)).isEqualTo("one");
            FlowTest.await(() -> {
                pawl.retention().sweep();
                return pawl.store().workflow(new WorkflowKey("default", "w")) == null;
            });
            WorkflowHandle<String> two = pawl.start(patient, "w", "");
            assertThatThrownBy(() -> two.result(Duration.ofMillis(200))).hasFieldOrPropertyWithValue("code", "Timeout");
            assertThatThrownBy(() -> pawl.workflow("w").result(Duration.ofMillis(200)))
                    .hasFieldOrPropertyWithValue("code", "Timeout");
            two.signal("go", "two");
            assertThat(two.result(SOON)).isEqualTo("two");
            assertThat(pawl.workflow(patient, "w").result(SOON)).isEqualTo("two");
        }
    }
}
