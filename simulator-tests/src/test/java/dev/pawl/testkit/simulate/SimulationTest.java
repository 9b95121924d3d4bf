package dev.pawl.testkit.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Random faults by seed, checked against P1 to P5, P7, P8 and the oracle. */
class SimulationTest {

    /** Each sweep ends when its time is up, but not before it has run so many seeds; {@code ./build long} runs more. */
    private static final Duration TIME_MAX = Duration.ofSeconds(6);
    private static final int SEEDS_MIN = 300;
    private static final int SEEDS_MAX = 1_000;

    @Test
    void sameSeedIsTheSameRunToTheByte() {
        for (long seed = 0; seed < 30; seed++) {
            SimResult one = Simulation.run(seed, Set.of(), SeededBug.NONE);
            SimResult two = Simulation.run(seed, Set.of(), SeededBug.NONE);
            assertThat(two.trace()).isEqualTo(one.trace());
            assertThat(two.dump()).isEqualTo(one.dump());
            assertThat(two.faults()).isEqualTo(one.faults());
        }
    }

    @Test
    void nothingIsEverLostDoubledOrStuck() {
        Set<String> kinds = new HashSet<>();
        long began = System.nanoTime();
        long[] ran = new long[1];
        List<String> failures = failures(sweep(0).peek(seed -> ran[0]++), kinds);
        System.out.printf("simulated %d seeds, %.0f a second, %d failed%n", ran[0],
                ran[0] / ((System.nanoTime() - began) / 1e9), failures.size());

        assertThat(failures).isEmpty();
        // Faults of every kind strike.
        assertThat(kinds).contains("COMMIT BUSY", "COMMIT FULL", "COMMIT UNAVAILABLE", "COMMIT LOST_ANSWER",
                "COMMIT LATE", "COMMIT TWICE", "COMMIT STALE_FENCE", "COMMIT WRONG_VERSION", "COMMIT CRASH_BEFORE",
                "COMMIT CRASH_AFTER",
                "INBOX BUSY", "worker never answers ", "worker answers late ",
                "worker answers twice ", "client sends twice", "crash of ", "orderly stop of ", "pause of ",
                "clock jump of ",
                "another engine", "stray message");
    }

    private static LongStream sweep(long from) {
        long until = System.nanoTime() + TIME_MAX.toNanos();
        return LongStream.range(from, from + SEEDS_MAX)
                .takeWhile(seed -> seed < from + SEEDS_MIN || System.nanoTime() < until);
    }

    @Test
    void signalsThatJoinTheOwnersCommitAreAcceptedOnceAndNeverLost() {
        long[] ran = new long[1];
        long[] joined = new long[1];
        List<String> failures = failures(sweep(Simulation.JOINED).peek(seed -> ran[0]++), new HashSet<>(),
                result -> joined[0] += result.joined());
        System.out.printf("%d signals joined a commit in %d seeds%n", joined[0], ran[0]);

        assertThat(failures).isEmpty();
        assertThat(joined[0]).isGreaterThan(ran[0] / 2);
    }

    /** Seeds that once failed stay here for ever. */
    @Test
    void seedsThatOnceFailedDoSoNoMore() throws IOException {
        Path file = Path.of("src/test/resources/failed-seeds.txt");
        LongStream seeds = Files.readAllLines(file).stream().map(line -> line.replaceAll("#.*", "").strip())
                .filter(line -> !line.isEmpty()).mapToLong(Long::parseLong);

        assertThat(failures(seeds, new HashSet<>())).isEmpty();
    }

    private static List<String> failures(LongStream seeds, Set<String> kinds) {
        return failures(seeds, kinds, result -> {});
    }

    /** Notes the kinds of faults that strike. */
    private static List<String> failures(LongStream seeds, Set<String> kinds, Consumer<SimResult> each) {
        List<String> failures = new ArrayList<>();
        seeds.forEach(seed -> {
            SimResult result = Simulation.run(seed, Set.of(), SeededBug.NONE);
            each.accept(result);
            result.faults().forEach(fault -> kinds.add(fault.replaceAll("^\\d+: ", "")
                    .replaceAll("engine-\\d+ ?", "").replaceAll("[a-z0-9.-]+@.*", "")));
            if (result.failed() && failures.size() < 3) {
                failures.add(Simulation.shrunk(seed, SeededBug.NONE));
            }
        });
        return failures;
    }
}
