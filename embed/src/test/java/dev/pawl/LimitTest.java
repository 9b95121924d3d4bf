package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.flow.Activity;
import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.flow.FlowRuntime;
import dev.pawl.engine.flow.Limit;
import dev.pawl.engine.flow.RetryPolicy;
import dev.pawl.engine.limit.Pools;
import dev.pawl.engine.store.SlotPool;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How many attempts run at a time, on both stores. */
class LimitTest {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Duration TTL = Duration.ofMillis(1_500);
    private static final Duration RENEWAL = Duration.ofMillis(300);

    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final List<String> log = Collections.synchronizedList(new ArrayList<>());

    /** Slots run out soon in it. */
    private static Pawl brief(String url, Flow<?, ?>... flows) {
        return Pawl.builder().url(url).shards(4).lease(TTL, RENEWAL).definitions(flows).open();
    }

    /** On a machine that stands still for a moment nothing runs out in it. */
    private static Pawl open(String url, Flow<?, ?>... flows) {
        return Pawl.builder().url(url).shards(4).lease(Duration.ofSeconds(10), RENEWAL).definitions(flows).open();
    }

    private static void pass(long millis) throws InterruptedException {
        new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS);
    }

    private int busy(int millis) throws InterruptedException {
        most.accumulateAndGet(running.incrementAndGet(), Math::max);
        try {
            pass(millis);
            return millis;
        } finally {
            running.decrementAndGet();
        }
    }

    private Flow<Integer, Integer> flow(Activity<Integer, Integer> activity) {
        return Flow.named("limited", Integer.class, Integer.class, (flow, input) -> flow.run(activity, input));
    }

    private Activity<Integer, Integer> busy() {
        return Activity.named("busy", Integer.class, Integer.class, this::busy);
    }

    /** The first ones stay until so many run at a time: on a slow machine they would have ended one after the other. */
    private Activity<Integer, Integer> busyTogether(int together) {
        CountDownLatch all = new CountDownLatch(together);
        return Activity.named("busy", Integer.class, Integer.class, (Integer millis) -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            try {
                all.countDown();
                assertThat(all.await(SOON.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
                pass(millis);
                return millis;
            } finally {
                running.decrementAndGet();
            }
        });
    }

    private static List<WorkflowHandle<Integer>> start(Pawl pawl, Flow<Integer, Integer> flow, int from, int to,
            int input) {
        List<WorkflowHandle<Integer>> handles = new ArrayList<>();
        for (int i = from; i < to; i++) {
            handles.add(pawl.start(flow, "w" + i, input));
        }
        return handles;
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void neverMoreRunAtATimeThanTheLimitSays(Databases.Kind kind) {
        Flow<Integer, Integer> flow = flow(busyTogether(3).limit(Limit.concurrent("gateway", 3)));
        try (Pawl pawl = open(kind.fresh(), flow)) {
            for (WorkflowHandle<Integer> handle : start(pawl, flow, 0, 20, 30)) {
                assertThat(handle.result(SOON)).isEqualTo(30);
            }
            assertThat(most).hasValue(3);
            assertThat(pawl.counters()).containsEntry(FlowRuntime.SLOTS_LOST, 0L);
        }
    }

    @Test
    void twoEnginesShareThePool() {
        String url = Databases.all().filter(kind -> kind.name().equals("postgres")).findFirst().orElseThrow().fresh();
        Flow<Integer, Integer> flow = flow(busyTogether(3).limit(Limit.concurrent("gateway", 3)));
        try (Pawl here = open(url, flow); Pawl there = open(url, flow)) {
            List<WorkflowHandle<Integer>> handles = start(here, flow, 0, 10, 30);
            handles.addAll(start(there, flow, 10, 20, 30));

            assertThat(handles).allSatisfy(handle -> assertThat(handle.result(SOON)).isEqualTo(30));
            assertThat(most).hasValue(3);
        }
    }

    /** One engine has work for a long time and is always the first to take what it gives back. */
    @Tag("timing")
    @Test
    void busyEngineDoesNotStarveAnother() throws InterruptedException {
        String url = Databases.all().filter(kind -> kind.name().equals("postgres")).findFirst().orElseThrow().fresh();
        // On a slow machine the first would have ended before the last is started.
        CountDownLatch allStarted = new CountDownLatch(1);
        Flow<Integer, Integer> flow = flow(Activity.named("busy", Integer.class, Integer.class, (Integer millis) -> {
            allStarted.await();
            return busy(millis);
        }).limit(Limit.concurrent("gateway", 1)));
        UnaryOperator<PawlBuilder> own = builder -> builder.shards(1).lease(TTL, RENEWAL).definitions(flow);
        try (Pawl busy = own.apply(Pawl.builder().url(url).group("busy")).open();
                Pawl other = own.apply(Pawl.builder().url(url).group("other")).open()) {
            List<WorkflowHandle<Integer>> many = start(busy, flow, 0, 100, 50);
            FlowTest.await(() -> busy.limits().stream().anyMatch(use -> use.waiting() > 90));
            allStarted.countDown();
            other.start(flow, "one", 50).result(SOON);

            assertThat(busy.limits().getFirst().waiting()).isGreaterThan(50);
            many.forEach(handle -> assertThat(handle.result(SOON)).isEqualTo(50));
            assertThat(most).hasValue(1);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void rateIsKept(Databases.Kind kind) {
        Duration period = Duration.ofMillis(400);
        List<Instant> begun = Collections.synchronizedList(new ArrayList<>());
        Flow<Integer, Integer> flow = flow(Activity.named("quick", Integer.class, Integer.class, (Integer input) -> {
            begun.add(Instant.now());
            return input;
        }).limit(Limit.rate("gateway", 4, period)));
        try (Pawl pawl = open(kind.fresh(), flow)) {
            start(pawl, flow, 0, 14, 1).forEach(handle -> assertThat(handle.result(SOON)).isEqualTo(1));

            List<Instant> sorted = begun.stream().sorted().toList();
            assertThat(sorted).hasSize(14);
            for (int i = 4; i < sorted.size(); i++) {
                // An attempt begins a little after it got its slot, some later than others.
                assertThat(Duration.between(sorted.get(i - 4), sorted.get(i))).isGreaterThan(period.dividedBy(2));
            }
            assertThat(Duration.between(sorted.getFirst(), sorted.getLast())).isGreaterThan(period.multipliedBy(2));
            assertThat(pawl.limits()).singleElement().satisfies(use -> {
                assertThat(use.kind()).isEqualTo(SlotPool.Kind.RATE);
                assertThat(use.held()).isBetween(0, 4);
            });
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void keyOfWhichManyWaitHoldsUpNoOther(Databases.Kind kind) throws InterruptedException {
        Semaphore go = new Semaphore(0);
        Flow<String, String> flow = Flow.named("fair", String.class, String.class, (context, input) -> context
                .run(Activity.named("serve", String.class, String.class, (String name) -> {
                    go.acquire();
                    log.add(name.substring(0, 1));
                    return name;
                }).limit(Limit.concurrent("gateway", 1)).fairBy(name -> name.substring(0, 1)), input));
        try (Pawl pawl = open(kind.fresh(), flow)) {
            List<WorkflowHandle<String>> handles = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                handles.add(pawl.start(flow, "a" + i, "a" + i));
            }
            FlowTest.await(() -> pawl.limits().stream().anyMatch(use -> use.held() == 1 && use.waiting() == 49));
            handles.add(pawl.start(flow, "b", "b"));
            FlowTest.await(() -> pawl.limits().getFirst().waiting() == 50);

            assertThat(pawl.limits()).containsExactly(
                    new Pools.Use("gateway", SlotPool.Kind.CONCURRENT, 1, 1, 50));
            go.release(51);
            handles.forEach(handle -> handle.result(SOON));

            assertThat(log).hasSize(51);
            assertThat(log.indexOf("b")).as("of 51").isLessThanOrEqualTo(2);
            FlowTest.await(() -> pawl.limits().getFirst().held() == 0);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void slotOfAProcessThatDiedComesBack(Databases.Kind kind) throws InterruptedException {
        String url = kind.fresh();
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        AtomicInteger tries = new AtomicInteger();
        Flow<Integer, Integer> flow = flow(Activity.named("serve", Integer.class, Integer.class, (Integer input) -> {
            if (tries.incrementAndGet() == 1) {
                entered.countDown();
                never.await();
            }
            return input;
        }).limit(Limit.concurrent("gateway", 1)));
        Instant died;
        try (Lifetime first = new Lifetime(url, builder -> builder.lease(TTL, RENEWAL), flow)) {
            first.pawl.start(flow, "w", 7);
            assertThat(entered.await(20, TimeUnit.SECONDS)).isTrue();
            pass(TTL.toMillis() + 500);
            assertThat(first.pawl.limits()).as("prolonged").extracting(Pools.Use::held).containsExactly(1);
            first.cut();
            died = Instant.now();
        }
        try (Pawl second = brief(url, flow)) {
            assertThat(second.limits()).as("still counted").extracting(Pools.Use::held).containsExactly(1);
            assertThat(second.workflow(flow, "w").result(SOON)).isEqualTo(7);
            assertThat(Duration.between(died, Instant.now())).isGreaterThan(TTL.minus(RENEWAL.multipliedBy(2)));
            assertThat(tries).hasValue(2);
        }
        never.countDown();
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void whoIsCancelledLeavesTheQueueAndNothingOfItHasHappened(Databases.Kind kind) throws InterruptedException {
        CountDownLatch go = new CountDownLatch(1);
        Flow<Integer, Integer> flow = flow(Activity.named("serve", Integer.class, Integer.class, (Integer input) -> {
            go.await();
            return input;
        }).limit(Limit.concurrent("gateway", 1)));
        try (Pawl pawl = open(kind.fresh(), flow)) {
            WorkflowHandle<Integer> first = pawl.start(flow, "first", 1);
            FlowTest.await(() -> pawl.limits().stream().anyMatch(use -> use.held() == 1));
            WorkflowHandle<Integer> second = pawl.start(flow, "second", 2);
            FlowTest.await(() -> pawl.limits().getFirst().waiting() == 1);

            second.cancel("enough");
            FlowTest.await(() -> second.status() == WorkflowStatus.CANCELLED);

            assertThat(second.operations()).noneMatch(each -> each.key().activity().equals("serve"));
            assertThat(pawl.limits().getFirst().waiting()).isZero();
            go.countDown();
            assertThat(first.result(SOON)).isEqualTo(1);
        }
    }

    /** Waiting costs nothing of an attempt's time; and a slot is given back between two attempts. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void waitingIsNoPartOfTheAttempt(Databases.Kind kind) {
        AtomicInteger tries = new AtomicInteger();
        Flow<Integer, Integer> flow = flow(Activity.named("busy", Integer.class, Integer.class, (Integer millis) -> {
            busy(millis);
            if (tries.incrementAndGet() == 1) {
                throw new IllegalStateException("once");
            }
            return millis;
        }).timeout(Duration.ofMillis(1_000)).limit(Limit.concurrent("gateway", 1)).limit(
                Limit.rate("gateway", 100, Duration.ofSeconds(1)))
                .retry(RetryPolicy.DEFAULT.withBackoff(Duration.ofMillis(5), 2, Duration.ofMillis(20))));
        try (Pawl pawl = open(kind.fresh(), flow)) {
            start(pawl, flow, 0, 8, 200).forEach(handle -> assertThat(handle.result(SOON)).isEqualTo(200));
            assertThat(most).hasValue(1);
            assertThat(tries).hasValue(9);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void closingDoesNotWaitForThoseWhoWaitAndTheyGoOnElsewhere(Databases.Kind kind) throws InterruptedException {
        String url = kind.fresh();
        // On a slow machine the first would have ended before the last is started.
        CountDownLatch allWait = new CountDownLatch(1);
        AtomicInteger done = new AtomicInteger();
        Flow<Integer, Integer> flow = flow(Activity.named("busy", Integer.class, Integer.class, (Integer millis) -> {
            allWait.await();
            busy(millis);
            done.incrementAndGet();
            return millis;
        }).limit(Limit.concurrent("gateway", 1)));
        try (Pawl pawl = open(url, flow)) {
            start(pawl, flow, 0, 6, 300);
            FlowTest.await(() -> pawl.limits().stream().anyMatch(use -> use.held() == 1 && use.waiting() == 5));
            // The engine is closing by then.
            CompletableFuture.delayedExecutor(500, TimeUnit.MILLISECONDS).execute(allWait::countDown);
        }
        assertThat(done).as("of six").hasValueLessThan(4);
        try (Pawl pawl = open(url, flow)) {
            for (int i = 0; i < 6; i++) {
                assertThat(pawl.workflow(flow, "w" + i).result(SOON)).isEqualTo(300);
            }
            assertThat(most).hasValue(1);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void slotThatRunsOutUnderItsHolderIsNoticed(Databases.Kind kind) throws InterruptedException {
        String url = kind.fresh();
        CountDownLatch go = new CountDownLatch(1);
        Flow<Integer, Integer> flow = flow(Activity.named("serve", Integer.class, Integer.class, (Integer input) -> {
            go.await();
            return input;
        }).limit(Limit.concurrent("gateway", 1)));
        try (Pawl pawl = brief(url, flow)) {
            WorkflowHandle<Integer> handle = pawl.start(flow, "w", 1);
            FlowTest.await(() -> pawl.limits().stream().anyMatch(use -> use.held() == 1));

            Lifetime.execute(url, "update " + Lifetime.table(url, "slot") + " set expires_at = 1");
            FlowTest.await(() -> pawl.counters().get(FlowRuntime.SLOTS_LOST) == 1L);

            go.countDown();
            assertThat(handle.result(SOON)).isEqualTo(1);
        }
    }

    @Test
    void limitsThatCannotBeKeptAreRefused() {
        Activity<Integer, Integer> limited = busy().limit(Limit.concurrent("gateway", 3));

        assertThatThrownBy(() -> Limit.concurrent("gateway", 0)).hasMessageContaining("at least one")
                .hasFieldOrPropertyWithValue("code", "ValidationFailed");
        assertThatThrownBy(() -> Limit.concurrent("no name", 1)).hasFieldOrPropertyWithValue("code",
                "ValidationFailed");
        assertThatThrownBy(() -> Limit.rate("gateway", 1, Duration.ZERO)).hasMessageContaining("a millisecond");
        assertThatThrownBy(() -> limited.limit(Limit.concurrent("gateway", 5))).hasMessageContaining("two limits")
                .hasFieldOrPropertyWithValue("code", "ValidationFailed");
    }
}
