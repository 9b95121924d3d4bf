package dev.pawl.lab.bench;

import dev.pawl.lab.Progress;
import dev.pawl.lab.Project;
import dev.pawl.lab.Results;
import dev.pawl.lab.bench.Contender.Engine;
import dev.pawl.lab.bench.FlowCell.Loop;
import dev.pawl.lab.bench.Grounds.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import me.tongfei.progressbar.ProgressBar;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures whether a step costs more when many other workflows are open. */
@Command(name = "growth", mixinStandardHelpOptions = true, sortOptions = false, usageHelpWidth = 120,
        description = {"Measures ten steps in a row (w1) while more and more workflows sleep in the same store.",
            "A line about each size goes to lab/results/growth.csv."},
        footer = {"", "Examples:", "  ./pawl bench growth",
            "  ./pawl bench growth --stores sqlite --sizes 1000,100000 --clients 256 --duration 5"})
final class Growth implements Callable<Integer> {

    private static final String COLUMNS = "store,open,clients,stepsPerSecond,p50ms,p99ms,heapBytesPerWorkflow,"
            + "diskBytesPerWorkflow,diskBytesPerStep,openingSeconds";

    @Option(names = "--sizes", split = ",",
            description = "how many are open, growing (default: 1000,10000,100000,1000000)")
    private List<Integer> sizes = List.of(1_000, 10_000, 100_000, 1_000_000);

    @Option(names = "--stores", split = ",", description = "sqlite, postgres (default: both)")
    private List<Kind> stores = List.of(Kind.values());

    @Option(names = "--clients", description = "how many at once (default: ${DEFAULT-VALUE})")
    private int clients = 256;

    @Option(names = "--duration", paramLabel = "SECONDS",
            description = "how long to measure at each size (default: ${DEFAULT-VALUE})")
    private double seconds = 10;

    @Option(names = "--warm-up", paramLabel = "SECONDS",
            description = "how long before the clock starts, at each size (default: ${DEFAULT-VALUE})")
    private double warmUp = 5;

    @Option(names = "--shards", description = "of Pawl's group (default: what a user gets)")
    private @Nullable Integer shards;

    @Option(names = "--folder", description = "where to write (default: a new one where temporary files go)")
    private @Nullable Path folder;

    @Option(names = "--results", description = "the folder of growth.csv")
    private Path results = Project.path("lab/results");

    @Spec
    @SuppressWarnings("NullAway.Init") // Set before anything is called.
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        boolean growing = true;
        for (int i = 0; i < sizes.size(); i++) {
            growing &= sizes.get(i) > (i == 0 ? 0 : sizes.get(i - 1));
        }
        if (!growing || clients < 1 || seconds <= 0 || warmUp < 0 || (shards != null && shards < 1)) {
            throw new ParameterException(spec.commandLine(),
                    "--sizes must be growing, each at least 1; --clients and --shards: "
                            + "at least 1; --duration: more than 0 seconds");
        }
        System.out.printf("%-9s %9s %8s %10s %9s %9s %12s %16s %15s %10s%n", "store", "open", "clients", "steps/s",
                "p50 ms", "p99 ms", "heap/flow", "disk/flow", "disk/step", "opened in");
        try (Grounds grounds = new Grounds(folder)) {
            for (Contender contender : Contender.of(List.of(Engine.PAWL), stores)) {
                // The first size would pay for the compiler of the process.
                try (Ground scratch = grounds.fresh(contender.store())) {
                    contender.prepare(scratch);
                    steps(contender, scratch, extent(), new AtomicInteger());
                }
                try (Ground ground = grounds.fresh(contender.store())) {
                    grow(contender, ground);
                }
            }
        }
        return 0;
    }

    private Extent extent() {
        return new Extent(Duration.ofNanos((long) (warmUp * 1e9)), Duration.ofNanos((long) (seconds * 1e9)), 1, 1,
                shards, Extent.DBOS_CONNECTIONS);
    }

    private void grow(Contender contender, Ground ground) throws InterruptedException {
        Extent extent = extent();
        contender.prepare(ground);
        long heapBefore = Sleepers.heapBytes();
        AtomicInteger numbers = new AtomicInteger();
        int open = 0;
        for (int size : sizes) {
            long diskBefore = ground.bytesOnDisk();
            double opening;
            double heap;
            try (OpenEngine engine = contender.open(ground, extent);
                    ProgressBar bar = Progress.bar(contender.title() + ", " + size + " open", size - open, "")) {
                opening = Sleepers.start(engine, open, size, bar::step);
                heap = (Sleepers.heapBytes() - heapBefore) / (double) size;
            }
            double diskPerWorkflow = (ground.bytesOnDisk() - diskBefore) / (double) (size - open);
            open = size;
            line(contender, size, opening, heap, diskPerWorkflow, steps(contender, ground, extent, numbers));
        }
    }

    private record Steps(FlowMeasured measured, double diskBytes) {
    }

    private Steps steps(Contender contender, Ground ground, Extent extent, AtomicInteger numbers)
            throws InterruptedException {
        long diskBefore = ground.bytesOnDisk();
        Loop loop;
        double steps;
        try (OpenEngine engine = contender.open(ground, extent);
                ProgressBar bar = Progress.bar(contender.title() + ", steps", 1, "")) {
            FlowCell cell = new FlowCell(engine, FlowWorkload.W1, clients, extent, numbers);
            loop = cell.run();
            steps = cell.begun() * (double) FlowWorkload.STEPS;
            bar.step();
        }
        return new Steps(FlowMeasured.of(loop.nanos(), loop.seconds(), 0, Written.NOTHING),
                (ground.bytesOnDisk() - diskBefore) / steps);
    }

    private void line(Contender contender, int size, double opening, double heap, double disk, Steps steps) {
        String store = Board.label(contender.store());
        FlowMeasured measured = steps.measured();
        double rate = measured.rate() * FlowWorkload.STEPS;
        System.out.printf(Locale.ROOT, "%-9s %,9d %8d %,10.0f %9.2f %9.2f %,12.0f %,16.0f %,15.0f %8.0f s%n", store,
                size, clients, rate, measured.p50Millis(), measured.p99Millis(), heap, disk, steps.diskBytes(),
                opening);
        new Results(results.resolve("growth.csv"), COLUMNS).append(Project.revision(), store, size, clients, rate,
                SideBySide.decimals(measured.p50Millis()), SideBySide.decimals(measured.p99Millis()), heap, disk,
                steps.diskBytes(), SideBySide.decimals(opening));
    }
}
