package dev.pawl.testkit.flows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.testkit.simulate.SimResult;
import dev.pawl.testkit.simulate.Simulation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Made-up flows with random faults by seed, checked against P1 to P9. */
class FlowSimulationTest {

    /** Of the first sweep, the others have fewer; {@code ./build long} runs more. */
    private static final int SEEDS = 300;

    /** What was seen in the runs from seed 0 on, which several tests ask about. */
    private static final class Sweep {

        /** Run once, by the test that asks first. */
        static final Sweep FIRST = new Sweep(SEEDS);

        final List<String> failures;
        final Set<String> decisions = new HashSet<>();
        int asked;
        int parked;

        Sweep(int seeds) {
            long began = System.nanoTime();
            failures = failures(LongStream.range(0, seeds), this::look);
            System.out.printf("simulated %d seeds of flows, %.0f a second, %d failed%n", seeds,
                    seeds / ((System.nanoTime() - began) / 1e9), failures.size());
        }

        private void look(SimResult result) {
            asked += result.trace().contains("decided") ? 1 : 0;
            parked += result.dump().contains("~decision:p1") ? 1 : 0;
            for (String decision : List.of("accept", "abort")) {
                if (result.dump().contains("decision=" + decision + ", subject=somebody")) {
                    decisions.add(decision);
                }
            }
        }
    }

    @Test
    void sameSeedIsTheSameRunToTheByte() {
        for (long seed = 0; seed < 30; seed++) {
            SimResult one = FlowSimulation.run(seed, Set.of(), FlowBug.NONE);
            SimResult two = FlowSimulation.run(seed, Set.of(), FlowBug.NONE);
            assertThat(two.trace()).isEqualTo(one.trace());
            assertThat(two.dump()).isEqualTo(one.dump());
            assertThat(two.faults()).isEqualTo(one.faults());
        }
    }

    @Test
    void nothingIsEverLostDoubledOrStuck() {
        assertThat(Sweep.FIRST.failures).isEmpty();
    }

    /** Updates and cancellations leave nothing but their acceptance behind: it alone tells the second from the first. */
    @Test
    void signalsThatJoinTheOwnersCommitAreAcceptedOnceAndNeverLost() {
        assertThat(failures(LongStream.range(Simulation.JOINED, Simulation.JOINED + SEEDS / 4))).isEmpty();
    }

    /** A thread may be interrupted wherever it has let go of a lock. */
    @Test
    void threadsThatAreInterruptedAnywhereChangeNothing() {
        assertThat(failures(LongStream.range(FlowSimulation.SWITCHED, FlowSimulation.SWITCHED + SEEDS / 2))).isEmpty();
        assertThat(failures(LongStream.range(FlowSimulation.SWITCHED + Simulation.JOINED,
                FlowSimulation.SWITCHED + Simulation.JOINED + SEEDS / 8))).isEmpty();
    }

    /** Seeds that once failed stay here for ever. */
    @Test
    void seedsThatOnceFailedDoSoNoMore() throws IOException {
        Path file = Path.of("src/test/resources/failed-flow-seeds.txt");
        LongStream seeds = Files.readAllLines(file).stream().map(line -> line.replaceAll("#.*", "").strip())
                .filter(line -> !line.isEmpty()).mapToLong(Long::parseLong);

        assertThat(failures(seeds)).isEmpty();
    }

    /** A generator that leaves something out proves nothing about it. */
    @Test
    void everyKindOfOperationIsMadeUp() {
        Set<Class<?>> kinds = new HashSet<>();
        for (long seed = 0; seed < 100; seed++) {
            FlowSimulation.troupe(seed).programs().values().forEach(program -> kinds(program, kinds));
        }

        assertThat(kinds).contains(Op.class.getPermittedSubclasses());
    }

    /** Whatever nobody can tell is asked, and answered in both ways. */
    @Test
    void peopleAreAskedAndDecide() {
        System.out.printf("people were asked in %d of %d runs%n", Sweep.FIRST.asked, SEEDS);

        assertThat(Sweep.FIRST.asked).isGreaterThan(20);
        assertThat(Sweep.FIRST.decisions).containsExactlyInAnyOrder("accept", "abort");
    }

    /** A class is not the same in all processes: what cannot be read is parked, and read later. */
    @Test
    void whatTheCodeOfOneProcessCannotReadIsParkedAndGoesOn() {
        System.out.printf("workflows were parked and tried once more in %d of %d runs%n", Sweep.FIRST.parked, SEEDS);

        assertThat(Sweep.FIRST.parked).isPositive();
    }

    private static void kinds(List<Op> program, Set<Class<?>> kinds) {
        for (Op op : program) {
            kinds.add(op.getClass());
            switch (op) {
                case Op.All all -> all.branches().forEach(branch -> kinds(branch, kinds));
                case Op.Race race -> race.branches().forEach(branch -> kinds(branch, kinds));
                case Op.Each each -> kinds(each.body(), kinds);
                case Op.Shielded shielded -> kinds(shielded.body(), kinds);
                case Op.Try attempt -> kinds(attempt.body(), kinds);
                case Op.Later later -> kinds(later.meanwhile(), kinds);
                default -> {}
            }
        }
    }

    private static List<String> failures(LongStream seeds) {
        return failures(seeds, result -> {});
    }

    private static List<String> failures(LongStream seeds, Consumer<SimResult> each) {
        List<String> failures = new ArrayList<>();
        seeds.forEach(seed -> {
            SimResult result = FlowSimulation.run(seed, Set.of(), FlowBug.NONE);
            each.accept(result);
            if (result.failed() && failures.size() < 3) {
                failures.add(FlowSimulation.shrunk(seed, FlowBug.NONE));
            }
        });
        return failures;
    }
}
