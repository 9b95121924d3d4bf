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
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Made-up flows with random faults by seed, checked against P1 to P9. */
class FlowSimulationTest {

    private static final int SEEDS = 600;

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
        long began = System.nanoTime();
        List<String> failures = failures(LongStream.range(0, SEEDS));
        System.out.printf("simulated %d seeds of flows, %.0f a second, %d failed%n", SEEDS,
                SEEDS / ((System.nanoTime() - began) / 1e9), failures.size());

        assertThat(failures).isEmpty();
    }

    /** Updates and cancellations leave nothing but their acceptance behind: it alone tells the second from the first. */
    @Test
    void signalsThatJoinTheOwnersCommitAreAcceptedOnceAndNeverLost() {
        assertThat(failures(LongStream.range(Simulation.JOINED, Simulation.JOINED + SEEDS / 4))).isEmpty();
    }

    /** A thread may be interrupted wherever it has let go of a lock. */
    @Test
    void threadsThatAreInterruptedAnywhereChangeNothing() {
        assertThat(failures(LongStream.range(FlowSimulation.SWITCHED, FlowSimulation.SWITCHED + SEEDS))).isEmpty();
        assertThat(failures(LongStream.range(FlowSimulation.SWITCHED + Simulation.JOINED,
                FlowSimulation.SWITCHED + Simulation.JOINED + SEEDS / 4))).isEmpty();
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
        int asked = 0;
        Set<String> decisions = new HashSet<>();
        for (long seed = 0; seed < 300; seed++) {
            SimResult result = FlowSimulation.run(seed, Set.of(), FlowBug.NONE);
            asked += result.trace().contains("decided") ? 1 : 0;
            for (String decision : List.of("accept", "abort")) {
                if (result.dump().contains("decision=" + decision + ", subject=somebody")) {
                    decisions.add(decision);
                }
            }
        }
        System.out.printf("people were asked in %d of 300 runs%n", asked);

        assertThat(asked).isGreaterThan(10);
        assertThat(decisions).containsExactlyInAnyOrder("accept", "abort");
    }

    /** A class is not the same in all processes: what cannot be read is parked, and read later. */
    @Test
    void whatTheCodeOfOneProcessCannotReadIsParkedAndGoesOn() {
        int parked = 0;
        for (long seed = 0; seed < 300; seed++) {
            parked += FlowSimulation.run(seed, Set.of(), FlowBug.NONE).dump().contains("~decision:p1") ? 1 : 0;
        }
        System.out.printf("workflows were parked and tried once more in %d of 300 runs%n", parked);

        assertThat(parked).isPositive();
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
        List<String> failures = new ArrayList<>();
        seeds.forEach(seed -> {
            if (FlowSimulation.run(seed, Set.of(), FlowBug.NONE).failed() && failures.size() < 3) {
                failures.add(FlowSimulation.shrunk(seed, FlowBug.NONE));
            }
        });
        return failures;
    }
}
