package dev.pawl.lab.torture.effect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.lab.torture.effect.FlowPlan.Operation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The rules about effects, each on a record that breaks it and on one that keeps it. */
class EffectRulesTest {

    private static final long LONG = Long.MAX_VALUE / 4;

    private final EffectLog log = new EffectLog();
    private final Map<String, ProcessRecord> processes =
            new HashMap<>(Map.of("a", new ProcessRecord("a", 0), "b", new ProcessRecord("b", 0)));
    private final Map<String, List<String>> rows = new HashMap<>();

    private int call(Level level, String process, String key, long nanos) {
        int run = log.begun(process, "f1", "op", level, 1, key, nanos);
        log.happened(run, nanos + 1);
        log.ended(run, nanos + 2, true);
        return run;
    }

    private List<String> violations(Level level, String value, boolean frozen) {
        return rules(level, frozen).violations(Map.of("f1", "op=" + value));
    }

    private EffectRules rules(Level level, boolean frozen) {
        FlowPlan plan = new FlowPlan(List.of(List.of(new Operation("op", level, 0, 0))), 0);
        return new EffectRules(log, new AttemptRules(log, processes, frozen, workflow -> 0), processes, rows,
                number -> plan);
    }

    @ParameterizedTest
    @EnumSource(value = Level.class, names = {"STEP", "AT_LEAST_ONCE", "IDEMPOTENT", "AT_MOST_ONCE", "RECONCILED"})
    void operationComesToWhatItsEffectWas(Level level) {
        call(level, "a", "key", 1);

        assertThat(violations(level, "run1", false)).isEmpty();
        assertThat(violations(level, "run2", false)).singleElement().asString().contains("P9 no effect was that");
    }

    @ParameterizedTest
    @EnumSource(value = Level.class, names = {"AT_MOST_ONCE", "RECONCILED"})
    void secondEffectIsFound(Level level) {
        call(level, "a", "key", 1);
        call(level, "b", "key", 5);

        assertThat(violations(level, "run1", false)).singleElement().asString().contains("P2 it happened");
    }

    @Test
    void receiverThatKnowsTheKeyActsOnceAndAnotherKeyIsFound() {
        call(Level.IDEMPOTENT, "a", "key", 1);
        call(Level.IDEMPOTENT, "b", "key", 5);

        assertThat(violations(Level.IDEMPOTENT, "run1", false)).isEmpty();
        assertThat(rules(Level.IDEMPOTENT, false).excess(Map.of("f1", "op=run1")).calls()).isEqualTo(1);

        call(Level.IDEMPOTENT, "b", "other", 9);
        assertThat(violations(Level.IDEMPOTENT, "run1", false)).singleElement().asString()
                .contains("its key has changed");
    }

    @ParameterizedTest
    @EnumSource(value = Level.class, names = {"ENGINE_TRANSACTION", "OWN_TRANSACTION"})
    void secondRowIsFound(Level level) {
        rows.put("f1 op", List.of("run1"));
        assertThat(violations(level, "run1", true)).isEmpty();

        rows.put("f1 op", List.of("run1", "run2"));
        assertThat(violations(level, "run1", true)).singleElement().asString().contains("P2 it happened");
    }

    @Test
    void reconciledEffectMayHappenTwiceIfItWasFrozenInTheMiddle() {
        int frozen = log.begun("a", "f1", "op", Level.RECONCILED, 1, "key", 1);
        processes.get("a").frozen(5, 20);
        call(Level.RECONCILED, "b", "key", 10);
        log.happened(frozen, 21);

        assertThat(violations(Level.RECONCILED, "run2", true)).isEmpty();
        assertThat(violations(Level.RECONCILED, "run2", false)).hasSize(1);
        assertThat(rules(Level.RECONCILED, true).excess(Map.of("f1", "op=run2")).reconciled()).isEqualTo(1);
    }

    @Test
    void outcomeIsUnknownOnlyOfWhatIsAtMostOnceAndLost() {
        log.renewed("a", 0, LONG, true);
        call(Level.AT_MOST_ONCE, "a", "key", 1);

        assertThat(violations(Level.AT_MOST_ONCE, "unknown:OutcomeUnknown", true)).hasSize(1);
        assertThat(violations(Level.AT_MOST_ONCE, "unknown:OutcomeUnknown", false)).hasSize(1);

        log.renewed("b", 0, 3, true);
        log.renewed("b", 10, 3, true);
        int lost = log.begun("b", "f2", "op", Level.AT_MOST_ONCE, 1, "lost", 1);
        assertThat(lost).isEqualTo(2);
        FlowPlan plan = new FlowPlan(List.of(List.of(new Operation("op", Level.AT_MOST_ONCE, 0, 0))), 0);
        assertThat(new EffectRules(log, new AttemptRules(log, processes, true, workflow -> 0), processes, rows,
                number -> plan)
                .violations(Map.of("f2", "op=unknown:OutcomeUnknown"))).isEmpty();
    }

    /** While a transaction of the same workflow is open, no other end of that workflow becomes durable. */
    @Test
    void endThatWaitsForATransactionOfItsWorkflowMayBeLost() {
        long second = 1_000_000_000;
        log.renewed("a", 0, 62 * second, true);
        log.renewed("a", 61 * second, second, true);
        log.renewed("a", 70 * second, second, true);
        call(Level.AT_MOST_ONCE, "a", "key", 50 * second);
        assertThat(violations(Level.AT_MOST_ONCE, "unknown:OutcomeUnknown", true)).hasSize(1);

        int transaction = log.begun("a", "f1", "book", Level.ENGINE_TRANSACTION, 0, "row", 49 * second);
        log.ended(transaction, 60 * second, true);
        assertThat(violations(Level.AT_MOST_ONCE, "unknown:OutcomeUnknown", true)).isEmpty();
    }
}
