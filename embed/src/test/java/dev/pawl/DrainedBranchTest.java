package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.flow.FlowContext;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An engine that closes in order stops branches between two steps. That is no end of a branch, and decides nothing. */
class DrainedBranchTest {

    private static final Duration SOON = Duration.ofSeconds(60);

    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final List<String> log = Collections.synchronizedList(new ArrayList<>());

    /** Its first step ends while the engine drains, so that the second one is not begun there. */
    private String slowly(FlowContext branch) {
        branch.step("one", () -> {
            begun.countDown();
            released.await();
        });
        branch.step("two", () -> log.add("two"));
        return "slowly";
    }

    private void drain(String url, Flow<String, String> flow) throws InterruptedException {
        Pawl pawl = Pawl.builder().url(url).shards(1).drainTimeout(SOON).definitions(flow).open();
        Thread closing = new Thread(pawl::close);
        try {
            pawl.start(flow, "w", "");
            begun.await();
        } finally {
            closing.start();
        }
        new CountDownLatch(1).await(300, TimeUnit.MILLISECONDS);
        released.countDown();
        closing.join();
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void branchThatWasStoppedHasNotWonARace(Databases.Kind kind) throws Exception {
        CountDownLatch waits = new CountDownLatch(1);
        Flow<String, String> flow = Flow.named("race", String.class, String.class, (context, input) -> context
                .<String>race(List.of(branch -> {
                    slowly(branch);
                    branch.step("three", waits::await);
                    return "slowly";
                }, branch -> branch.signal("go", String.class))));
        String url = kind.fresh();
        drain(url, flow);
        assertThat(log).isEmpty();
        try (Pawl pawl = Pawl.builder().url(url).shards(1).drainTimeout(Duration.ofMillis(20)).definitions(flow)
                .open()) {
            pawl.workflow("w").signal("go", "by signal");
            assertThat(pawl.workflow(flow, "w").result(SOON)).isEqualTo("by signal");
            waits.countDown();
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void failureOfOneBranchDoesNotEndTheFlowWithoutAnotherThatWasStopped(Databases.Kind kind) throws Exception {
        Flow<String, String> flow = Flow.named("all", String.class, String.class, (context, input) -> {
            context.<String>parallel(List.of(branch -> {
                throw new IllegalStateException("no seats");
            }, this::slowly));
            return "";
        });
        String url = kind.fresh();
        drain(url, flow);
        assertThat(log).isEmpty();
        try (Pawl pawl = Pawl.builder().url(url).shards(1).definitions(flow).open()) {
            assertThatThrownBy(() -> pawl.workflow(flow, "w").result(SOON)).hasMessageContaining("no seats");
            assertThat(pawl.workflow("w").status()).isEqualTo(WorkflowStatus.FAILED);
        }
        assertThat(log).containsExactly("two");
    }
}
