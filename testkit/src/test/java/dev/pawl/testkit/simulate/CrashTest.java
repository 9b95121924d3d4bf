package dev.pawl.testkit.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.testkit.scenario.Scenario;
import dev.pawl.testkit.scenario.Scenarios;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * A crash at commit boundaries, with the commit applied and not applied: the end is the same as without. The names say how far each
 * test goes; {@code ./build simulate --crashes} and {@code --crashes --apart} take every boundary of every scenario but the largest,
 * and many more pairs.
 */
class CrashTest {

    private static final int GENERATED = 100;
    /** Of these, so many are crashed in every build; {@code ./build long} crashes all. */
    private static final int GENERATED_CRASHED = 30;
    private static final int LARGE = 100;
    private static final int GENERATED_EXHAUSTIVELY = 10;
    private static final int EVERY_BOUNDARY = 1_000;

    /** Of a scenario with less than twice as many commits these are all boundaries, of a longer one as many, evenly spread. */
    private static final int BOUNDARIES_APART = 40;

    @Test
    void withoutFaultsTheOracleIsRight() {
        List<Scenario> scenarios = CrashExplorer.scenarios(GENERATED);
        List<String> wrong = new ArrayList<>();
        for (Scenario scenario : scenarios) {
            for (boolean apart : new boolean[] {false, true}) {
                SimResult result = new CrashExplorer(scenario, apart).run(Set.of());
                if (result.failed()) {
                    wrong.add(scenario + (apart ? " (steps apart)" : "") + ": " + result.violations());
                }
            }
        }
        assertThat(Scenarios.handWritten()).hasSizeGreaterThanOrEqualTo(40);
        assertThat(scenarios).hasSizeGreaterThanOrEqualTo(140);
        assertThat(wrong).isEmpty();
    }

    @Test
    void crashAtEveryCommitChangesNothing() {
        assertThat(wrong("crashes", small(GENERATED_EXHAUSTIVELY), false,
                explorer -> explorer.single(EVERY_BOUNDARY))).isEmpty();
    }

    @Test
    void crashAtSomeCommitsOfEveryScenarioChangesNothing() {
        assertThat(wrong("crashes of all scenarios", small(GENERATED_CRASHED), false, explorer -> explorer.single(3)))
                .isEmpty();
    }

    /** Every step of a transition is a commit of its own, so the crash falls between two steps of one transition. */
    @Test
    void crashBetweenAnyTwoStepsOfASmallScenarioChangesNothing() {
        List<Scenario> scenarios = small(0);
        assertThat(scenarios.stream().filter(scenario -> new CrashExplorer(scenario, true).run(Set.of()).commits()
                < 2 * BOUNDARIES_APART)).as("those of which every boundary is tried").hasSizeGreaterThan(65);

        assertThat(wrong("crashes with steps apart", scenarios, true, explorer -> explorer.single(BOUNDARIES_APART)))
                .isEmpty();
    }

    @Test
    void crashBetweenSomeStepsOfEveryScenarioChangesNothing() {
        assertThat(wrong("crashes with steps apart, of all scenarios", small(GENERATED_CRASHED), true,
                explorer -> explorer.single(2))).isEmpty();
    }

    /** All pairs of boundaries of scenarios with up to six commits. */
    @Test
    void anyTwoCrashesOfASmallScenarioChangeNothing() {
        assertThat(wrong("pairs of crashes", small(GENERATED_CRASHED), false, explorer -> explorer.pairs(6, 0)))
                .isEmpty();
    }

    @Test
    void someTwoCrashesOfEveryScenarioChangeNothing() {
        assertThat(wrong("pairs of crashes of all scenarios", small(GENERATED_CRASHED), false,
                explorer -> explorer.pairs(0, 5))).isEmpty();
    }

    /** All but the one with more than a thousand workflows, a single run of which takes seconds. */
    private static List<Scenario> small(int generated) {
        return CrashExplorer.scenarios(generated).stream().filter(scenario -> scenario.starts().size() <= LARGE)
                .toList();
    }

    private static List<String> wrong(String what, List<Scenario> scenarios, boolean apart,
            Function<CrashExplorer, CrashExplorer.Findings> exploring) {
        List<CrashExplorer.Findings> findings = scenarios.stream()
                .map(scenario -> exploring.apply(new CrashExplorer(scenario, apart))).toList();
        System.out.printf("%d %s%n", findings.stream().mapToLong(CrashExplorer.Findings::runs).sum(), what);
        return findings.stream().flatMap(each -> each.wrong().stream()).limit(5).toList();
    }
}
