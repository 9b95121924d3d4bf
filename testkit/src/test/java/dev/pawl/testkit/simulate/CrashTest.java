package dev.pawl.testkit.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.world.Chance;
import dev.pawl.testkit.scenario.Generator;
import dev.pawl.testkit.scenario.Scenario;
import dev.pawl.testkit.scenario.Scenarios;
import dev.pawl.testkit.simulate.SimPlan.CrashPoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A crash at every commit boundary, with the commit applied and not applied: the end is the same as without. */
class CrashTest {

    private static final int GENERATED = 200;
    /** Scenarios with more commits than this are crashed at some of them, evenly spread, fewer the larger they are. */
    private static final int BOUNDARIES_MAX = 60;
    private static final int PAIRS_COMMITS_MAX = 8;

    private static List<Scenario> scenarios() {
        return Stream.concat(Scenarios.handWritten().stream(),
                LongStream.range(0, GENERATED).mapToObj(seed -> Generator.scenario(Chance.ofSeed(seed)))).toList();
    }

    @Test
    void withoutFaultsTheOracleIsRight() {
        List<String> wrong = new ArrayList<>();
        for (Scenario scenario : scenarios()) {
            for (boolean apart : new boolean[] {false, true}) {
                SimResult result = Simulation.crash(scenario, apart, Set.of());
                if (result.failed()) {
                    wrong.add(scenario + (apart ? " (steps apart)" : "") + ": " + result.violations());
                }
            }
        }
        assertThat(scenarios().size()).isGreaterThanOrEqualTo(240);
        assertThat(wrong).isEmpty();
    }

    @Test
    void crashAtEveryCommitChangesNothing() {
        assertThat(crashed(scenarios(), false)).isEmpty();
    }

    @Test
    void crashBetweenAnyTwoStepsChangesNothing() {
        assertThat(crashed(scenarios().stream().filter(scenario -> scenario.hashCode() % 2 == 0).toList(), true))
                .isEmpty();
    }

    private static List<String> crashed(List<Scenario> scenarios, boolean apart) {
        List<String> wrong = new ArrayList<>();
        long runs = 0;
        for (Scenario scenario : scenarios) {
            SimResult calm = Simulation.crash(scenario, apart, Set.of());
            int points = calm.dump().length() < 200_000 ? BOUNDARIES_MAX : BOUNDARIES_MAX / 20;
            long stride = Math.max(1, calm.commits() / points);
            for (long commit = 1; commit <= calm.commits(); commit += stride) {
                for (boolean applied : new boolean[] {false, true}) {
                    runs++;
                    compare(scenario, calm, apart, Set.of(new CrashPoint(commit, applied)), wrong);
                }
            }
        }
        System.out.printf("%d crashes%s%n", runs, apart ? " with steps apart" : "");
        return wrong.subList(0, Math.min(5, wrong.size()));
    }

    @Test
    void twoCrashesChangeNothing() {
        List<String> wrong = new ArrayList<>();
        long runs = 0;
        for (Scenario scenario : scenarios()) {
            SimResult calm = Simulation.crash(scenario, false, Set.of());
            for (long first = 1; calm.commits() <= PAIRS_COMMITS_MAX && first < calm.commits(); first++) {
                for (long second = first + 1; second <= calm.commits() + 2; second++) {
                    for (int applied = 0; applied < 4; applied++) {
                        runs++;
                        compare(scenario, calm, false, Set.of(new CrashPoint(first, (applied & 1) == 1),
                                new CrashPoint(second, (applied & 2) == 2)), wrong);
                    }
                }
            }
        }
        System.out.printf("%d pairs of crashes%n", runs);
        assertThat(wrong.subList(0, Math.min(5, wrong.size()))).isEmpty();
    }

    private static void compare(Scenario scenario, SimResult calm, boolean apart, Set<CrashPoint> points,
            List<String> wrong) {
        SimResult result = Simulation.crash(scenario, apart, points);
        if (result.failed()) {
            wrong.add(scenario + " " + points + ": " + result.violations());
        } else if (scenario.exact() && !result.meaning().equals(calm.meaning())) {
            wrong.add(scenario + " " + points + " ends otherwise:\n" + difference(calm.meaning(), result.meaning()));
        }
    }

    private static String difference(String expected, String actual) {
        List<String> lines = new ArrayList<>(actual.lines().map(line -> "+" + line).toList());
        List<String> missing = new ArrayList<>(expected.lines().map(line -> "+" + line).toList());
        List<String> common = new ArrayList<>(lines);
        lines.removeAll(missing);
        missing.removeAll(common);
        return "expected " + missing + "\nbut got " + lines;
    }
}
