package dev.pawl.testkit.scenario;

import java.util.List;
import java.util.stream.Stream;

/** The scenarios that people thought of. Those that nobody thinks of come from {@link Generator}. */
public final class Scenarios {

    private Scenarios() {
    }

    public static List<Scenario> handWritten() {
        return Stream.of(TypeScenarios.all(), BranchScenarios.all(), CycleScenarios.all(), ChildScenarios.all(),
                SignalScenarios.all(), BroadcastScenarios.all(), InterruptScenarios.all(), FailureScenarios.all())
                .flatMap(List::stream)
                .toList();
    }
}
