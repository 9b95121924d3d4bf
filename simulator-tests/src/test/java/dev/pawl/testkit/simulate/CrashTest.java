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

    /** A scenario with so many commits is crashed at each of them, a longer one at some, evenly spread: its runs are long, too. */
    private static final int COMMITS_MAX = 100;
    private static final int BOUNDARIES_OF_LONG_ONES = 12;

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
        List<CrashExplorer.Findings> findings = findings("crashes", small(GENERATED_EXHAUSTIVELY), false,
                explorer -> explorer.single(COMMITS_MAX, BOUNDARIES_OF_LONG_ONES));

        assertThat(wrong(findings)).isEmpty();
        assertThat(findings).filteredOn(each -> !each.every()).as("those of which some boundaries are tried")
                .hasSizeLessThanOrEqualTo(2);
    }

    /** Those of which not every commit is tried. */
    @Test
    void crashAtSomeCommitsOfMoreScenariosChangesNothing() {
        assertThat(wrong("crashes of generated scenarios", generated(GENERATED_EXHAUSTIVELY), false,
                explorer -> explorer.single(3))).isEmpty();
    }

    /** Every step of a transition is a commit of its own, so the crash falls between two steps of one transition. */
    @Test
    void crashBetweenAnyTwoStepsOfASmallScenarioChangesNothing() {
        List<CrashExplorer.Findings> findings = findings("crashes with steps apart", small(0), true,
                explorer -> explorer.single(COMMITS_MAX, BOUNDARIES_OF_LONG_ONES));

        assertThat(wrong(findings)).isEmpty();
        assertThat(findings).filteredOn(CrashExplorer.Findings::every).as("those of which every boundary is tried")
                .hasSizeGreaterThan(65);
    }

    @Test
    void crashBetweenSomeStepsOfMoreScenariosChangesNothing() {
        assertThat(wrong("crashes with steps apart, of generated scenarios", generated(0), true,
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

    /** Of the generated ones that are crashed, those from this number on. */
    private static List<Scenario> generated(int from) {
        return CrashExplorer.scenarios(GENERATED_CRASHED).stream().skip(Scenarios.handWritten().size() + (long) from)
                .filter(scenario -> scenario.starts().size() <= LARGE).toList();
    }

    private static List<String> wrong(String what, List<Scenario> scenarios, boolean apart,
            Function<CrashExplorer, CrashExplorer.Findings> exploring) {
        return wrong(findings(what, scenarios, apart, exploring));
    }

    private static List<String> wrong(List<CrashExplorer.Findings> findings) {
        return findings.stream().flatMap(each -> each.wrong().stream()).limit(5).toList();
    }

    private static List<CrashExplorer.Findings> findings(String what, List<Scenario> scenarios, boolean apart,
            Function<CrashExplorer, CrashExplorer.Findings> exploring) {
        List<CrashExplorer.Findings> findings = scenarios.stream()
                .map(scenario -> exploring.apply(new CrashExplorer(scenario, apart))).toList();
        System.out.printf("%d %s%n", findings.stream().mapToLong(CrashExplorer.Findings::runs).sum(), what);
        return findings;
    }
}
