package dev.pawl.lab.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Flaws of an engine that the torture of flows must find. */
@Execution(ExecutionMode.CONCURRENT)
class FlowTortureFlawTest {

    @TempDir
    private Path folder;

    @Test
    void ownerThatForgetsWhoRunsAnAttemptIsFound() {
        // Longer than a shard that is to be handed over waits for what runs in it.
        assertThat(LongStream.range(7, 15)
                .anyMatch(seed -> FlowTortureTest.run(folder, seed, 4_000, "scale", "--cycles", "3", "--flaw",
                        "forget_runners") == 1))
                .isTrue();
    }

    @Test
    void processThatTrustsALongerLeaseIsFound() {
        assertThat(LongStream.range(7, 15)
                .anyMatch(seed -> FlowTortureTest.run(folder, seed, FlowTortureTest.SHORT_MILLIS, "freeze", "--store",
                        "sqlite",
                        "--cycles", "2", "--flaw", "trust_a_longer_lease") == 1))
                .isTrue();
    }
}
