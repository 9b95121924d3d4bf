package dev.pawl.lab.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A few cycles of each kind that tortures flows, with attempts that are shorter than usual. */
@Execution(ExecutionMode.CONCURRENT)
class FlowTortureTest {

    static final int SHORT_MILLIS = 1_200;

    @TempDir
    private Path folder;

    private int run(int workMillisMax, String... more) {
        return run(folder, 7, workMillisMax, more);
    }

    static int run(Path folder, long seed, int workMillisMax, String... more) {
        String[] arguments = {"--seed", Long.toString(seed), "--work-max", Integer.toString(workMillisMax), "--open",
            "20", "--folder",
            folder.toString(), "--results", folder.resolve("torture.csv").toString()};
        return Torture.run(Stream.concat(Stream.of(more), Stream.of(arguments)).toArray(String[]::new));
    }

    private String result(String kind, String store, int cycles) throws Exception {
        assertThat(run(SHORT_MILLIS, kind, "--store", store, "--cycles", Integer.toString(cycles))).isZero();
        return Files.readString(folder.resolve("torture.csv"));
    }

    @Test
    void enginesThatJoinAndLeaveRepeatNothing() throws Exception {
        assertThat(result("scale", "postgres", 3)).contains(",scale,postgres,3,0\n");
    }

    @Test
    void rollingRestartRepeatsNothing() throws Exception {
        assertThat(result("deploy", "postgres", 3)).contains(",deploy,postgres,3,0\n");
    }

    @Test
    void restartOfTheOneProcessRepeatsNothing() throws Exception {
        assertThat(result("deploy", "sqlite", 2)).contains(",deploy,sqlite,2,0\n");
    }

    @Test
    void processThatWakesBeginsNothingWithoutALease() throws Exception {
        assertThat(result("freeze", "postgres", 2)).contains(",freeze,postgres,2,0\n");
    }

    @Test
    void oneProcessThatWakesBeginsNothingWithoutALease() throws Exception {
        assertThat(result("freeze", "sqlite", 2)).contains(",freeze,sqlite,2,0\n");
    }

    @Test
    void fileHasOneProcessAndCannotBeScaled() {
        assertThat(run(SHORT_MILLIS, "scale", "--store", "sqlite", "--cycles", "1")).isZero();
        assertThat(folder.resolve("torture.csv")).doesNotExist();
    }
}
