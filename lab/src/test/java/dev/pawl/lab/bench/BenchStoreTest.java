package dev.pawl.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** That the benchmark runs and that the stores take what it records. How fast they are is not for a test to say. */
class BenchStoreTest {

    @TempDir
    Path folder;

    @Test
    void everyWorkloadIsReplayedAndGetsItsLines() throws IOException {
        Path results = folder.resolve("results.csv");

        int exit = new CommandLine(new BenchStore()).setCaseInsensitiveEnumValuesAllowed(true).execute("--stores",
                "sqlite", "--batches", "1,50", "--shards", "1,2", "--seconds", "0.2", "--transitions", "800",
                "--folder", folder.toString(), "--results", results.toString());

        assertThat(exit).isZero();
        // Two stores and two batches; scenarios run in one shard only.
        assertThat(Files.readAllLines(results)).hasSize(1 + 2 * 2 * (3 + 2))
                .anyMatch(line -> line.contains(",sqlite,2,seven,50,"))
                .anyMatch(line -> line.contains(",file,1,scenarios,1,"));
    }

    @Test
    void batchThatIsTooLargeIsRefused() {
        assertThat(new CommandLine(new BenchStore()).execute("--batches", "1001")).isEqualTo(2);
    }

    @Test
    void everyRecordedBundleFitsTheStore() {
        Recording recording = Recording.of(Workload.SCENARIOS, "bench-0", 4_000, 350, () -> {});
        SqliteSubject sqlite = new SqliteSubject(folder);

        try (Trial trial = sqlite.fresh(List.of(recording))) {
            recording.batches(500).forEach(batch -> trial.commit(0, batch));

            assertThat(trial.bytesOnDisk()).isPositive();
        }
        assertThat(folder).as("nothing of a trial is left for the next one").isEmptyDirectory();
    }
}
