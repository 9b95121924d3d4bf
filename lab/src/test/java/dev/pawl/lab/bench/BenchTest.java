package dev.pawl.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.Pawl;
import dev.pawl.engine.store.Store;
import dev.pawl.lab.Main;
import dev.pawl.lab.bench.FlowWorkload.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That the harness runs, counts and keeps its lines. How fast flows are is not for a test to say. */
class BenchTest {

    private static final Extent BRIEF = new Extent(Duration.ofMillis(50), Duration.ofMillis(400), 40, 20, 2, 8);

    private static Grounds grounds;

    @TempDir
    Path folder;

    @BeforeAll
    static void open() {
        grounds = new Grounds(null);
    }

    @AfterAll
    static void close() {
        grounds.close();
    }

    @Test
    void everyWorkloadOfEveryEngineGetsItsLines() throws IOException {
        assertThat(Main.command().execute("bench", "--clients", "1", "--duration", "0.2", "--warm-up", "0",
                "--parked", "40", "--fan-out", "20", "--shards", "2", "--sleepers", "50", "--rounds", "1",
                "--dbos-connections", "8",
                "--folder", folder.resolve("ground").toString(), "--results", folder.toString(), "--picture",
                folder.resolve("bench.png").toString())).isZero();

        List<String> lines = Files.readAllLines(folder.resolve("bench.csv"));
        assertThat(lines.getFirst())
                .isEqualTo("date,commit,engine,store,workload,clients,rate,p50ms,p99ms,ratioToDbos");
        for (String who : List.of("pawl,sqlite", "pawl,postgres", "dbos,postgres")) {
            for (String cell : List.of("w1,1", "w2,1", "w3,1", "w4,1")) {
                assertThat(lines).filteredOn(line -> line.contains("," + who + "," + cell + ",")).singleElement()
                        .satisfies(line -> assertThat(numbers(line)).allMatch(number -> number > 0));
            }
        }
        assertThat(lines).filteredOn(line -> line.contains(",dbos,") && line.endsWith(",1.000"))
                .as("the best of DBOS in each workload is what the others are measured by")
                .hasSize(4);
        for (String measure : List.of("taped,sqlite,w1,1", "bare,sqlite,w1,1", "bare,postgres,w1,1", "file,sqlite,w1,1",
                "file,postgres,w1,1")) {
            assertThat(lines).anyMatch(line -> line.contains("," + measure + ","));
        }
        assertThat(Files.readAllLines(folder.resolve("sleepers.csv"))).hasSize(1 + 3);
    }

    private static List<Double> numbers(String line) {
        List<String> cells = List.of(line.split(",", -1));
        return cells.subList(cells.size() - 4, cells.size()).stream().map(Double::parseDouble).toList();
    }

    @Test
    void growthGetsALineForEachSize() throws IOException {
        assertThat(Main.command().execute("bench", "growth", "--stores", "sqlite", "--sizes", "20,60", "--clients", "2",
                "--duration", "0.3", "--warm-up", "0.1", "--folder", folder.resolve("ground").toString(), "--results",
                folder.toString())).isZero();

        List<String> lines = Files.readAllLines(folder.resolve("growth.csv"));
        assertThat(lines).hasSize(1 + 2);
        assertThat(lines.get(2)).contains(",sqlite,60,2,");
        assertThat(folder.resolve("ground")).as("nothing of it is left").isEmptyDirectory();
    }

    @Test
    void aStepCountsTheSameRowsAtThePortAndOnTheServer() throws InterruptedException {
        try (Ground file = grounds.fresh(Grounds.Kind.SQLITE);
                Ground server = grounds.fresh(Grounds.Kind.POSTGRES)) {
            double atPort = rows(Contender.PAWL_SQLITE, file);
            double onServer = rows(Contender.PAWL_POSTGRES, server);

            // The server also counts leases, and an engine that comes and goes.
            assertThat(atPort).isBetween(onServer * 0.6, onServer * 1.1);
        }
    }

    private static double rows(Contender contender, Ground ground) throws InterruptedException {
        return FlowCell.measure(contender, ground, FlowWorkload.W1, 1, BRIEF).perStep().rows();
    }

    @Test
    void aGroundHasAsManyShardsAsAUserGets() {
        for (Grounds.Kind kind : Grounds.Kind.values()) {
            try (Ground ground = grounds.fresh(kind)) {
                Pawl.builder().url(ground.url()).credentials("postgres", "postgres").open().close();
                try (Store store = ground.open()) {
                    assertThat(store.leases("default", "default")).hasSize(ground.shards());
                }
            }
        }
    }

    /** Durable steps of its own making, and an answer to everything. */
    private record Sham(int steps, int number) implements OpenEngine {

        @Override
        public Begun start(FlowWorkload workload, int input) {
            return new Begun() {

                @Override
                public Answer result() {
                    return FlowWorkload.answer(input, number);
                }

                @Override
                public void signal(Answer payload) {
                }

                @Override
                public int durableSteps() {
                    return steps;
                }
            };
        }

        @Override
        public void close() {
        }
    }

    private static FlowCell cell(OpenEngine engine, FlowWorkload workload) {
        return new FlowCell(engine, workload, 1, BRIEF.lasting(Duration.ZERO, Duration.ofMillis(5)),
                new AtomicInteger());
    }

    @Test
    void aWorkloadThatDoesLessThanItShouldIsNotMeasured() throws InterruptedException {
        assertThat(cell(new Sham(10, 10), FlowWorkload.W1).run().rate()).isPositive();
        assertThatThrownBy(() -> cell(new Sham(10, 9), FlowWorkload.W1).run()).hasMessageContaining("came to");
        assertThatThrownBy(() -> cell(new Sham(9, 10), FlowWorkload.W1).run()).hasMessageContaining("9 durable steps");
        assertThatThrownBy(() -> cell(new Sham(1, 2), FlowWorkload.W3).run()).hasMessageContaining("came to");
        assertThat(cell(new Sham(20, 210), FlowWorkload.W4).run().rate()).isPositive();
        assertThatThrownBy(() -> cell(new Sham(1, 210), FlowWorkload.W4).run()).hasMessageContaining("1 durable steps");
    }

    @Test
    void whatIsNotThereIsAUsageError() {
        assertThat(Main.command().execute("bench", "--workloads", "w9")).isEqualTo(2);
        assertThat(Main.command().execute("bench", "--engines", "dbos", "--stores", "sqlite")).isEqualTo(2);
        assertThat(Main.command().execute("bench", "--rounds", "0")).isEqualTo(2);
        assertThat(Main.command().execute("bench", "--clients", "4,0")).isEqualTo(2);
        assertThat(Main.command().execute("bench", "--duration", "0")).isEqualTo(2);
        assertThat(Main.command().execute("bench", "growth", "--sizes", "100,10")).isEqualTo(2);
        assertThat(Main.command().execute("fly")).isEqualTo(2);
    }
}
