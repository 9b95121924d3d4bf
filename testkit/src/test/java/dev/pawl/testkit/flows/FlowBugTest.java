package dev.pawl.testkit.flows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.testkit.simulate.SimResult;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** The simulator finds what is broken about flows: every seeded bug, within its budget. */
class FlowBugTest {

    private static final int BUDGET = 1_000;

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
    void everySeededBugIsFound(FlowBug bug) {
        long found = -1;
        SimResult failing = null;
        for (long seed = 0; seed < BUDGET && found < 0; seed++) {
            failing = FlowSimulation.run(seed, Set.of(), bug);
            found = failing.failed() ? seed : -1;
        }
        System.out.printf("%-45s found in run %4d: %s%n", bug, found + 1,
                found < 0 || failing == null ? "not at all" : failing.violations().getFirst());

        assertThat(found).isNotNegative();
    }
}
