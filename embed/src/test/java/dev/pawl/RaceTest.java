package dev.pawl;

import static dev.pawl.FlowTest.SOON;
import static dev.pawl.FlowTest.await;
import static dev.pawl.FlowTest.open;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.ValidationFailed;
import dev.pawl.engine.flow.Activity;
import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.flow.Limit;
import dev.pawl.engine.flow.Received;
import dev.pawl.kernel.bundle.Write;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A branch that loses a race gives back what it has not used: signals go to the next wait, slots and timers are free. */
class RaceTest {

    private static final int RUNS = 25;

    /** Both signals are there when the race begins; the loser's is waited for again. */
    private final Flow<String, String> both = Flow.named("both", String.class, String.class, (flow, input) -> {
        flow.signal("ready", String.class);
        String winner = flow.race(List.of(branch -> branch.signal("a", String.class),
                branch -> branch.signal("b", String.class)));
        String loser = flow.signal(winner.equals("A") ? "b" : "a", String.class);
        return winner + loser;
    });

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void signalOfTheLoserGoesToTheNextWait(Databases.Kind kind, int waitingMax) {
        try (Pawl pawl = open(kind.fresh(), waitingMax, both)) {
            for (int i = 0; i < RUNS; i++) {
                WorkflowHandle<String> handle = pawl.start(both, "w-" + i, "x");
                handle.signal("a", "A");
                handle.signal("b", "B");
                handle.signal("ready", "x");
                assertThat(handle.result(SOON)).isIn("AB", "BA");
            }
        }
    }

    /** The same while the race waits already, and the signals come one after the other. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void signalThatComesAroundTheDecisionIsNotLost(Databases.Kind kind, int waitingMax) throws Exception {
        try (Pawl pawl = open(kind.fresh(), waitingMax, both)) {
            for (int i = 0; i < RUNS; i++) {
                WorkflowHandle<String> handle = pawl.start(both, "w-" + i, "x");
                handle.signal("ready", "x");
                Thread other = Thread.ofVirtual().start(() -> handle.signal("b", "B"));
                handle.signal("a", "A");
                other.join();
                assertThat(handle.result(SOON)).isIn("AB", "BA");
            }
        }
    }

    /** A signal that the branch has acted on is used: it does not come a second time. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void signalThatTheLoserHasUsedIsNotGivenBack(Databases.Kind kind, int waitingMax) throws Exception {
        Flow<String, String> flow = Flow.named("used", String.class, String.class, (context, input) -> {
            String winner = context.race(List.of(branch -> {
                String used = branch.signal("a", String.class);
                branch.step("use", String.class, () -> used);
                branch.sleep(Duration.ofHours(1));
                return used;
            }, branch -> branch.signal("b", String.class)));
            Received<String> again = context.signal("a", String.class, Duration.ofMillis(200));
            return winner + again.orElse("-");
        });
        String url = kind.fresh();
        try (Pawl pawl = open(url, waitingMax, flow)) {
            pawl.start(flow, "w", "x");
            pawl.workflow("w").signal("a", "A");
            await(() -> pawl.workflow("w").operations().toString().contains("race.0:sleep"));
        }
        // After a restart, too: the branch runs again before the race is decided.
        try (Pawl pawl = open(url, waitingMax, flow)) {
            pawl.workflow("w").signal("b", "B");
            assertThat(pawl.workflow(flow, "w").result(SOON)).isEqualTo("B-");
        }
    }

    /** Who has won and what is given back are one commit: cut off right before it or right after it, nothing is lost or comes twice. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void crashAroundTheDecisionLosesNoSignal(Databases.Kind kind) throws Exception {
        Predicate<Write> decision = Lifetime.ends("race");
        for (boolean before : new boolean[] {true, false}) {
            String url = kind.fresh();
            try (Lifetime first = new Lifetime(url, both)) {
                Lifetime unused = before ? first.cutBefore(decision) : first.cutAfter(decision);
                WorkflowHandle<String> handle = first.pawl.start(both, "w", "x");
                handle.signal("a", "A");
                handle.signal("b", "B");
                handle.signal("ready", "x");
                first.awaitCut();
            }
            try (Lifetime second = new Lifetime(url, both)) {
                assertThat(second.pawl.workflow(both, "w").result(SOON)).isIn("AB", "BA");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void slotsOfTheLoserAreFree(Databases.Kind kind, int waitingMax) {
        Activity<String, String> limited = Activity.<String, String>named("limited", String.class, String.class,
                input -> "did " + input).limit(Limit.concurrent("one", 1));
        Flow<String, String> flow = Flow.named("slots", String.class, String.class, (context, input) -> {
            String winner = context.race(List.of(branch -> {
                branch.sleep(Duration.ofHours(1));
                return branch.run(limited, "late");
            }, branch -> branch.run(limited, "first")));
            return winner + ", " + context.run(limited, "second");
        });
        try (Pawl pawl = open(kind.fresh(), waitingMax, flow)) {
            WorkflowHandle<String> handle = pawl.start(flow, "w", "x");
            assertThat(handle.result(SOON)).isEqualTo("did first, did second");
            assertThat(handle.operations()).allMatch(each -> each.ledger().finalized());
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void raceOfNothingIsRefusedAndAllOfNothingIsEmpty(Databases.Kind kind, int waitingMax) {
        Flow<String, String> flow = Flow.named("empty", String.class, String.class, (context, input) -> {
            List<String> all = context.parallel(List.of());
            String refused = "";
            try {
                context.<String>race(List.of());
            } catch (ValidationFailed e) {
                refused = e.code();
            }
            return all + refused;
        });
        try (Pawl pawl = open(kind.fresh(), waitingMax, flow)) {
            assertThat(pawl.start(flow, "w", "x").result(SOON)).isEqualTo("[]ValidationFailed");
        }
    }
}
