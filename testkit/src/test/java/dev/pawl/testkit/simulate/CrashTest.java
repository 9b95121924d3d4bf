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
 * A crash at commit boundaries, with the commit applied and not applied: the end is the same as without. Every boundary of the
 * hand-written scenarios but the largest and of some made up ones, a few of the others; {@code ./build simulate --crashes}
 * leaves out boundaries of the largest only.
 */
class CrashTest {

    private static final int GENERATED = 200;
    private static final int GENERATED_EXHAUSTIVELY = 25;
    private static final int EVERY_BOUNDARY = 1_000;

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
        assertThat(scenarios).hasSizeGreaterThanOrEqualTo(240);
        assertThat(wrong).isEmpty();
    }

    @Test
    void crashAtEveryCommitChangesNothing() {
        assertThat(wrong("crashes", CrashExplorer.scenarios(GENERATED_EXHAUSTIVELY), false,
                explorer -> explorer.single(large(explorer) ? 4 : EVERY_BOUNDARY))).isEmpty();
    }

    @Test
    void crashAtSomeCommitsOfEveryScenarioChangesNothing() {
        assertThat(wrong("crashes of all scenarios", CrashExplorer.scenarios(GENERATED), false,
                explorer -> explorer.single(3))).isEmpty();
    }

    @Test
    void crashBetweenAnyTwoStepsChangesNothing() {
        assertThat(wrong("crashes with steps apart", CrashExplorer.scenarios(GENERATED), true,
                explorer -> explorer.single(6))).isEmpty();
    }

    @Test
    void twoCrashesChangeNothing() {
        assertThat(wrong("pairs of crashes", CrashExplorer.scenarios(GENERATED), false,
                explorer -> explorer.pairs(6))).isEmpty();
    }

    /** One scenario has more than a thousand workflows. */
    private static boolean large(CrashExplorer explorer) {
        return explorer.scenario().starts().size() > 100;
    }

    private static List<String> wrong(String what, List<Scenario> scenarios, boolean apart,
            Function<CrashExplorer, CrashExplorer.Findings> exploring) {
        List<CrashExplorer.Findings> findings = scenarios.stream()
                .map(scenario -> exploring.apply(new CrashExplorer(scenario, apart))).toList();
        System.out.printf("%d %s%n", findings.stream().mapToLong(CrashExplorer.Findings::runs).sum(), what);
        return findings.stream().flatMap(each -> each.wrong().stream()).limit(5).toList();
    }
}
