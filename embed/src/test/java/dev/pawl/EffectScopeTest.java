package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.flow.Activity;
import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.flow.Guarantee;
import dev.pawl.engine.flow.Verified;
import dev.pawl.kernel.workflow.Effect;
import dev.pawl.kernel.workflow.EffectRecord;
import dev.pawl.kernel.workflow.EffectStatus;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One effect is one operation of one workflow: the same activity with the same key elsewhere is another effect. */
class EffectScopeTest {

    private static final Duration SOON = Duration.ofSeconds(60);

    private final AtomicInteger runs = new AtomicInteger();
    private final Map<String, String> world = new ConcurrentHashMap<>();

    /** Every call has the key of every other. */
    private final Activity<String, String> charge = Activity.<String, String>named("charge", String.class,
            String.class, input -> {
                runs.incrementAndGet();
                return input + " paid";
            }).key(input -> "the same").guarantee(Guarantee.IDEMPOTENT);

    private final Flow<String, String> flow = Flow.named("pay", String.class, String.class, (context, input) -> {
        List<String> items = context.map(List.of("a", "b", "c"), 3, (branch, item) -> branch.run("each", charge, item));
        String twice = context.run("again", charge, "d") + " " + context.run("again", charge, "e");
        return items + " " + twice + " " + context.signal("go", String.class);
    });

    private static List<String> operations(List<EffectRecord> effects) {
        return effects.stream().map(each -> each.effect().key().operationId()).sorted().toList();
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void operationsOfBranchesHaveEffectsOfTheirOwnAndTheSameNamesInEveryRun(Databases.Kind kind) throws Exception {
        String url = kind.fresh();
        String expected = "[a paid, b paid, c paid] d paid e paid on";
        List<String> before;
        try (Lifetime first = new Lifetime(url, flow)) {
            first.pawl.start(flow, "v", "");
            first.pawl.workflow("v").signal("go", "on");
            assertThat(first.pawl.workflow(flow, "v").result(SOON)).isEqualTo(expected);
            before = operations(first.effects("v"));
            assertThat(before).hasSize(5).doesNotHaveDuplicates();
            first.cutBefore(Lifetime.ends("again~2"));
            first.pawl.start(flow, "w", "");
            first.awaitCut();
        }
        try (Lifetime second = new Lifetime(url, flow)) {
            second.pawl.workflow("w").signal("go", "on");
            assertThat(second.pawl.workflow(flow, "w").result(SOON)).isEqualTo(expected);
            assertThat(operations(second.effects("w"))).isEqualTo(before);
            assertThat(second.effects("w")).allSatisfy(each -> {
                Effect.Key key = each.effect().key();
                assertThat(key.activityName()).as("as it is registered").isEqualTo("charge");
                assertThat(key.idempotencyKey()).isEqualTo("the same");
                assertThat(each.effect().status()).isEqualTo(EffectStatus.COMPLETED);
                assertThat(each.effect().result()).isNotNull();
                assertThat(each.workflow().workflowId()).isEqualTo("w");
            });
        }
        assertThat(runs).as("one was not recorded in time").hasValue(5 + 6);
    }

    /**
     * What one workflow has completed proves nothing for another, whatever the key. After a crash the record of the other is found as
     * it was declared, it is looked up for itself, and done.
     */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void keyOfOneWorkflowIsNotTakenForThatOfAnother(Databases.Kind kind) throws Exception {
        List<String> looks = Collections.synchronizedList(new ArrayList<>());
        Activity<String, String> looked = Activity.<String, String>named("charge", String.class, String.class,
                input -> {
                    runs.incrementAndGet();
                    world.put(input, input + " paid");
                    return input + " paid";
                }).key(input -> "the same").verify((key, input) -> {
                    looks.add(input);
                    String found = world.get(input);
                    return found == null ? new Verified.NotCompleted<>() : new Verified.Completed<>(found);
                });
        Flow<String, String> once = Flow.named("once", String.class, String.class,
                (context, input) -> context.run("pay", looked, input));
        String url = kind.fresh();
        try (Lifetime first = new Lifetime(url, once)) {
            assertThat(first.pawl.start(once, "done", "done").result(SOON)).isEqualTo("done paid");
            first.cutAfter(Lifetime.begins("pay"));
            first.pawl.start(once, "declared", "declared");
            first.awaitCut();
            assertThat(status(first, "declared")).isEqualTo(EffectStatus.INDETERMINATE);
        }
        assertThat(runs).as("the one that was only declared has not run").hasValue(1);
        try (Lifetime second = new Lifetime(url, once)) {
            assertThat(second.pawl.workflow(once, "declared").result(SOON)).isEqualTo("declared paid");
            second.cutBefore(Lifetime.ends("pay"));
            second.pawl.start(once, "unrecorded", "unrecorded");
            second.awaitCut();
            assertThat(status(second, "unrecorded")).isEqualTo(EffectStatus.INDETERMINATE);
        }
        try (Lifetime third = new Lifetime(url, once)) {
            assertThat(third.pawl.workflow(once, "unrecorded").result(SOON)).isEqualTo("unrecorded paid");
            for (String id : List.of("done", "declared", "unrecorded")) {
                assertThat(third.effects(id)).singleElement().satisfies(each -> {
                    assertThat(each.effect().status()).as(id).isEqualTo(EffectStatus.COMPLETED);
                    assertThat(new String(Objects.requireNonNull(each.effect().result()).bytes(),
                            StandardCharsets.UTF_8)).isEqualTo("\"" + id + " paid\"");
                });
            }
        }
        assertThat(looks).containsExactly("declared", "unrecorded");
        assertThat(runs).as("each once").hasValue(3);
    }

    private static EffectStatus status(Lifetime life, String workflowId) {
        return life.effects(workflowId).getFirst().effect().status();
    }
}
