package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.retention.RetentionPolicy;
import dev.pawl.engine.store.Swept;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is over is kept for its time and deleted then, by itself. */
class RetentionTest {

    private static final Duration SOON = Duration.ofSeconds(60);

    private final AtomicReference<Duration> passed = new AtomicReference<>(Duration.ZERO);
    /** The real one, moved on by the test. */
    private final InstantSource clock = () -> Instant.now().plus(passed.get());

    private final Flow<String, String> flow = Flow.named("job", String.class, String.class, (context, input) -> {
        if (input.equals("wait")) {
            return context.signal("go", String.class);
        }
        return context.step("step", String.class, () -> {
            if (input.equals("fail")) {
                throw new IllegalStateException("no");
            }
            return input;
        });
    });

    private PawlBuilder builder(String url) {
        return Pawl.builder().url(url).shards(2).clock(clock).definitions(flow).signalRetention(Duration.ofDays(7));
    }

    private void runAll(Pawl pawl) {
        pawl.start(flow, "good", "x").result(SOON);
        assertThatThrownBy(() -> pawl.start(flow, "bad", "fail").result(SOON)).isInstanceOf(WorkflowFailed.class);
        pawl.start(flow, "open", "wait");
        WorkflowHandle<String> signalled = pawl.start(flow, "signalled", "wait");
        signalled.signal("go", "y", "s-1");
        assertThat(signalled.result(SOON)).isEqualTo("y");
    }

    private static boolean there(Pawl pawl, String id) {
        return pawl.store().load(new dev.pawl.kernel.id.WorkflowKey("default", id)).workflow() != null;
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void everythingOverGoesAfterTheTimeOfItsStatusAndNothingElse(Databases.Kind kind) {
        String url = kind.fresh();
        try (Pawl pawl = builder(url).open()) {
            runAll(pawl);
            assertThat(pawl.retention().dryRun()).isEqualTo(Swept.NOTHING);
            assertThat(pawl.retention().sweep()).isEqualTo(Swept.NOTHING);

            passed.set(Duration.ofDays(31));
            Swept dry = pawl.retention().dryRun();
            assertThat(dry.workflows()).isEqualTo(2);
            assertThat(dry.acceptances()).isEqualTo(1);
            assertThat(dry.bytes()).isPositive();
            assertThat(there(pawl, "good")).as("a dry run deletes nothing").isTrue();
            assertThat(pawl.retention().dryRun(RetentionPolicy.keepForever()).workflows()).isZero();
        }
        try (Pawl pawl = builder(url).open()) {
            assertThat(pawl.retention().sweep().workflows()).isEqualTo(2);
            assertThat(there(pawl, "good")).isFalse();
            assertThat(there(pawl, "signalled")).isFalse();
            assertThat(there(pawl, "bad")).isTrue();

            passed.set(Duration.ofDays(91));
            assertThat(pawl.retention().sweep().workflows()).isEqualTo(1);
            assertThat(there(pawl, "bad")).isFalse();
            assertThat(pawl.store().orphans("default")).isEmpty();

            pawl.workflow("open").signal("go", "late", "s-1");
            assertThat(pawl.workflow(flow, "open").result(SOON)).isEqualTo("late");
            assertThat(pawl.start(flow, "good", "again").result(SOON)).isEqualTo("again");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void engineSweepsByItselfAndAChangedPolicyAppliesToWhatIsClosed(Databases.Kind kind) throws InterruptedException {
        try (Pawl pawl = builder(kind.fresh()).retention(RetentionPolicy.keepForever())
                .sweepEvery(Duration.ofMillis(20)).open()) {
            runAll(pawl);
            new CountDownLatch(1).await(200, TimeUnit.MILLISECONDS);
            assertThat(there(pawl, "good")).isTrue();

            pawl.retention().policy(RetentionPolicy.keepAll(Duration.ZERO).keepForever(WorkflowStatus.FAILED));
            for (int i = 0; i < 6_000 && there(pawl, "good"); i++) {
                new CountDownLatch(1).await(10, TimeUnit.MILLISECONDS);
            }
            assertThat(there(pawl, "good")).isFalse();
            assertThat(there(pawl, "bad")).isTrue();
            assertThat(there(pawl, "open")).isTrue();
            assertThat(there(pawl, "signalled")).as("its answer may still be asked for").isTrue();
            assertThat(pawl.store().orphans("default")).isEmpty();
        }
    }

    @Test
    void defaultsArePerStatus() {
        assertThat(RetentionPolicy.DEFAULT.keep().get(WorkflowStatus.COMPLETED)).isEqualTo(Duration.ofDays(30));
        assertThat(RetentionPolicy.DEFAULT.keep().get(WorkflowStatus.FAILED)).isEqualTo(Duration.ofDays(90));
        assertThat(RetentionPolicy.DEFAULT.keep()).hasSize(5);
        assertThatThrownBy(() -> RetentionPolicy.DEFAULT.keep(WorkflowStatus.RUNNING, Duration.ZERO))
                .hasMessageContaining("only what has ended");
        assertThatThrownBy(() -> RetentionPolicy.DEFAULT.keep(WorkflowStatus.FAILED, Duration.ofDays(-1)))
                .hasMessageContaining("for some time");
    }
}
