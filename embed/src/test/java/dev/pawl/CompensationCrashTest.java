package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.flow.Activity;
import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.flow.Guarantee;
import dev.pawl.engine.flow.Verified;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.workflow.EffectRecord;
import dev.pawl.kernel.workflow.EffectStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A process that ends at any commit of a rollback, or in the middle of a compensation: no effect of one happens twice, by its level. */
@Execution(ExecutionMode.CONCURRENT)
class CompensationCrashTest {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String FIRST = "first";
    private static final String SECOND = "second";

    /** What the outside world has seen, by key. */
    private final Map<String, Integer> effects = new ConcurrentHashMap<>();
    private final AtomicReference<@Nullable Lifetime> doomed = new AtomicReference<>();

    /**
     * Where the process ends.
     *
     * @param write the commit; null for a process that ends in the compensation of {@code inside}, after its effect
     */
    record End(String name, boolean before, @Nullable Predicate<Write> write, String inside) {

        @Override
        public String toString() {
            return name;
        }
    }

    private static Stream<End> ends() {
        List<End> ends = new ArrayList<>();
        Map<String, Predicate<Write>> commits = Map.of(
                "the beginning of the last compensation", Lifetime.begins("~undo:" + SECOND),
                "its end", Lifetime.ends("~undo:" + SECOND),
                "the beginning of the first compensation", Lifetime.begins("~undo:" + FIRST),
                "the end of the first compensation", Lifetime.ends("~undo:" + FIRST),
                "the end of the workflow", Write.CloseWorkflow.class::isInstance);
        commits.forEach((name, write) -> {
            ends.add(new End("before " + name, true, write, ""));
            ends.add(new End("after " + name, false, write, ""));
        });
        ends.add(new End("after the effect of " + SECOND, false, null, SECOND));
        ends.add(new End("after the effect of " + FIRST, false, null, FIRST));
        return ends.stream();
    }

    private static Stream<Arguments> cases() {
        return Databases.all().flatMap(kind -> Stream.of(Guarantee.RECONCILED, Guarantee.IDEMPOTENT,
                Guarantee.AT_MOST_ONCE).flatMap(level -> ends().map(end -> Arguments.of(kind, level, end))));
    }

    private Activity<String, String> activity(String name, Guarantee level, End end) {
        var refund = Activity.<String, String>compensation("refund", (attempt, input, output) -> {
            // The receiver of an idempotent one recognises its key.
            effects.merge(attempt.idempotencyKey(), 1, (one, more) -> level == Guarantee.IDEMPOTENT ? one : one + more);
            Lifetime current = doomed.get();
            if (end.inside().equals(name) && current != null) {
                current.cut();
            }
        }).guarantee(level);
        return Activity.named("book", String.class, String.class, (String trip) -> "booked " + trip)
                .compensateWith(
                        level != Guarantee.RECONCILED ? refund : refund.verify((key, undo) -> effects.containsKey(key)
                                ? new Verified.Completed<>(null) : new Verified.NotCompleted<>()));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void noCompensationHappensTwice(Databases.Kind kind, Guarantee level, End end) throws Exception {
        Activity<String, String> first = activity(FIRST, level, end);
        Activity<String, String> second = activity(SECOND, level, end);
        Flow<String, String> flow = Flow.named("saga", String.class, String.class, (context, input) -> {
            context.run(FIRST, first, "there");
            context.run(SECOND, second, "back");
            throw new IllegalStateException("no seats");
        });
        String url = kind.fresh();
        try (Lifetime life = new Lifetime(url, flow)) {
            doomed.set(life);
            Predicate<Write> write = end.write();
            if (write != null && end.before()) {
                life.cutBefore(write);
            } else if (write != null) {
                life.cutAfter(write);
            }
            life.pawl.start(flow, "w", "");
            life.awaitCut();
        }
        doomed.set(null);
        try (Lifetime life = new Lifetime(url, flow)) {
            assertThatThrownBy(() -> life.pawl.workflow(flow, "w").result(SOON)).isInstanceOf(WorkflowFailed.class)
                    .hasMessageContaining("no seats").satisfies(failure -> {
                        List<String> unknown = ofCompensations(life).stream()
                                .filter(each -> each.effect().status() == EffectStatus.INDETERMINATE)
                                .map(each -> each.effect().key().operationId()).toList();
                        // What may have happened or not is shown, and named.
                        assertThat(unknown).hasSizeLessThanOrEqualTo(level == Guarantee.AT_MOST_ONCE ? 1 : 0)
                                .allSatisfy(id -> assertThat(failure)
                                        .hasMessageContaining(id.substring("~undo:".length()) + " ("));
                        assertThat(effects.keySet()).hasSizeGreaterThanOrEqualTo(2 - unknown.size());
                    });
            assertThat(ofCompensations(life)).hasSize(2);
        }
        assertThat(effects.values()).allMatch(times -> times == 1);
    }

    /** Without the cases that are opened about those that have failed. */
    private static List<EffectRecord> ofCompensations(Lifetime life) {
        return life.effects("w").stream()
                .filter(each -> each.effect().key().operationId().startsWith("~undo:")).toList();
    }
}
