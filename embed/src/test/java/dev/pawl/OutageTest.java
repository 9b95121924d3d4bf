package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.store.SignalRequest;
import dev.pawl.engine.store.StoreException;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.message.Response;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A store that is away for a while: calls that may be repeated are, within their time limit, and count once. */
class OutageTest {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int FAILURES = 4;

    private final Flow<Integer, Integer> flow = Flow.named("count", Integer.class, Integer.class, (context, start) -> {
        AtomicInteger sum = new AtomicInteger(start);
        context.onUpdate("add", Integer.class, Integer.class, sum::addAndGet);
        context.onQuery("sum", Object.class, Integer.class, none -> sum.get());
        int signals = 0;
        while (!"end".equals(context.signal("tick", String.class))) {
            signals++;
        }
        return 1_000 * signals + sum.get();
    });

    private Pawl open(FaultyStore store, Duration callTimeout) {
        return Pawl.builder().store(store.front).shards(1).callTimeout(callTimeout).definitions(flow).open();
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void everyCallOutlastsAStoreThatIsAwayForAWhile(Databases.Kind kind) {
        FaultyStore store = new FaultyStore(kind.fresh());
        try (Pawl pawl = open(store, SOON)) {
            // What is joined to the owner's commit never asks the store itself; a start with a signal does.
            store.refuse(FAILURES, "start");
            WorkflowHandle<Integer> handle = pawl.startWithSignal(flow, "w", 1, "tick", "one", "first");
            store.refuse(FAILURES, "workflow");
            assertThat(handle.status()).isEqualTo(WorkflowStatus.RUNNING);
            store.refuse(FAILURES, "workflow");
            assertThat(handle.reason()).isNull();
            store.refuse(FAILURES, "activity");
            assertThat(handle.update("add", 10, Integer.class, "u", SOON)).isEqualTo(11);
            store.refuse(FAILURES, "load");
            assertThat(handle.query("sum", null, Integer.class)).isEqualTo(11);
            store.refuse(FAILURES, "workflows");
            assertThat(pawl.workflows(Search.all()).items()).hasSize(1);
            store.refuse(FAILURES, "decisions", "awaiting", "parked", "givenUp", "unknownEffects");
            assertThat(pawl.attention().list(null, 10).items()).isEmpty();
            store.refuse(FAILURES, "decisions");
            assertThat(pawl.attention().decisions("w")).isEmpty();
            store.refuse(FAILURES, "events");
            assertThat(handle.events()).isNotEmpty();
            store.refuse(FAILURES, "attributes");
            assertThat(handle.attributes()).isEmpty();
            store.refuse(FAILURES, "effects");
            assertThat(handle.effects()).isEmpty();
            handle.signal("tick", "end");
            store.refuse(FAILURES, "workflow");
            assertThat(pawl.workflow(flow, "w").result(SOON)).isEqualTo(1_011);
        }
    }

    /** The first attempt was accepted, and its caller heard nothing: the second one is answered by what the store knows. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void signalWithoutAnIdCountsOnceWhenItsAnswerIsLost(Databases.Kind kind) {
        String url = kind.fresh();
        FaultyStore store = new FaultyStore(url);
        try (Pawl pawl = Pawl.builder().store(store.front).shards(1).namespace("n").definitions(flow).open()) {
            WorkflowHandle<Integer> handle = pawl.start(flow, "w", 1);
            for (int i = 0; i < 3; i++) {
                store.loseAnswers(2, "signal");
                // The id is too long for the owner's commit: the request goes to the store itself.
                pawl.signal(new SignalRequest(new WorkflowKey("n", "w"), "tick", "id-" + i + "x".repeat(300), false,
                        new Response.Final(pawl.codec().encode("one")), pawl.clock().instant(),
                        pawl.clock().instant().plus(SOON)), SOON);
            }
            handle.signal("tick", "end");
            assertThat(handle.result(SOON)).isEqualTo(3_001);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void callThatGivesUpSaysForHowLongItTriedAndWhatTheStoreSays(Databases.Kind kind) {
        FaultyStore store = new FaultyStore(kind.fresh());
        try (Pawl pawl = open(store, Duration.ofMillis(300))) {
            WorkflowHandle<Integer> handle = pawl.start(flow, "w", 1);
            store.refuse(Integer.MAX_VALUE, "workflow", "activity");
            assertThatThrownBy(handle::status).isInstanceOf(StoreException.Unavailable.class)
                    .hasMessageContaining("status of w: gave up after 3")
                    .hasMessageContaining("the store says: the test has the store away")
                    .extracting(e -> ((StoreException) e).code()).isEqualTo("StoreUnavailable");
            assertThatThrownBy(() -> handle.result(Duration.ofMillis(200))).isInstanceOf(StoreException.class)
                    .hasMessageContaining("result of w: gave up");
            assertThatThrownBy(() -> handle.update("add", 1, Integer.class, "u", Duration.ofMillis(200)))
                    .isInstanceOf(StoreException.class).hasMessageContaining("gave up");
            store.refuse(0, "workflow");
            assertThat(handle.update("add", 1, Integer.class, "u", SOON)).as("asked again, applied once").isEqualTo(2);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void interruptEndsTheRetryAtOnce(Databases.Kind kind) throws Exception {
        FaultyStore store = new FaultyStore(kind.fresh());
        try (Pawl pawl = open(store, SOON)) {
            WorkflowHandle<Integer> handle = pawl.start(flow, "w", 1);
            store.refuse(Integer.MAX_VALUE, "workflow");
            AtomicReference<Throwable> thrown = new AtomicReference<>();
            AtomicReference<Boolean> flag = new AtomicReference<>(false);
            Thread caller = Thread.ofPlatform().start(() -> {
                try {
                    handle.status();
                } catch (WorkflowError e) {
                    thrown.set(e);
                    flag.set(Thread.currentThread().isInterrupted());
                }
            });
            assertThat(store.refusal().await(30, TimeUnit.SECONDS)).isTrue();
            caller.interrupt();
            caller.join(10_000);
            assertThat(thrown.get()).hasFieldOrPropertyWithValue("code", "Interrupted")
                    .hasCauseInstanceOf(StoreException.Unavailable.class);
            assertThat(flag.get()).as("the interrupt stays visible").isTrue();
            store.refuse(0, "workflow");
        }
    }

    /** What a caller asks for costs single rows, however many operations a workflow has. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void callersReadSingleRows(Databases.Kind kind) throws Exception {
        FaultyStore store = new FaultyStore(kind.fresh());
        try (Pawl pawl = open(store, SOON)) {
            AtomicReference<Throwable> thrown = new AtomicReference<>();
            Thread caller = Thread.ofPlatform().name("caller").start(() -> {
                try {
                    WorkflowHandle<Integer> handle = pawl.start(flow, "w", 1);
                    handle.status();
                    handle.reason();
                    handle.update("add", 10, Integer.class, "u", SOON);
                    assertThatThrownBy(() -> pawl.workflow("w").result(Duration.ofMillis(150)))
                            .isInstanceOf(WorkflowError.class);
                    handle.signal("tick", "end");
                    pawl.workflow("w").result(SOON);
                } catch (Throwable e) {
                    thrown.set(e);
                }
            });
            caller.join(SOON.toMillis());
            assertThat(thrown.get()).isNull();
            assertThat(store.calledByCallers).contains("workflow", "activity").doesNotContain("load", "loadAhead");
        }
    }
}
