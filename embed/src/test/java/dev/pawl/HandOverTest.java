package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.flow.Activity;
import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.flow.Guarantee;
import dev.pawl.engine.flow.Verified;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Engines that join and leave while attempts run: an attempt belongs to the process that runs it, and is not begun a second time. */
class HandOverTest {

    private static final Duration SOON = Duration.ofSeconds(60);
    /** A hundred of each level. */
    private static final int WORKFLOWS = 400;

    private final Map<String, AtomicInteger> begun = new ConcurrentHashMap<>();
    private final CountDownLatch underWay = new CountDownLatch(WORKFLOWS);
    private final CountDownLatch goOn = new CountDownLatch(1);

    private final Flow<String, String> flow = Flow.named("work", String.class, String.class, (context, level) -> {
        if (level.equals("step")) {
            return context.step("act", String.class, () -> act(context.workflowId()));
        }
        Activity<String, String> activity = Activity.named("act", String.class, String.class,
                (String input) -> act(context.workflowId())).guarantee(Guarantee.valueOf(level));
        if (level.equals("RECONCILED")) {
            activity = activity.verify((key, input) -> begun.containsKey(context.workflowId() + " done")
                    ? new Verified.Completed<>("done") : new Verified.NotCompleted<>());
        }
        return context.run(activity, "x");
    });

    private String act(String workflowId) throws InterruptedException {
        begun.computeIfAbsent(workflowId, none -> new AtomicInteger()).incrementAndGet();
        underWay.countDown();
        goOn.await(50, TimeUnit.SECONDS);
        begun.computeIfAbsent(workflowId + " done", none -> new AtomicInteger()).incrementAndGet();
        return "done";
    }

    private static String level(int number) {
        return List.of("step", "RECONCILED", "IDEMPOTENT", "AT_MOST_ONCE").get(number % 4);
    }

    private Pawl open(String url, UnaryOperator<PawlBuilder> settings) {
        return settings.apply(Pawl.builder().url(url).shards(16).lease(Duration.ofSeconds(3), Duration.ofMillis(300))
                .definitions(flow)).open();
    }

    static String postgres() {
        return Databases.all().filter(kind -> kind.name().equals("postgres")).findFirst().orElseThrow().fresh();
    }

    private List<WorkflowHandle<String>> start(Pawl pawl) throws InterruptedException {
        List<WorkflowHandle<String>> handles = new ArrayList<>();
        for (int i = 0; i < WORKFLOWS; i++) {
            handles.add(pawl.start(flow, "w" + i, level(i)));
        }
        assertThat(underWay.await(30, TimeUnit.SECONDS)).isTrue();
        return handles;
    }

    private static void await(BooleanSupplier condition) {
        for (int i = 0; i < 6_000 && !condition.getAsBoolean(); i++) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }

    private void assertOnce(List<WorkflowHandle<String>> handles) {
        handles.forEach(handle -> assertThat(handle.result(SOON)).isEqualTo("done"));
        handles.forEach(handle -> assertThat(handle.status()).isEqualTo(WorkflowStatus.COMPLETED));
        Map<String, Integer> counts = new TreeMap<>();
        begun.forEach((id, count) -> counts.put(id, count.get()));
        assertThat(counts).hasSize(2 * WORKFLOWS).allSatisfy((id, count) -> assertThat(count).isEqualTo(1));
    }

    @Test
    void attemptsStayWithTheirProcessWhenAnotherEngineTakesItsShare() throws Exception {
        String url = postgres();
        try (Pawl first = open(url, builder -> builder)) {
            List<WorkflowHandle<String>> handles = start(first);
            try (Pawl second = open(url, builder -> builder)) {
                // Longer than the limit of a hand-over: the shards change their owner while the attempts run.
                await(() -> handles.stream().anyMatch(each -> second.owns(each.id())));
                goOn.countDown();
                assertOnce(handles);
            }
        }
    }

    @Test
    void attemptsOfAnEngineThatLeavesInOrderEndThere() throws Exception {
        String url = postgres();
        try (Pawl second = open(url, builder -> builder)) {
            List<WorkflowHandle<String>> handles = new ArrayList<>();
            try (Pawl first = open(url, builder -> builder.drainTimeout(Duration.ofSeconds(30)))) {
                start(first);
                // Released while it closes: it no longer wants a share then.
                Thread.ofPlatform().start(() -> {
                    await(() -> second.store().presences("default", "default").stream()
                            .anyMatch(each -> !each.shares()));
                    goOn.countDown();
                });
            }
            for (int i = 0; i < WORKFLOWS; i++) {
                handles.add(second.workflow(flow, "w" + i));
            }
            assertOnce(handles);
        }
    }
}
