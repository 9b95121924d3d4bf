package dev.pawl.lab.bench;

import dev.pawl.lab.Project;
import dev.pawl.lab.Results;
import dev.pawl.lab.bench.Grounds.Kind;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures how a process with many open workflows goes on after a kill. */
@Command(name = "recover", mixinStandardHelpOptions = true, sortOptions = false, usageHelpWidth = 120,
        description = {"Fills a store with open workflows, kills the process (SIGKILL), and opens the store again.",
            "A third of them has a step under way or waits for a thread to run it, a third waits for a signal, a third sleeps.",
            "A line about each store goes to lab/results/recovery.csv."},
        footer = {"", "Examples:", "  ./pawl bench recover",
            "  ./pawl bench recover --stores sqlite --workflows 5000 --heap 64m"})
final class Recover implements Callable<Integer> {

    private static final String COLUMNS =
            "store,workflows,inSteps,claimMillis,firstProgressMillis,allUnderWayMillis,heapBytes,heapBytesMax";
    private static final String RECOVERED = "recovered ";
    /** Its steps never end, so everything that was started stays in its memory. */
    private static final String HEAP_OF_FILLING = "2g";

    @Option(names = "--workflows", description = "how many are open (default: ${DEFAULT-VALUE})")
    private int workflows = 50_000;

    @Option(names = "--stores", split = ",", description = "sqlite, postgres (default: both)")
    private List<Kind> stores = List.of(Kind.values());

    @Option(names = "--heap", description = "of the process that opens the store again (default: ${DEFAULT-VALUE})")
    private String heap = "256m";

    @Option(names = "--folder", description = "where to write (default: a new one where temporary files go)")
    private @Nullable Path folder;

    @Option(names = "--results", description = "the folder of recovery.csv")
    private Path results = Project.path("lab/results");

    @Override
    public Integer call() throws IOException, InterruptedException {
        try (Grounds grounds = new Grounds(folder)) {
            for (Kind kind : stores) {
                try (Ground ground = grounds.fresh(kind)) {
                    kill(ground);
                    report(kind, recover(ground));
                }
            }
        }
        return 0;
    }

    private Process start(String phase, String memory, Ground ground) throws IOException {
        return new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx" + memory,
                "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"),
                RecoverProcess.class.getName(), phase, ground.url(), String.valueOf(ground.shards()),
                String.valueOf(workflows)).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    private void kill(Ground ground) throws IOException, InterruptedException {
        Process process = start("fill", HEAP_OF_FILLING, ground);
        try (BufferedReader said = process.inputReader(StandardCharsets.UTF_8)) {
            await(said, "ready");
        } finally {
            process.destroyForcibly();
            process.waitFor();
        }
    }

    private List<Long> recover(Ground ground) throws IOException, InterruptedException {
        Process process = start("recover", heap, ground);
        try (BufferedReader said = process.inputReader(StandardCharsets.UTF_8)) {
            String line = await(said, RECOVERED);
            return List.of(line.substring(RECOVERED.length()).split(" ")).stream().map(Long::valueOf).toList();
        } finally {
            process.destroyForcibly();
            process.waitFor();
        }
    }

    private static String await(BufferedReader said, String beginning) throws IOException {
        for (String line = said.readLine(); line != null; line = said.readLine()) {
            if (line.startsWith(beginning)) {
                return line;
            }
        }
        throw new IOException("the process ended before it was \"" + beginning.strip() + "\"; its errors are above");
    }

    private void report(Kind kind, List<Long> measured) {
        String store = Board.label(kind);
        int inSteps = RecoverProcess.inSteps(workflows);
        System.out.printf(Locale.ROOT,
                "%s: %,d open, %,d of them in a step: %,d ms until the first shard was had, then %,d ms"
                        + " to the first progress, %,d ms until all are under way; heap %,d MB of %,d MB; %,d steps begun%n",
                store,
                workflows, inSteps, measured.get(0), measured.get(1), measured.get(2), measured.get(3) >> 20,
                measured.get(4) >> 20, measured.get(5));
        new Results(results.resolve("recovery.csv"), COLUMNS).append(Project.revision(), store, workflows, inSteps,
                measured.get(0), measured.get(1), measured.get(2), measured.get(3), measured.get(4));
    }
}
