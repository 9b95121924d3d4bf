package dev.pawl.store.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.store.Cutoffs;
import dev.pawl.engine.store.Store;
import dev.pawl.store.TestDatabase;
import dev.pawl.store.TestStores;
import dev.pawl.testkit.scenario.Scenario;
import dev.pawl.testkit.simulate.CrashExplorer;
import dev.pawl.testkit.simulate.RealDatabase;
import dev.pawl.testkit.simulate.SimResult;
import dev.pawl.testkit.simulate.Simulation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every scenario with the real engine on real stores: it ends as the oracle says, whatever goes wrong on the way, and when it is
 * swept nothing of it is left. The engines' clock is simulated, so that a day of sleep takes no time.
 */
@Execution(ExecutionMode.CONCURRENT)
class ScenariosOnRealStoresTest {

    private static final double FAULTS = 0.05;
    private static final int GENERATED = 25;
    /** With a commit for every step a scenario takes several times as long; the simulator has tens of thousands of them. */
    private static final int GENERATED_APART = 5;
    /** Thousands of workflows at once are met in one of the ways only. */
    private static final int STARTS_MAX = 50;

    @ParameterizedTest
    @MethodSource("dev.pawl.store.TestStores#all")
    void everyScenarioEndsAsTheOracleSays(TestStores.Kind kind) {
        run(kind, 0, false);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.store.TestStores#all")
    void everyScenarioEndsAsTheOracleSaysWithACommitForEveryStep(TestStores.Kind kind) {
        run(kind, 0, true);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.store.TestStores#all")
    void everyScenarioEndsAsTheOracleSaysWhateverGoesWrong(TestStores.Kind kind) {
        run(kind, FAULTS, false);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.store.TestStores#all")
    void everyScenarioEndsAsTheOracleSaysWhateverGoesWrongBetweenTwoSteps(TestStores.Kind kind) {
        run(kind, FAULTS, true);
    }

    private static void run(TestStores.Kind kind, double rate, boolean stepsApart) {
        List<String> wrong = new ArrayList<>();
        long commits = 0;
        long faults = 0;
        try (TestDatabase database = kind.fresh(); Store store = database.open()) {
            String left = left(database);
            boolean everything = rate == 0 && !stepsApart;
            List<Scenario> scenarios =
                    CrashExplorer.scenarios(stepsApart ? GENERATED_APART : GENERATED).stream()
                            .filter(scenario -> everything || scenario.starts().size() <= STARTS_MAX).toList();
            for (int seed = 0; seed < scenarios.size(); seed++) {
                Scenario scenario = scenarios.get(seed);
                RealDatabase real = new RealDatabase(store);
                SimResult result = Simulation.run(scenario, real, seed, rate, stepsApart);
                result.violations().forEach(violation -> wrong.add(scenario + ": " + violation));
                sweep(store);
                database.rows(left).forEach(rows -> wrong.add(scenario + ": left after the sweep: " + rows));
                if (!wrong.isEmpty()) {
                    wrong.add("seed " + seed + " of " + kind + ", faults " + result.faults());
                    break;
                }
                commits += result.commits();
                faults += result.faults().size();
            }
        }
        System.out.printf("%s, %s: %d commits, %d faults%n", kind, stepsApart ? "steps apart" : "steps together",
                commits, faults);
        assertThat(wrong).isEmpty();
    }

    private static void sweep(Store store) {
        Instant later = Instant.parse("2100-01-01T00:00:00Z");
        while (!store.sweep(Scenario.NAMESPACE, Cutoffs.all(later), later.plus(Duration.ofDays(1)), 100).isNothing()) {
            assertThat(store.orphans(Scenario.NAMESPACE)).isEmpty();
        }
    }

    /** Asks for the rows of workflows that are gone, all at once: every scenario ends with all of them closed. */
    private static String left(TestDatabase database) {
        return database.schema().keySet().stream()
                .filter(table -> !List.of("store_format", "shard", "engine").contains(table))
                .map(table -> "select '" + table + "', count(*) from " + table + " having count(*) > 0")
                .collect(Collectors.joining(" union all "));
    }
}
