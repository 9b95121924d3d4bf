package dev.pawl.testkit.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Kernel and oracle, which know nothing of one another, come to the same end. */
class ScenariosTest {

    private static final int ORDERS = 3;

    static List<Scenario> scenarios() {
        return Scenarios.handWritten();
    }

    @Test
    void namesAreUnique() {
        assertThat(scenarios()).hasSizeGreaterThanOrEqualTo(40).extracting(Scenario::name).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void endsAsTheOracleSays(Scenario scenario) {
        assertThat(scenario.differences(new MemoryRun(scenario, null).run())).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void endsTheSameInAnyOrder(Scenario scenario) {
        for (int seed = 1; seed <= ORDERS; seed++) {
            Outcome outcome = new MemoryRun(scenario, new SplittableRandom(seed)).run();

            assertThat(scenario.differences(outcome)).as("seed %d", seed).isEmpty();
        }
    }

    /** In order, everybody waits before anybody is signalled: more than fit one commit, and all of them are reached. */
    @Test
    void signalToAllReachesEverybodyWhoWaits() {
        Scenario scenario = scenarios().stream().filter(one -> one.name().equals("signal to all of 1200")).findFirst()
                .orElseThrow();

        assertThat(new MemoryRun(scenario, null).run().effects()).hasSize(1_200)
                .allMatch(effect -> effect.from().equals("s") && effect.kind() == Effect.Kind.SIGNAL);
    }
}
