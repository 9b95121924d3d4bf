package dev.pawl.testkit.simulate;

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
        BugHunt.find(bug, bug.firstSeed(), BUDGET, seed -> Simulation.run(seed, Set.of(), bug));
    }
}
