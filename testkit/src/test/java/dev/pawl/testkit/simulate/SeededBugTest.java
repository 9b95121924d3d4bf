package dev.pawl.testkit.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** The simulator finds what is broken: every seeded bug, within its budget. That it finds nothing else is shown elsewhere. */
class SeededBugTest {

    private static final int BUDGET = 2_000;

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
    void everySeededBugIsFound(SeededBug bug) {
        long found = -1;
        SimResult failing = null;
        for (long seed = 0; seed < BUDGET && found < 0; seed++) {
            failing = Simulation.run(bug.firstSeed() + seed, Set.of(), bug);
            found = failing.failed() ? seed : -1;
        }
        System.out.printf("%-40s found in run %4d: %s%n", bug, found + 1,
                found < 0 || failing == null ? "not at all" : failing.violations().getFirst());

        assertThat(found).isNotNegative();
    }
}
