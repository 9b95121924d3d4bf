package dev.pawl.lab.bench;

import dev.pawl.lab.Progress;
import dev.pawl.lab.Results;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import me.tongfei.progressbar.ProgressBar;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures how many transitions a second the stores make durable, next to what the disk itself can do. */
@Command(name = "bench-store", mixinStandardHelpOptions = true, sortOptions = false,
        description = "Replays recorded bundles into the stores, and appends as many bytes to a file, one after the other.")
public final class BenchStore implements Callable<Integer> {

    private static final String COLUMNS = "store,shards,workload,batch,rate,p50ms,p99ms,bytes,ratioToFile";

    @Option(names = "--stores", split = ",",
            description = "sqlite, postgres (default: those that are there); the file is always measured")
    private List<String> stores = List.of("sqlite", "postgres");

    @Option(names = "--workloads", split = ",",
            description = "what to replay: ${COMPLETION-CANDIDATES} (default: all)")
    private List<Workload> workloads = List.of(Workload.values());

    @Option(names = "--batches", split = ",", description = "bundles in a commit (default: 1,10,100,1000)")
    private List<Integer> batches = List.of(1, 10, 100, 1_000);

    @Option(names = "--shards", split = ",", description = "shards, each with a thread that commits (default: 1,2)")
    private List<Integer> shards = List.of(1, 2);

    @Option(names = "--seconds", description = "how long to measure each cell (default: ${DEFAULT-VALUE})")
    private double seconds = 3;

    @Option(names = "--rounds", description = "how often; what is kept is the median (default: ${DEFAULT-VALUE})")
    private int rounds = 1;

    @Option(names = "--transitions",
            description = "how many to record for all shards together: a cell ends with them (default: ${DEFAULT-VALUE})")
    private int transitions = 200_000;

    @Option(names = "--payload",
            description = "bytes of an activity's state, on average; of a worker's answer (default: ${DEFAULT-VALUE})")
    private int payloadBytes = 350;

    @Option(names = "--folder", description = "where to write (default: a new one where temporary files go)")
    private Path folder = Path.of("");

    @Option(names = "--results", description = "the file that gets a line about each cell")
    private Path results = Path.of("lab/results/store-bench.csv");

    @Option(names = "--commit", description = "what is being run, for those lines")
    private String commit = "unknown";

    public static void main(String[] args) {
        System.exit(new CommandLine(new BenchStore()).setCaseInsensitiveEnumValuesAllowed(true).execute(args));
    }

    private record Variant(String subject, int batch) {
    }

    @Override
    public Integer call() throws Exception {
        if (batches.stream().anyMatch(batch -> batch < 1 || batch > Recording.BATCH_MAX)
                || shards.stream().anyMatch(count -> count < 1) || rounds < 1 || payloadBytes < 2
                || transitions / 4 < batches.stream().mapToInt(Integer::intValue).max().orElse(1)) {
            System.err.printf("batches are of 1 to %d, shards and rounds at least 1, transitions at least 4 batches%n",
                    Recording.BATCH_MAX);
            return 2;
        }
        Path place = folder.toString().isEmpty() ? Files.createTempDirectory("pawl-bench-") : folder;
        List<Subject> subjects = new ArrayList<>();
        try {
            subjects.add(new FileSubject(place));
            stores.forEach(store -> subjects.add(subject(store, place)));
            for (int count : shards) {
                for (Workload workload : workloads) {
                    if (count == 1 || workload.runsInParallel()) {
                        measure(subjects, workload, count);
                    }
                }
            }
        } finally {
            subjects.forEach(Subject::close);
            if (folder.toString().isEmpty()) {
                delete(place);
            }
        }
        return 0;
    }

    private static Subject subject(String store, Path place) {
        return switch (store) {
            case "sqlite" -> new SqliteSubject(place);
            case "postgres" -> new PostgresSubject(place);
            default -> throw new IllegalArgumentException("there is no store '" + store + "': sqlite, postgres");
        };
    }

    private void measure(List<Subject> subjects, Workload workload, int count) throws InterruptedException {
        List<Recording> recordings = record(workload, count);
        Map<Variant, List<Measured>> measured = new LinkedHashMap<>();
        String name = name(workload) + " x " + count;
        try (ProgressBar bar = Progress.bar(name, (long) rounds * batches.size() * subjects.size(), " cells")) {
            for (int round = 0; round < rounds; round++) {
                for (int batch : batches) {
                    for (Subject subject : subjects) {
                        measured.computeIfAbsent(new Variant(subject.name(), batch), first -> new ArrayList<>())
                                .add(Cell.measure(subject, recordings, batch, time()));
                        bar.step();
                    }
                }
            }
        }
        print(workload, recordings, measured);
    }

    private Duration time() {
        return Duration.ofNanos((long) (seconds * 1e9));
    }

    private List<Recording> record(Workload workload, int count) {
        try (ProgressBar bar = Progress.bar("recording " + name(workload), transitions, " bundles")) {
            return IntStream.range(0, count)
                    .mapToObj(shard -> Recording.of(workload, "bench-" + shard, transitions / count, payloadBytes,
                            bar::step))
                    .toList();
        }
    }

    private static String name(Workload workload) {
        return workload.name().toLowerCase(Locale.ROOT);
    }

    private void print(Workload workload, List<Recording> recordings, Map<Variant, List<Measured>> measured) {
        System.out.printf(Locale.ROOT, "%n%s, %d shard%s, %d bytes of content in a transition%n", name(workload),
                recordings.size(), recordings.size() == 1 ? "" : "s", recordings.getFirst().bytesPerTransition());
        System.out.printf("%5s %9s %13s %8s %8s %7s %6s %7s %9s %8s%n", "batch", "store", "transitions/s", "p50 ms",
                "p99 ms", "cpu us", "rows", "on disk", "written", "of file");
        Results ledger = new Results(results, COLUMNS);
        measured.forEach((variant, cells) -> {
            Measured cell = Measured.median(cells);
            Measured file = Measured.median(Objects.requireNonNull(
                    measured.get(new Variant("file", variant.batch()))));
            double ratio = cell.rate() / file.rate();
            System.out.printf(Locale.ROOT, "%5d %9s %13.0f %8.2f %8.2f %7.1f %6.2f %7.0f %9.0f %8.3f%n",
                    variant.batch(),
                    variant.subject(), cell.rate(), cell.p50Millis(), cell.p99Millis(), cell.cpuMicros(),
                    recordings.getFirst().rowsPerTransition(variant.batch()), cell.bytesOnDisk(), cell.bytesWritten(),
                    ratio);
            ledger.append(commit, variant.subject(), recordings.size(), name(workload), variant.batch(), cell.rate(),
                    decimals(cell.p50Millis()), decimals(cell.p99Millis()), cell.bytesOnDisk(), decimals(ratio));
        });
    }

    private static String decimals(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            all.sorted(Comparator.reverseOrder()).forEach(path -> {
                try {
                    Files.delete(path);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }
}
