package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.flow.Activity;
import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.flow.OperationFailed;
import dev.pawl.kernel.workflow.Effect;
import dev.pawl.kernel.workflow.EffectRecord;
import dev.pawl.kernel.workflow.EffectStatus;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** An activity whose process ends after its effect has happened and before anybody has recorded it, and another process that goes on. */
abstract class ReconciliationBench {

    static final Duration SOON = Duration.ofSeconds(60);
    static final String ID = "w";
    static final String KEY = "order:42 %\0\ud83d\ude00";

    final AtomicInteger runs = new AtomicInteger();
    final AtomicInteger looks = new AtomicInteger();
    final AtomicReference<@Nullable Lifetime> life = new AtomicReference<>();
    private Instant begun = Instant.EPOCH;

    /** Has its effect, and may bring its process down before that is recorded. */
    final Activity<String, String> charge(boolean deadly) {
        return Activity.<String, String>named("charge", String.class, String.class, input -> {
            int run = runs.incrementAndGet();
            Lifetime current = life.get();
            if (deadly && current != null) {
                current.cut();
            }
            return input + " " + run;
        }).timeout(Duration.ofMillis(500));
    }

    /** Says how it ended, so that a failure is a result like any other. */
    static Flow<String, String> flow(Activity<String, String> activity) {
        return Flow.named("pay", String.class, String.class, (context, input) -> {
            try {
                return context.run("pay", activity, input);
            } catch (OperationFailed e) {
                return e.code();
            }
        });
    }

    final void crash(String url, Activity<String, String> activity) throws Exception {
        begun = Instant.now().minusMillis(1);
        Flow<String, String> flow = flow(activity);
        try (Lifetime first = new Lifetime(url, flow)) {
            life.set(first);
            first.pawl.start(flow, ID, "paid");
            first.awaitCut();
        }
        assertThat(runs).hasValue(1);
    }

    final EffectRecord resume(String url, Activity<String, String> activity, String expected) {
        Flow<String, String> flow = flow(activity);
        try (Lifetime second = new Lifetime(url, flow)) {
            assertThat(second.pawl.workflow(flow, ID).result(SOON)).isEqualTo(expected);
            assertThat(second.effects(ID)).hasSize(1);
            return second.effects(ID).getFirst();
        }
    }

    final EffectRecord crashAndResume(Databases.Kind kind, Activity.Verifier<String, String> verifier,
            String expected) throws Exception {
        String url = kind.fresh();
        crash(url, charge(true).key(input -> KEY).verify(verifier));
        return resume(url, charge(false).key(input -> KEY).verify((key, input) -> {
            looks.incrementAndGet();
            assertThat(key).isEqualTo(KEY);
            return verifier.verify(key, input);
        }), expected);
    }

    /** Every field of the record. */
    final void assertRecord(EffectRecord record, EffectStatus status, @Nullable String result,
            @Nullable String error) {
        assertThat(record.version()).isEqualTo(1);
        assertThat(record.workflow().workflowId()).isEqualTo(ID);
        assertThat(record.effect().key()).isEqualTo(new Effect.Key("charge", "pay", KEY));
        assertThat(record.effect().status()).isEqualTo(status);
        assertThat(text(record.effect().result())).isEqualTo(result);
        if (error == null) {
            assertThat(record.effect().error()).isNull();
        } else {
            assertThat(text(record.effect().error())).contains(error);
        }
        assertThat(record.createdAt()).isBetween(begun, record.updatedAt());
        assertThat(record.updatedAt()).isBeforeOrEqualTo(Instant.now());
    }

    static @Nullable String text(dev.pawl.kernel.message.@Nullable Payload payload) {
        return payload == null ? null : new String(payload.bytes(), StandardCharsets.UTF_8);
    }
}
