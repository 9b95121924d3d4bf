package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.flow.FlowControl;
import dev.pawl.engine.retention.RetentionPolicy;
import dev.pawl.engine.store.SignalRequest;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Response;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A signal that is there without its acceptance, as something else than this version may have left it. */
class SignalAcceptanceTest {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String SECRET = "the-payload";

    private final Flow<String, String> flow = Flow.named("flow", String.class, String.class, (context, input) -> {
        String[] said = {""};
        context.onUpdate("say", String.class, String.class, word -> said[0] += word);
        String first = context.signal("first", String.class);
        context.signal("last", String.class);
        return first + said[0];
    });

    private static final WorkflowKey KEY = new WorkflowKey("default", "w");

    private Pawl open(String url) {
        return Pawl.builder().url(url).shards(2).lease(Duration.ofSeconds(3), Duration.ofMillis(500))
                .definitions(flow).open();
    }

    /** The message alone: what a crash between message and acceptance would leave where they are not one. */
    private static void leave(Pawl pawl, String name, String signalId) {
        Instant now = pawl.clock().instant();
        pawl.store().post("default", new SignalRequest(KEY, name, signalId, true,
                new Response.Final(pawl.codec().encode(SECRET)), now, now).message());
    }

    private static void refused(Pawl pawl, String name, String signalId) {
        SignalAcceptanceIndeterminate refusal = catchThrowableOfType(SignalAcceptanceIndeterminate.class,
                () -> pawl.workflow("w").signal(name, SECRET, signalId));
        assertThat(refusal.code()).isEqualTo("SignalAcceptanceIndeterminate");
        assertThat(refusal.workflowId()).isEqualTo("w");
        assertThat(refusal.signalName()).isEqualTo(name);
        assertThat(refusal.signalId()).isEqualTo(signalId);
        assertThat(refusal.correlationId()).isNotBlank();
        assertThat(refusal.getMessage()).contains(refusal.correlationId()).doesNotContain(SECRET);
    }

    private static long waitFor(Pawl pawl, int operations) throws InterruptedException {
        for (int i = 0; i < 6_000 && pawl.workflow("w").operations().size() < operations; i++) {
            new java.util.concurrent.CountDownLatch(1).await(10, java.util.concurrent.TimeUnit.MILLISECONDS);
        }
        return pawl.workflow("w").operations().size();
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void retryFailsClosedUntilSomebodyHasLooked(Databases.Kind kind) throws Exception {
        String url = kind.fresh();
        try (Pawl pawl = open(url)) {
            pawl.start(flow, "w", "");
            leave(pawl, "first", "s-1");
            refused(pawl, "first", "s-1");
            assertThat(waitFor(pawl, 2)).as("it was taken all the same").isEqualTo(2);
            refused(pawl, "first", "s-1");
        }
        try (Pawl pawl = open(url)) {
            refused(pawl, "first", "s-1");
            assertThatThrownBy(() -> pawl.attention().settle("w", "first", "s-1", " "))
                    .hasFieldOrPropertyWithValue("code", "ValidationFailed");
            assertThatThrownBy(() -> pawl.attention().settle("w", "first", "s-9", "ops"))
                    .hasFieldOrPropertyWithValue("code", "NotFound");
            pawl.attention().settle("w", "first", "s-1", "ops");

            AcceptedSignalResult settled = pawl.workflow("w").signal("first", "other", "s-1");
            assertThat(pawl.workflow("w").signal("first", "other", "s-1")).isEqualTo(settled);
            assertThat(pawl.attention().decisions("w")).singleElement()
                    .satisfies(decision -> assertThat(decision.subject()).isEqualTo("ops"));
            pawl.workflow("w").signal("last", "", "s-2");
            assertThat(pawl.workflow(flow, "w").result(SOON)).isEqualTo(SECRET);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void updateIsTreatedTheSame(Databases.Kind kind) throws Exception {
        try (Pawl pawl = open(kind.fresh())) {
            WorkflowHandle<String> handle = pawl.start(flow, "w", "");
            leave(pawl, FlowControl.updateTopic("say"), "u-1");
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> handle.update("say", SECRET, String.class, "u-1", SOON))
                        .isInstanceOf(SignalAcceptanceIndeterminate.class)
                        .hasFieldOrPropertyWithValue("signalId", "u-1");
                waitFor(pawl, 2);
            }
            pawl.attention().settle("w", FlowControl.updateTopic("say"), "u-1", "ops");
            assertThat(handle.update("say", "ignored", String.class, "u-1", SOON)).isEqualTo(SECRET);
            assertThat(handle.update("say", "!", String.class, "u-2", SOON)).isEqualTo(SECRET + "!");
            assertThatThrownBy(() -> handle.update("say", "!", String.class, "", SOON))
                    .hasFieldOrPropertyWithValue("code", "ValidationFailed");
            handle.signal("first", "f");
            handle.signal("last", "");
            assertThat(handle.result(SOON)).as("each was applied once").isEqualTo("f" + SECRET + "!");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void retentionClearsIt(Databases.Kind kind) throws Exception {
        try (Pawl pawl = open(kind.fresh())) {
            pawl.start(flow, "w", "");
            leave(pawl, "first", "s-1");
            waitFor(pawl, 2);
            refused(pawl, "first", "s-1");
            pawl.workflow("w").signal("last", "");
            pawl.workflow(flow, "w").result(SOON);

            assertThatThrownBy(() -> pawl.workflow("w").signal("first", "x", "s-1"))
                    .hasFieldOrPropertyWithValue("code", "WorkflowClosed");
            pawl.retention().policy(RetentionPolicy.keepAll(Duration.ZERO));
            Pawl later = pawl;
            for (int i = 0; i < 6_000 && later.store().load(KEY).workflow() != null; i++) {
                // The signal that was accepted keeps it for its own time.
                later.store().sweep("default", dev.pawl.engine.store.Cutoffs.all(Instant.now().plusSeconds(1)),
                        Instant.now().plus(Duration.ofDays(8)), 10);
            }
            assertThatThrownBy(() -> pawl.workflow("w").signal("first", "x", "s-1"))
                    .hasFieldOrPropertyWithValue("code", "NotFound");
            pawl.start(flow, "w", "");
            pawl.workflow("w").signal("first", "anew", "s-1");
            pawl.workflow("w").signal("last", "", "s-2");
            assertThat(pawl.workflow(flow, "w").result(SOON)).isEqualTo("anew");
        }
    }
}
