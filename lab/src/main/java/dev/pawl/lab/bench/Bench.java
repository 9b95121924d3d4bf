package dev.pawl.lab.bench;

import dev.pawl.lab.Progress;
import dev.pawl.lab.Project;
import dev.pawl.lab.Results;
import dev.pawl.lab.bench.Contender.Engine;
import dev.pawl.lab.bench.Grounds.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import me.tongfei.progressbar.ProgressBar;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures whole workflows, from the client's call to the client's result, next to another engine. */
@Command(name = "bench", mixinStandardHelpOptions = true, sortOptions = false, usageHelpWidth = 120,
        subcommands = {Growth.class, Recover.class},
        description = {"Measures Pawl on SQLite and on PostgreSQL beside DBOS Transact on the same PostgreSQL.",
            "w1: ten steps in a row; w2: one step; w3: parked on a signal, which the clients send; w4: a fan-out of 1,000 "
                    + "steps with a join; w5: 100,000 asleep.",
            "A line about each cell of each round goes to lab/results/bench.csv (sleepers.csv for w5); a run with both engines "
                    + "and w1 to w4 also draws docs/images/bench.png."},
        footer = {"", "Examples:",
            "  ./pawl bench                                          everything; leave the machine alone for half an hour",
            "  ./pawl bench --workloads w1,w2 --clients 64 --rounds 1",
            "  ./pawl bench --engines pawl --stores sqlite --workloads w1 --clients 1,256 --duration 2",
            "  ./pawl bench --workloads w5 --sleepers 10000 --contents",
            "  ./pawl bench growth --sizes 1000,10000                what many open workflows cost the others",
            "  ./pawl bench recover                                  how many open workflows go on after a kill"})
public final class Bench implements Callable<Integer> {

    private static final String SLEEPERS_COLUMNS = "engine,store,sleepers,seconds,heapBytes,diskBytes";
    private static final int HEAP_BYTES_MAX = 1_024;
    private static final int DISK_BYTES_MAX = 2_048;

    @Option(names = "--workloads", split = ",", description = "${COMPLETION-CANDIDATES} (default: all)")
    private List<FlowWorkload> workloads = List.of(FlowWorkload.values());

    @Option(names = "--engines", split = ",", description = "pawl, dbos (default: both)")
    private List<Engine> engines = List.of(Engine.values());

    @Option(names = "--stores", split = ",", description = "sqlite, postgres (default: both); DBOS has postgres only")
    private List<Kind> stores = List.of(Kind.values());

    @Option(names = "--clients", split = ",",
            description = "how many at once; each engine counts with what suits it best (default: 1,16,64,256,1024)")
    private List<Integer> clients = List.of(1, 16, 64, 256, 1_024);

    @Option(names = "--rounds", description = "how often; what counts is the median (default: ${DEFAULT-VALUE})")
    private int rounds = 3;

    @Option(names = "--duration", paramLabel = "SECONDS",
            description = "how long to measure in each cell (default: ${DEFAULT-VALUE})")
    private double seconds = 4;

    @Option(names = "--warm-up", paramLabel = "SECONDS",
            description = "how long before the clock starts, in each cell; 0 also leaves out the cells that nobody counts, with which "
                    + "a run begins (default: ${DEFAULT-VALUE})")
    private double warmUp = 2;

    @Option(names = "--parked", description = "workflows of w3 in a cell, at most (default: ${DEFAULT-VALUE})")
    private int parked = 20_000;

    @Option(names = "--fan-out", description = "steps side by side in w4 (default: ${DEFAULT-VALUE})")
    private int fanOut = 1_000;

    @Option(names = "--sleepers", description = "workflows of w5 (default: ${DEFAULT-VALUE})")
    private int sleepers = 100_000;

    @Option(names = "--contents", description = "for w5, show what is on the heap and on the disk, largest first")
    private boolean contents;

    @Option(names = "--shards", description = "of Pawl's group (default: what a user gets)")
    private @Nullable Integer shards;

    @Option(names = "--dbos-connections", description = "of DBOS to its database (default: ${DEFAULT-VALUE})")
    private int dbosConnections = Extent.DBOS_CONNECTIONS;

    @Option(names = "--folder", description = "where to write (default: a new one where temporary files go)")
    private @Nullable Path folder;

    @Option(names = "--results", description = "the folder of bench.csv and sleepers.csv")
    private Path results = Project.path("lab/results");

    @Option(names = "--picture", description = "the file of the picture")
    private Path picture = Project.path("docs/images/bench.png");

    @Spec
    @SuppressWarnings("NullAway.Init") // Set before anything is called.
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        validate();
        List<Contender> contenders = Contender.of(engines, stores);
        require(!contenders.isEmpty(), "there is nothing to measure: DBOS has no store but postgres");
        Extent extent = new Extent(nanos(warmUp), nanos(seconds), parked, fanOut, shards, dbosConnections);
        List<FlowWorkload> timed = workloads.stream().filter(workload -> workload != FlowWorkload.W5).toList();
        try (Grounds grounds = new Grounds(folder)) {
            if (!timed.isEmpty()) {
                Board board = rounds(grounds, contenders, timed, extent);
                new BoardText(board, extent, System.out).print(timed);
                draw(board, timed);
            }
            if (workloads.contains(FlowWorkload.W5)) {
                sleep(grounds, contenders, extent);
            }
        }
        return 0;
    }

    private void validate() {
        require(clients.stream().allMatch(count -> count >= 1), "--clients: at least 1");
        require(rounds >= 1, "--rounds: at least 1");
        require(!Files.isRegularFile(results), "--results: a folder, but " + results + " is a file");
        require(seconds > 0 && warmUp >= 0, "--duration: more than 0 seconds; --warm-up: not less than 0");
        require(parked >= 1 && fanOut >= 1 && sleepers >= 1, "--parked, --fan-out, --sleepers: at least 1");
        require(shards == null || shards >= 1, "--shards: at least 1");
        // One of its connections listens, so that with a single one it would wait for itself.
        require(dbosConnections >= 2, "--dbos-connections: at least 2");
    }

    private void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new ParameterException(spec.commandLine(), otherwise);
        }
    }

    private static Duration nanos(double seconds) {
        return Duration.ofNanos((long) (seconds * 1e9));
    }

    private Board rounds(Grounds grounds, List<Contender> contenders, List<FlowWorkload> timed, Extent extent)
            throws InterruptedException {
        long cells = SideBySide.warmUps(contenders, timed, extent)
                + (long) rounds * SideBySide.cells(contenders, timed, clients);
        try (ProgressBar bar = Progress.bar("bench", cells, " cells")) {
            SideBySide sideBySide = new SideBySide(grounds, contenders, timed, clients, extent, bar::step);
            sideBySide.warmUp();
            for (int round = 0; round < rounds; round++) {
                sideBySide.round(round, results.resolve("bench.csv"));
            }
            return sideBySide.board();
        }
    }

    private void draw(Board board, List<FlowWorkload> timed) {
        boolean everything = engines.contains(Engine.DBOS) && engines.contains(Engine.PAWL)
                && stores.contains(Kind.POSTGRES) && Stream.of(FlowWorkload.W1, FlowWorkload.W2, FlowWorkload.W3,
                        FlowWorkload.W4).allMatch(timed::contains);
        if (everything) {
            System.out.println(new Picture(board, fanOut).write(picture));
        } else {
            System.out.println("no picture: it needs both engines, postgres, and w1 to w4");
        }
    }

    private void sleep(Grounds grounds, List<Contender> contenders, Extent extent) throws InterruptedException {
        List<String> lines = new ArrayList<>();
        Results ledger = new Results(results.resolve("sleepers.csv"), SLEEPERS_COLUMNS);
        for (Contender contender : contenders) {
            Sleepers.Slept slept;
            lines.add("");
            try (Ground ground = grounds.fresh(contender.store());
                    ProgressBar bar = Progress.bar("asleep: " + contender.title(), sleepers, "")) {
                slept = Sleepers.measure(contender, ground, sleepers, extent, bar::step,
                        line -> {
                            if (contents) {
                                lines.add("  " + line);
                            }
                        });
            }
            lines.add(String.format(Locale.ROOT, "w5: %,d asleep with %s after %.0f s: heap %s, disk %s", sleepers,
                    contender.title(), slept.seconds(), bytes(contender, slept.heapBytes(), HEAP_BYTES_MAX),
                    bytes(contender, slept.diskBytes(), DISK_BYTES_MAX)));
            ledger.append(Project.revision(), contender.engine().label(), Board.label(contender.store()), sleepers,
                    SideBySide.decimals(slept.seconds()), slept.heapBytes(), slept.diskBytes());
        }
        lines.forEach(System.out::println);
    }

    /** The goals are Pawl's. */
    private static String bytes(Contender contender, double each, int max) {
        String goal = contender.engine() == Engine.PAWL
                ? String.format(Locale.ROOT, " (goal %,d: %s)", max, each <= max ? "reached" : "missed")
                : "";
        return String.format(Locale.ROOT, "%,.0f bytes each%s", each, goal);
    }
}
