package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.store.Store;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A process dies in a plain step, of which nothing is recorded. Whatever owns the shard in between and does not come to that step: the one that
 * does knows that the step may have happened, and compensates it.
 */
class UncleanHandOverTest {

    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final Duration RENEWAL = Duration.ofMillis(300);

    private final List<String> done = new CopyOnWriteArrayList<>();
    private final CountDownLatch underWay = new CountDownLatch(1);
    private final CountDownLatch dead = new CountDownLatch(1);
    private final CountDownLatch looking = new CountDownLatch(1);
    private final CountDownLatch stopping = new CountDownLatch(1);

    private final Flow<String, String> flow = Flow.named("order", String.class, String.class, (context, input) -> {
        context.step("pay", String.class, () -> {
            done.add("pay");
            underWay.countDown();
            dead.await(30, TimeUnit.SECONDS);
            return "paid";
        });
        context.onRollback("refund", () -> done.add("refund"));
        return context.signal("go", String.class);
    });
    private final Flow<String, String> other = Flow.named("other", String.class, String.class, (context, input) -> "");

    private void dieInTheStep(String url) throws InterruptedException {
        try (Lifetime first = new Lifetime(url, flow)) {
            first.pawl.start(flow, "w", "");
            assertThat(underWay.await(20, TimeUnit.SECONDS)).isTrue();
            first.cut();
        }
        dead.countDown();
        try (Pawl outside = Pawl.builder().url(url).group("outside").shards(1).definitions(other).open()) {
            outside.workflow("w").cancel("not wanted");
        }
    }

    private void assertThatTheStepIsCompensated(String url) {
        try (Pawl last = Pawl.builder().url(url).shards(1).lease(LEASE, RENEWAL).definitions(flow, other).open()) {
            for (int i = 0; i < 2_000 && last.workflow("w").status() != WorkflowStatus.CANCELLED; i++) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            }
            assertThat(last.workflow("w").status()).isEqualTo(WorkflowStatus.CANCELLED);
        }
        assertThat(done).containsExactly("pay", "pay", "refund");
    }

    /** Lists what is awake only when the engine has begun to stop. */
    private Store late(String url) {
        Store store = Lifetime.store(url);
        return (Store) Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[] {Store.class},
                (proxy, method, given) -> {
                    if (method.isDefault()) {
                        return InvocationHandler.invokeDefault(proxy, method, given);
                    }
                    if (method.getName().equals("renewAll") && given[4].equals(false)) {
                        stopping.countDown();
                    }
                    if (method.getName().equals("awake")) {
                        looking.countDown();
                        assertThat(stopping.await(30, TimeUnit.SECONDS)).isTrue();
                        Thread.sleep(200);
                    }
                    try {
                        return method.invoke(store, given);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                });
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void ownerThatStopsBeforeItComesToTheStepHandsOnThatItMayHaveHappened(Databases.Kind kind) throws Exception {
        String url = kind.fresh();
        dieInTheStep(url);
        try (Pawl between = Pawl.builder().store(late(url)).shards(1).lease(LEASE, RENEWAL)
                .drainTimeout(Duration.ofSeconds(5)).definitions(flow).open()) {
            assertThat(looking.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(between.workflow("w").status()).isEqualTo(WorkflowStatus.RUNNING);
        }
        assertThatTheStepIsCompensated(url);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void ownerThatDoesNotKnowTheFlowHandsOnThatTheStepMayHaveHappened(Databases.Kind kind) throws Exception {
        String url = kind.fresh();
        dieInTheStep(url);
        try (Pawl between = Pawl.builder().url(url).shards(1).lease(LEASE, RENEWAL).definitions(other).open()) {
            for (int i = 0; i < 2_000 && between.workflow("w").status() != WorkflowStatus.PARKED; i++) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            }
            assertThat(between.workflow("w").status()).isEqualTo(WorkflowStatus.PARKED);
        }
        assertThatTheStepIsCompensated(url);
    }
}
