package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.flow.Activity;
import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.flow.Guarantee;
import dev.pawl.engine.store.SignalRequest;
import dev.pawl.engine.store.SignalResult;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.StoreException;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Write;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a process has begun and not recorded when it is asked to end: it has time to bring that to its end, and nothing of it is repeated. */
class LeftRunTest {

    private static final Duration SOON = Duration.ofSeconds(30);
    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final Duration RENEWAL = Duration.ofMillis(300);

    private final AtomicInteger runs = new AtomicInteger();
    private final CountDownLatch underWay = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final CountDownLatch lost = new CountDownLatch(1);

    private final Flow<String, String> flow = Flow.named("steps", String.class, String.class, (context, input) -> {
        context.onUpdate("touch", String.class, String.class, (handler, value) -> value);
        context.onQuery("state", String.class, String.class, question -> "at work");
        return context.step("act", String.class, this::act);
    });

    private String act() throws InterruptedException {
        runs.incrementAndGet();
        underWay.countDown();
        goOn.await(90, TimeUnit.SECONDS);
        return "done";
    }

    /** What a test does before a call reaches the store; the answer to give instead, or null. */
    private interface Front {

        @Nullable Object call(String method, Object[] arguments) throws Exception;
    }

    private Store front(String url, Front front) {
        Store store = Lifetime.store(url);
        return (Store) Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[] {Store.class},
                (proxy, method, given) -> {
                    if (method.isDefault()) {
                        return InvocationHandler.invokeDefault(proxy, method, given);
                    }
                    Object[] arguments = given == null ? new Object[0] : given;
                    if (method.getName().equals("renewAll") && arguments[4].equals(false)) {
                        stopping.countDown();
                    }
                    Object instead = front.call(method.getName(), arguments);
                    try {
                        return instead != null ? instead : method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                });
    }

    private static boolean updates(Object bundles) {
        return ((List<?>) bundles).stream().flatMap(each -> ((Bundle) each).writes().stream())
                .anyMatch(write -> write instanceof Write.PutActivity put
                        && put.activity().key().activity().startsWith("~update:"));
    }

    private Pawl open(Store store) {
        return Pawl.builder().store(store).shards(1).lease(LEASE, RENEWAL).drainTimeout(Duration.ofSeconds(10))
                .definitions(flow).open();
    }

    private void assertThatTheNextProcessTakesTheRecord(String url) {
        try (Pawl next = Pawl.builder().url(url).shards(1).lease(LEASE, RENEWAL).definitions(flow).open()) {
            assertThat(next.workflow(flow, "w").result(SOON)).isEqualTo("done");
        }
        assertThat(runs).hasValue(1);
    }

    private static Thread beside(Runnable code) {
        return Thread.ofPlatform().start(code);
    }

    /** A commit got lost while the step ran, the next incarnation has taken the run over, and then the engine is stopped. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void runThatWasTakenOverEndsWhileItsEngineStops(Databases.Kind kind) throws Exception {
        String url = kind.fresh();
        AtomicBoolean loses = new AtomicBoolean(true);
        Pawl pawl = open(front(url, (method, arguments) -> {
            if (method.equals("commit") && updates(arguments[1]) && loses.getAndSet(false)) {
                throw new StoreException.CommitUnknown("the answer to the commit was lost", null);
            }
            return null;
        }));
        WorkflowHandle<String> handle = pawl.start(flow, "w", "");
        assertThat(underWay.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(handle.update("touch", "x", String.class)).isEqualTo("x");
        assertThat(loses).isFalse();

        Thread closing = beside(pawl::close);
        assertThat(stopping.await(20, TimeUnit.SECONDS)).isTrue();
        Thread.sleep(200);
        goOn.countDown();
        closing.join();

        assertThatTheNextProcessTakesTheRecord(url);
    }

    /** A query runs the code, too, and must not take over what the next incarnation is to go on with. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void queryLeavesTheRunToTheNextIncarnation(Databases.Kind kind) throws Exception {
        String url = kind.fresh();
        CountDownLatch left = new CountDownLatch(1);
        CountDownLatch answered = new CountDownLatch(1);
        Pawl pawl = open(front(url, (method, arguments) -> {
            if (method.equals("commit") && updates(arguments[1]) && lost.getCount() > 0) {
                lost.countDown();
                throw new StoreException.CommitUnknown("the answer to the commit was lost", null);
            }
            if (method.equals("awake") && lost.getCount() == 0) {
                left.countDown();
                answered.await(90, TimeUnit.SECONDS);
            }
            return null;
        }));
        WorkflowHandle<String> handle = pawl.start(flow, "w", "");
        assertThat(underWay.await(20, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<String> update = new CompletableFuture<>();
        CompletableFuture<String> answer = new CompletableFuture<>();
        beside(() -> update.complete(handle.update("touch", "x", String.class)));
        assertThat(left.await(60, TimeUnit.SECONDS)).isTrue();

        beside(() -> answer.complete(handle.query("state", "", String.class)));
        assertThat(answer.get(60, TimeUnit.SECONDS)).isEqualTo("at work");
        answered.countDown();
        goOn.countDown();

        assertThat(handle.result(SOON)).isEqualTo("done");
        assertThat(update.get(60, TimeUnit.SECONDS)).isEqualTo("x");
        assertThat(runs).hasValue(1);
        pawl.close();
    }

    /** The commit gets lost, and the engine is stopped before another incarnation could take the run over. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void runIsTakenOverAlthoughItsEngineStops(Databases.Kind kind) throws Exception {
        String url = kind.fresh();
        Pawl pawl = open(front(url, (method, arguments) -> {
            if (method.equals("commit") && updates(arguments[1]) && lost.getCount() > 0) {
                lost.countDown();
                throw new StoreException.CommitUnknown("the answer to the commit was lost", null);
            }
            if (method.equals("raise")) {
                assertThat(stopping.await(20, TimeUnit.SECONDS)).isTrue();
                Thread.sleep(200);
            }
            return null;
        }));
        WorkflowHandle<String> handle = pawl.start(flow, "w", "");
        assertThat(underWay.await(20, TimeUnit.SECONDS)).isTrue();
        Thread updating = beside(() -> {
            try {
                handle.update("touch", "x", String.class);
            } catch (RuntimeException e) {
                // The engine stops.
            }
        });
        assertThat(lost.await(20, TimeUnit.SECONDS)).isTrue();

        Thread closing = beside(pawl::close);
        assertThat(stopping.await(20, TimeUnit.SECONDS)).isTrue();
        Thread.sleep(500);
        goOn.countDown();
        closing.join();
        updating.join();

        assertThatTheNextProcessTakesTheRecord(url);
    }

    /** The store is slow when the outcome of an attempt is to be sent: the process must not say that it is gone before that is done. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void processDoesNotDepartWhileAnOutcomeIsNotSent(Databases.Kind kind) throws Exception {
        Flow<String, String> once = Flow.named("once", String.class, String.class,
                (context, input) -> context.run(Activity.named("act", String.class, String.class,
                        (String given) -> act()).guarantee(Guarantee.AT_MOST_ONCE), "x"));
        CountDownLatch sending = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        AtomicBoolean departed = new AtomicBoolean();
        PawlBuilder builder = Pawl.builder().shards(1).lease(LEASE, RENEWAL).drainTimeout(Duration.ofMillis(50))
                .definitions(once);
        builder.handOverTimeout = Duration.ofSeconds(1);
        Pawl pawl = builder.store(front(kind.fresh(), (method, arguments) -> {
            if (method.equals("signal") && arguments[0] instanceof SignalRequest request
                    && request.signalName().startsWith("pawl:attempt:")) {
                sending.countDown();
                assertThat(closed.await(20, TimeUnit.SECONDS)).isTrue();
                return new SignalResult.Accepted(request.accepted());
            }
            if (method.equals("release")) {
                // The loops have stopped: no commit can say how it has ended.
                goOn.countDown();
                Thread.sleep(200);
            }
            departed.compareAndSet(false, method.equals("depart"));
            return null;
        })).open();
        pawl.start(once, "w", "");
        assertThat(underWay.await(20, TimeUnit.SECONDS)).isTrue();

        pawl.close();
        assertThat(sending.getCount()).as("the outcome was to be sent").isZero();
        closed.countDown();

        assertThat(departed).isFalse();
    }
}
