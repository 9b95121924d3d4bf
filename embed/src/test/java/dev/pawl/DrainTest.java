package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.flow.Activity;
import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.flow.Guarantee;
import dev.pawl.engine.store.Store;
import dev.pawl.kernel.bundle.Bundle;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An engine that stops begins nothing any more, not even what it has declared. */
class DrainTest {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Duration LEASE = Duration.ofSeconds(3);

    private final AtomicInteger begun = new AtomicInteger();
    private final CountDownLatch declaring = new CountDownLatch(1);
    private final CountDownLatch stopping = new CountDownLatch(1);

    /** Takes longer than the first engine waits. */
    private final Flow<String, String> flow = Flow.named("work", String.class, String.class,
            (context, input) -> context.run(Activity.named("act", String.class, String.class, (String given) -> {
                begun.incrementAndGet();
                Thread.sleep(1_500);
                return "done";
            }).guarantee(Guarantee.AT_MOST_ONCE), "x"));

    /** Has the declaration of the attempt become durable only after the engine has begun to stop. */
    private Store late(Store store) {
        return (Store) Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[] {Store.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("renewAll") && arguments[4].equals(false)) {
                        stopping.countDown();
                    }
                    if (method.getName().equals("handIn") && declares(arguments[1])) {
                        declaring.countDown();
                        assertThat(stopping.await(30, TimeUnit.SECONDS)).isTrue();
                        Thread.sleep(200);
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                });
    }

    private static boolean declares(Object bundles) {
        return ((List<?>) bundles).stream().flatMap(each -> ((Bundle) each).parts().stream())
                .anyMatch(part -> part.writes().stream().anyMatch(Lifetime.begins("act")));
    }

    /** Hides what lies in the inboxes for a while. */
    private static Store hiding(Store store, Duration whole) {
        long begun = System.nanoTime();
        return (Store) Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[] {Store.class},
                (proxy, method, arguments) -> {
                    boolean hidden = System.nanoTime() - begun < whole.toNanos();
                    try {
                        return hidden && method.getName().equals("inbox") ? List.of()
                                : method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                });
    }

    /** The outcome of the first engine's attempt is durable when that engine is gone, but the second one has not read it. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void outcomeThatIsOnItsWayIsWaitedForAlthoughItsProcessIsGone(Databases.Kind kind) throws Exception {
        String url = kind.fresh();
        stopWhileDeclaring(url);

        try (Pawl second = Pawl.builder().store(hiding(Lifetime.store(url), Duration.ofSeconds(2))).shards(1)
                .lease(LEASE, Duration.ofMillis(300)).definitions(flow).open()) {
            assertThat(second.workflow(flow, "w").result(SOON)).isEqualTo("done");
        }
        assertThat(begun).hasValue(1);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void attemptThatIsDeclaredWhileItsEngineStopsIsBegunByTheNextOne(Databases.Kind kind) throws Exception {
        String url = kind.fresh();
        stopWhileDeclaring(url);
        assertThat(begun).hasValue(0);

        try (Pawl second = Pawl.builder().url(url).shards(1).lease(LEASE, Duration.ofMillis(300)).definitions(flow)
                .open()) {
            assertThat(second.workflow(flow, "w").result(SOON)).isEqualTo("done");
        }
        assertThat(begun).hasValue(1);
    }

    private void stopWhileDeclaring(String url) throws InterruptedException {
        try (Pawl first = Pawl.builder().store(late(Lifetime.store(url))).shards(1)
                .lease(LEASE, Duration.ofMillis(300)).drainTimeout(Duration.ofMillis(700)).definitions(flow).open()) {
            first.start(flow, "w", "x");
            assertThat(declaring.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }
}
