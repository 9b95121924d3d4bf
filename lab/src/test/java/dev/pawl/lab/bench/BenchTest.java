package dev.pawl.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.lab.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That the harness runs, counts and keeps its lines. How fast flows are is not for a test to say. */
class BenchTest {

    @TempDir
    Path folder;

    @Test
    void everyWorkloadGetsItsLinesOnBothStores() throws IOException {
        Path results = folder.resolve("flows.csv");

        assertThat(
                Main.command().execute("bench", "w1", "w2", "w3", "--clients", "4", "--seconds", "0.5", "--warm-up",
                        "0.2", "--parked", "64", "--rounds", "1", "--folder", folder.toString(), "--results",
                        results.toString()))
                .isZero();

        List<String> lines = Files.readAllLines(results);
        assertThat(lines).hasSize(1 + 3 * 2);
        for (String line : lines.subList(1, lines.size())) {
            String[] cells = line.split(",", -1);
            assertThat(Double.parseDouble(cells[8])).as("rows for each step of %s", line).isBetween(3.0, 40.0);
            assertThat(Double.parseDouble(cells[9])).as("bytes for each step of %s", line).isGreaterThan(200);
            assertThat(Double.parseDouble(cells[10])).as("commits for each step of %s", line).isBetween(0.05, 50.0);
        }
    }

    @Test
    void aStepCountsTheSameRowsAtThePortAndOnTheServer() throws InterruptedException {
        FlowCell.Extent extent = new FlowCell.Extent(Duration.ofMillis(100), Duration.ofSeconds(1), 4,
                2);
        try (Grounds grounds = new Grounds(folder.resolve("rows"));
                Ground file = grounds.fresh(Grounds.Kind.SQLITE);
                Ground server = grounds.fresh(Grounds.Kind.POSTGRES)) {
            double atPort = FlowCell.measure(file, FlowWorkload.W1, 1, extent).perStep().rows();
            double onServer = FlowCell.measure(server, FlowWorkload.W1, 1, extent).perStep().rows();

            // The server also counts leases, and an engine that comes and goes.
            assertThat(atPort).isBetween(onServer * 0.6, onServer * 1.1);
        }
    }

    @Test
    void sleepersAreCountedAndLeaveNothing() throws IOException {
        Path place = folder.resolve("sleepers");

        assertThat(Main.command().execute("bench", "sleepers", "--count", "50", "--store", "sqlite", "--folder",
                place.toString())).isZero();
        assertThat(place).isEmptyDirectory();
    }

    @Test
    void whatIsNotThereIsAUsageError() {
        assertThat(Main.command().execute("bench", "w9")).isEqualTo(2);
        assertThat(Main.command().execute("bench")).isEqualTo(2);
        assertThat(Main.command().execute("bench", "w1", "--rounds", "0")).isEqualTo(2);
        assertThat(Main.command().execute("fly")).isEqualTo(2);
    }
}
