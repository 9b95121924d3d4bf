package dev.pawl.lab;

import dev.pawl.testkit.flows.FlowBug;
import dev.pawl.testkit.flows.FlowSimulation;
import dev.pawl.testkit.simulate.CrashExplorer;
import dev.pawl.testkit.simulate.SeededBug;
import dev.pawl.testkit.simulate.SimResult;
import dev.pawl.testkit.simulate.Simulation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import me.tongfei.progressbar.ProgressBar;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs the simulator over a range of seeds, and keeps a line about it. */
@Command(name = "simulate", mixinStandardHelpOptions = true, sortOptions = false,
        description = "Runs the real engine in a simulated world, one run per seed, with random faults.")
public final class Simulate implements Callable<Integer> {

    private static final int FAILURES_SHOWN = 3;
    private static final int GENERATED = 200;
    private static final int PAIRS_COMMITS_MAX = 8;
    private static final int PAIRS_MAX = 60;
    /** A scenario of so many workflows is crashed at some of its boundaries only. */
    private static final int LARGE = 100;
    private static final int LARGE_BOUNDARIES = 20;

    @Option(names = "--seeds", description = "how many seeds to run (default: ${DEFAULT-VALUE})")
    private int seeds = 1_000;

    @Option(names = "--seconds", description = "run no more seeds after so many seconds (default: no limit)")
    private long seconds;

    @Option(names = "--from", description = "the first seed (default: ${DEFAULT-VALUE})")
    private long from;

    @Option(names = "--without", split = ",",
            description = "faults to leave out, by number: how a failing run is made smaller")
    private Set<Integer> without = new TreeSet<>();

    @Option(names = "--bug", description = "a bug to put in on purpose: ${COMPLETION-CANDIDATES}")
    private SeededBug bug = SeededBug.NONE;

    @Option(names = "--flows", description = "made-up flows instead of graphs")
    private boolean flows;

    @Option(names = "--flow-bug", description = "with --flows: a bug to put in on purpose: ${COMPLETION-CANDIDATES}")
    private FlowBug flowBug = FlowBug.NONE;

    @Option(names = "--trace", description = "print what happened, line by line")
    private boolean trace;

    @Option(names = "--crashes",
            description = "instead of seeds: crashes at every commit boundary; of the largest scenario at some")
    private boolean crashes;

    @Option(names = "--apart", description = "with --crashes: every step of a transition is a commit of its own")
    private boolean apart;

    @Option(names = "--results", description = "the file that gets a line about this run")
    private Path results = Path.of("lab/results/simulation.csv");

    @Option(names = "--commit", description = "what is being run, for that line")
    private String commit = "unknown";

    private final AtomicLong faults = new AtomicLong();
    private final AtomicLong commits = new AtomicLong();
    private final AtomicLong ran = new AtomicLong();

    public static void main(String[] args) {
        System.exit(new CommandLine(new Simulate()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        if (seeds < 1) {
            System.err.println("--seeds must be at least 1");
            return 2;
        }
        if (crashes) {
            return crashes();
        }
        long began = System.nanoTime();
        List<Long> failed = run();
        double took = (System.nanoTime() - began) / 1e9;
        failed.stream().limit(FAILURES_SHOWN).forEach(seed -> System.out.println(
                flows ? FlowSimulation.shrunk(seed, flowBug) : Simulation.shrunk(seed, bug)));
        System.out.printf(Locale.ROOT, "%d seeds from %d, %d commits, %d faults, %d violations, %.0f seeds a second%n",
                ran.get(), from, commits.get(), faults.get(), failed.size(), ran.get() / took);
        if (seeds > 1 && bug == SeededBug.NONE && flowBug == FlowBug.NONE) {
            Path file = flows ? results.resolveSibling("simulated-flows.csv") : results;
            new Results(file, "from,seeds,commits,faults,violations,seconds").append(commit, from, ran.get(),
                    commits.get(),
                    faults.get(), failed.size(), took);
        }
        return failed.isEmpty() ? 0 : 1;
    }

    private List<Long> run() throws Exception {
        int threads = Math.min(seeds, Runtime.getRuntime().availableProcessors());
        List<Long> failed = new ArrayList<>();
        try (ExecutorService pool = Executors.newFixedThreadPool(threads);
                ProgressBar bar = Progress.bar("simulating", seeds, " seeds")) {
            List<Future<List<Long>>> parts = IntStream.range(0, threads)
                    .mapToObj(part -> pool.submit(() -> every(threads, part, bar))).toList();
            for (Future<List<Long>> part : parts) {
                failed.addAll(part.get());
            }
        }
        failed.sort(null);
        return failed;
    }

    private List<Long> every(int threads, int part, ProgressBar bar) {
        List<Long> failed = new ArrayList<>();
        long until = seconds == 0 ? Long.MAX_VALUE : System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        for (long seed = from + part; seed < from + seeds && System.nanoTime() < until; seed += threads) {
            ran.incrementAndGet();
            SimResult result = flows ? FlowSimulation.run(seed, without, flowBug)
                    : Simulation.run(seed, without, bug);
            faults.addAndGet(result.faults().size());
            commits.addAndGet(result.commits());
            if (trace) {
                System.out.println(result.trace() + result.dump());
            }
            if (result.failed()) {
                failed.add(seed);
            }
            bar.step();
        }
        return failed;
    }

    /** Every commit boundary, applied and not, and pairs of them; a very large scenario at some of its boundaries. */
    private int crashes() throws Exception {
        long began = System.nanoTime();
        List<CrashExplorer> explorers = CrashExplorer.scenarios(GENERATED).stream()
                .map(scenario -> new CrashExplorer(scenario, apart)).toList();
        AtomicLong runs = new AtomicLong();
        List<String> wrong = new ArrayList<>();
        try (ExecutorService pool = Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
                ProgressBar bar = Progress.bar("crashing", explorers.size(), " scenarios")) {
            List<Future<List<String>>> parts = explorers.stream().map(explorer -> pool.submit(() -> {
                CrashExplorer.Findings single = explorer.single(
                        explorer.scenario().starts().size() > LARGE ? LARGE_BOUNDARIES : Integer.MAX_VALUE);
                CrashExplorer.Findings pairs = explorer.pairs(PAIRS_COMMITS_MAX,
                        explorer.scenario().starts().size() > LARGE ? 0 : PAIRS_MAX);
                runs.addAndGet(single.runs() + pairs.runs());
                bar.step();
                return Stream.concat(single.wrong().stream(), pairs.wrong().stream()).toList();
            })).toList();
            for (Future<List<String>> part : parts) {
                wrong.addAll(part.get());
            }
        }
        double took = (System.nanoTime() - began) / 1e9;
        wrong.stream().limit(FAILURES_SHOWN).forEach(System.out::println);
        System.out.printf(Locale.ROOT, "%d scenarios, %d runs with crashes, %d violations, %.0f seconds%n",
                explorers.size(), runs.get(), wrong.size(), took);
        new Results(results.resolveSibling("crashes.csv"), "steps,scenarios,runs,violations,seconds").append(commit,
                apart ? "apart" : "together", explorers.size(), runs.get(), wrong.size(), took);
        return wrong.isEmpty() ? 0 : 1;
    }
}
