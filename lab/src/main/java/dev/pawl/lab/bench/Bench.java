package dev.pawl.lab.bench;

import dev.pawl.lab.Progress;
import dev.pawl.lab.Project;
import dev.pawl.lab.Results;
import dev.pawl.lab.bench.Grounds.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import me.tongfei.progressbar.ProgressBar;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Measures whole workflows, from the client's call to the client's result. */
@Command(name = "bench", mixinStandardHelpOptions = true, sortOptions = false, subcommands = Sleepers.class,
        description = {"Measures whole workflows: a closed loop of clients, each of which starts one and waits for it.",
            "w1: ten steps; w2: one step; w3: parked on a signal, which the clients send."})
public final class Bench implements Callable<Integer> {

    private static final String COLUMNS =
            "store,workload,clients,rate,p50ms,p99ms,rowsPerStep,bytesPerStep,commitsPerStep";

    @Parameters(arity = "0..*", paramLabel = "WORKLOAD", description = "${COMPLETION-CANDIDATES}")
    private List<FlowWorkload> workloads = List.of();

    @Option(names = "--store", split = ",", description = "sqlite, postgres (default: both)")
    private List<Kind> stores = List.of(Kind.values());

    @Option(names = "--clients", split = ",", description = "how many at once (default: 1,16,64,256,1024)")
    private List<Integer> clients = List.of(1, 16, 64, 256, 1_024);

    @Option(names = "--warm-up", paramLabel = "SECONDS",
            description = "how long before the clock starts, in each round (default: ${DEFAULT-VALUE})")
    private double warmUp = 2;

    @Option(names = "--seconds", description = "how long to measure in each round (default: ${DEFAULT-VALUE})")
    private double seconds = 4;

    @Option(names = "--parked", description = "workflows of w3 in each round (default: ${DEFAULT-VALUE})")
    private int parked = 3_000;

    @Option(names = "--rounds", description = "how often; what counts is the median (default: ${DEFAULT-VALUE})")
    private int rounds = 3;

    @Option(names = "--shards", description = "of the group (default: what a user gets)")
    private @Nullable Integer shards;

    @Option(names = "--folder", description = "where to write (default: a new one where temporary files go)")
    private @Nullable Path folder;

    @Option(names = "--results", description = "the file that gets a line about each number of clients")
    private Path results = Project.path("lab/results/flows.csv");

    @Spec
    @SuppressWarnings("NullAway.Init") // Set before anything is called.
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        if (workloads.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "say which workload: w1, w2, w3, or sleepers");
        }
        if (rounds < 1 || parked < 4 || seconds <= 0 || clients.stream().anyMatch(count -> count < 1)) {
            System.err.println("clients and rounds are at least 1, parked at least 4, and seconds more than 0");
            return 2;
        }
        try (Grounds grounds = new Grounds(folder)) {
            for (FlowWorkload workload : workloads) {
                for (Kind store : stores) {
                    print(workload, store, measure(grounds, workload, store));
                }
            }
        }
        return 0;
    }

    private Map<Integer, FlowMeasured> measure(Grounds grounds, FlowWorkload workload, Kind store)
            throws InterruptedException {
        FlowCell.Extent extent = new FlowCell.Extent(nanos(warmUp), nanos(seconds), parked, shards);
        Map<Integer, List<FlowMeasured>> measured = new LinkedHashMap<>();
        String name = lower(workload) + " on " + lower(store);
        try (ProgressBar bar = Progress.bar(name, (long) rounds * clients.size(), " cells")) {
            for (int round = 0; round < rounds; round++) {
                for (int count : clients) {
                    try (Ground ground = grounds.fresh(store)) {
                        measured.computeIfAbsent(count, first -> new ArrayList<>())
                                .add(FlowCell.measure(ground, workload, count, extent));
                    }
                    bar.step();
                }
            }
        }
        Map<Integer, FlowMeasured> medians = new LinkedHashMap<>();
        measured.forEach((count, cells) -> medians.put(count, FlowMeasured.median(cells)));
        return medians;
    }

    private static Duration nanos(double seconds) {
        return Duration.ofNanos((long) (seconds * 1e9));
    }

    private void print(FlowWorkload workload, Kind store, Map<Integer, FlowMeasured> measured) {
        System.out.printf(Locale.ROOT, "%n%s on %s, median of %d%n", lower(workload), lower(store), rounds);
        System.out.printf("%7s %11s %9s %8s %8s %7s %9s %10s %12s%n", "clients", "workflows/s", "steps/s", "p50 ms",
                "p99 ms", "cpu us", "rows/step", "bytes/step", "commits/step");
        Results ledger = new Results(results, COLUMNS);
        measured.forEach((count, cell) -> {
            Written step = cell.perStep();
            System.out.printf(Locale.ROOT, "%7d %11.0f %9.0f %8.2f %8.2f %7.0f %9.2f %10.0f %12.3f%n", count,
                    cell.rate(),
                    cell.rate() * workload.steps(), cell.p50Millis(), cell.p99Millis(), cell.cpuMicros(), step.rows(),
                    step.bytes(),
                    step.commits());
            ledger.append(Project.revision(), lower(store), lower(workload), count, cell.rate(),
                    decimals(cell.p50Millis()),
                    decimals(cell.p99Millis()), decimals(step.rows()), step.bytes(), decimals(step.commits()));
        });
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private static String decimals(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }
}
