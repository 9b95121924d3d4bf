package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.CheckpointOwnership;
import dev.pawl.engine.PawlException;
import dev.pawl.engine.flow.Activity;
import dev.pawl.engine.flow.Codec;
import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.flow.Guarantee;
import dev.pawl.engine.store.StoreCapabilities;
import dev.pawl.kernel.id.InvocationKey;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.message.Payload;
import dev.pawl.testkit.sim.SimClock;
import dev.pawl.testkit.sim.SimStore;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

/** By what an activity is recognised: inside when its code runs again, and outside in every attempt. */
class InvocationTest {

    private static final Duration SOON = Duration.ofSeconds(60);

    /** Writes members in the order it finds them, like many another. */
    private static final Codec UNSORTED = new Codec() {

        private final JsonMapper mapper = JsonMapper.builder().build();

        @Override
        public Payload encode(@Nullable Object value) {
            return Payload.of(mapper.writeValueAsBytes(value));
        }

        @Override
        @SuppressWarnings("TypeParameterUnusedInFormals")
        public <T> @Nullable T decode(Payload payload, Type type) {
            return payload.size() == 0 ? null
                    : mapper.readerFor(mapper.constructType(type)).readValue(payload.bytes());
        }
    };

    private final List<String> log = Collections.synchronizedList(new ArrayList<>());

    private static void await(BooleanSupplier condition) throws InterruptedException {
        for (int i = 0; i < 6_000 && !condition.getAsBoolean(); i++) {
            new CountDownLatch(1).await(10, TimeUnit.MILLISECONDS);
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }

    private static Map<String, Object> map(Object... entries) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < entries.length; i += 2) {
            map.put((String) entries[i], entries[i + 1]);
        }
        return map;
    }

    /** An activity, a child and a signal, all with the same arguments. */
    private Flow<String, String> flow(Map<String, Object> arguments) {
        Activity<Object, String> charge = Activity.named("charge", Object.class, String.class, input -> {
            log.add("charged");
            return "paid";
        });
        Flow<Object, String> child = child();
        return Flow.named("pay", String.class, String.class, (context, input) -> {
            String paid = context.run(charge.guarantee(Guarantee.IDEMPOTENT), arguments);
            context.startChild(child, context.workflowId() + ".child", arguments);
            context.signalTo(context.workflowId() + ".child", "hello", arguments);
            return paid + context.signal("go", String.class);
        });
    }

    private static Flow<Object, String> child() {
        return Flow.named("child", Object.class, String.class, (context, input) -> context.signal("end", String.class));
    }

    private Lifetime open(String url, Map<String, Object> arguments) {
        return new Lifetime(url, builder -> builder.codec(UNSORTED), flow(arguments), child());
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void otherSpellingOfTheSameArgumentsIsTheSameCode(Databases.Kind kind) throws Exception {
        String url = kind.fresh();
        try (Lifetime first = open(url, map("b", 1, "a", map("z", 1.0, "y", "\u00e9")))) {
            first.pawl.start(flow(map()), "w", "in");
            await(() -> first.pawl.workflow("w").operations().size() == 4);
        }
        Map<String, Object> respelled = map("a", map("y", "\u00e9", "z", 1), "b", 1);
        try (Lifetime second = open(url, respelled)) {
            second.pawl.workflow("w").signal("go", "!");
            assertThat(second.pawl.workflow(flow(respelled), "w").result(SOON)).isEqualTo("paid!");
        }
        assertThat(log).containsExactly("charged");
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void otherArgumentsParkTheWorkflowInsteadOfDispatching(Databases.Kind kind) throws Exception {
        String url = kind.fresh();
        Map<String, Object> before = map("account", 9_007_199_254_740_993L);
        try (Lifetime first = open(url, before).cutBefore(Lifetime.ends("charge"))) {
            first.pawl.start(flow(before), "w", "in");
            first.awaitCut();
        }
        // They differ by one, which no double can tell.
        try (LogCapture logged = new LogCapture();
                Lifetime second = open(url, map("account", 9_007_199_254_740_992L))) {
            await(() -> second.pawl.workflow("w").status() == WorkflowStatus.PARKED);
            String reason = second.pawl.workflow("w").reason();
            assertThat(reason).contains("FlowMismatch", "charge", "with other arguments", "deploy the code");
            // Neither values nor their hashes: logs and operators' lists are no place for payloads.
            String shown = reason + second.pawl.attention().list(null, 10).items() + logged.from(Level.ALL);
            assertThat(shown).doesNotContain("900719925474099", "\"arguments\"", "invocation");
        }
        assertThat(log).containsExactly("charged");
        try (Lifetime third = open(url, before)) {
            third.pawl.workflow("w").signal("go", "!");
            assertThat(third.pawl.workflow(flow(before), "w").result(SOON)).isEqualTo("paid!");
        }
        assertThat(log).hasSize(2);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void sameStartInAnotherSpellingIsNoConflict(Databases.Kind kind) {
        Flow<Object, String> flow = Flow.named("f", Object.class, String.class, (context, input) -> "x");
        try (Lifetime life = new Lifetime(kind.fresh(), builder -> builder.codec(UNSORTED), flow)) {
            life.pawl.start(flow, "w", map("b", 1, "a", 2));
            assertThat(life.pawl.start(flow, "w", map("a", 2.0, "b", 1)).result(SOON)).isEqualTo("x");
            assertThatThrownBy(() -> life.pawl.start(flow, "w", map("a", 2, "b", 2)))
                    .hasFieldOrPropertyWithValue("code", "WorkflowIdConflict");
        }
    }

    private static String header(Lifetime life, String workflowId, String operation) {
        return life.pawl.workflow(workflowId).operations().stream()
                .filter(each -> each.key().activity().equals(operation))
                .map(each -> new String(each.input().bytes(), StandardCharsets.UTF_8)).findFirst().orElseThrow();
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void bothKeysAreOfferedAndTheInternalOneIsStored(Databases.Kind kind) {
        Activity<Map<String, Object>, String> charge = Activity.named("charge", new dev.pawl.engine.flow.TypeRef<>() {},
                (attempt, input) -> {
                    log.add(attempt.idempotencyKey());
                    log.add(attempt.attemptKey());
                    return "x";
                });
        Flow<String, String> flow = Flow.named("pay", String.class, String.class, (context, input) -> {
            context.run("pay", charge, map("b", 1.0, "a", "x"));
            context.<String>parallel(List.of(branch -> branch.run("pay", charge.guarantee(Guarantee.AT_MOST_ONCE),
                    map())));
            return context.run("pay", charge.key(any -> "mine:1"), map());
        });
        try (Lifetime life = new Lifetime(kind.fresh(), flow)) {
            life.pawl.start(flow, "order:7", "in").result(SOON);

            assertThat(log).containsExactly("pawl:default:order%3A7:pay", "pawl:default:order%3A7:pay:1",
                    "pawl:default:order%3A7:all.0%3Apay", "pawl:default:order%3A7:all.0%3Apay:1", "mine:1",
                    "pawl:default:order%3A7:pay~2:1");
            assertThat(header(life, "order:7", "pay")).contains("\"arguments\":{\"a\":\"x\",\"b\":1}",
                    "\"invocation\":\"" + InvocationKey.internal(new WorkflowKey("default", "order:7"), "pay", "charge",
                            "{\"a\":\"x\",\"b\":1}") + "\"");
            assertThat(life.effects("order:7")).extracting(each -> each.effect().key().idempotencyKey())
                    .containsExactly("pawl:default:order%3A7:all.0%3Apay", "mine:1");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void keyThatCannotBeKeptIsRefusedWithACode(Databases.Kind kind) {
        List<String> keys = List.of("", "x".repeat(513), "\ud83d");
        Activity<Integer, String> charge = Activity.<Integer, String>named("charge", Integer.class, String.class,
                input -> "x").key(keys::get);
        Flow<Integer, String> flow = Flow.named("pay", Integer.class, String.class, (context, which) -> {
            try {
                return context.run(charge, which);
            } catch (PawlException e) {
                return e.code() + " " + e.getMessage();
            }
        });
        try (Lifetime life = new Lifetime(kind.fresh(), flow)) {
            for (int i = 0; i < keys.size(); i++) {
                assertThat(life.pawl.start(flow, "w" + i, i).result(SOON)).startsWith("ValidationFailed ")
                        .contains("1 to 512 bytes");
            }
        }
    }

    /** Two owners could both record the effect: so nobody begins it. */
    @Test
    void activityWithAKeyIsRefusedByAStoreThatCannotCommitConditionally() {
        SimStore weak = new SimStore(new SimClock(), new StoreCapabilities(true, false, true, true), Set.of());
        Activity<String, String> charge = Activity.named("charge", String.class, String.class, input -> {
            log.add(input);
            return "paid";
        });
        Flow<String, String> flow = Flow.named("pay", String.class, String.class, (context, input) -> {
            try {
                return context.run(charge.key(any -> "k"), "keyed");
            } catch (PawlException e) {
                return e.code() + " " + context.run(charge, "plain");
            }
        });
        try (Pawl pawl = Pawl.builder().store(weak).checkpointOwnership(CheckpointOwnership.SINGLE_OWNER).shards(1)
                .definitions(flow).open()) {
            assertThat(pawl.start(flow, "w", "").result(SOON)).isEqualTo("StoreCapabilityMissing paid");
            assertThat(pawl.workflow("w").effects()).isEmpty();
        }
        assertThat(log).containsExactly("plain");
    }

    @Test
    void namesOfARestrictedCharsetAreRefusedWithACode() {
        for (String name : List.of("a b", "a%b", "a\0b", "\ud83d\ude00", "")) {
            assertThatThrownBy(() -> Activity.named(name, String.class, String.class, input -> "x"))
                    .hasFieldOrPropertyWithValue("code", "ValidationFailed");
            assertThatThrownBy(() -> Pawl.builder().namespace(name))
                    .hasFieldOrPropertyWithValue("code", "ValidationFailed");
        }
    }
}
