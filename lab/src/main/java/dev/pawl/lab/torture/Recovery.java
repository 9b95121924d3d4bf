package dev.pawl.lab.torture;

import dev.pawl.lab.Progress;
import dev.pawl.lab.Results;
import dev.pawl.lab.torture.effect.Attempt;
import dev.pawl.lab.torture.effect.SteadyFlow;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import me.tongfei.progressbar.ProgressBar;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * How long workflows stand still when their process ends: from the signal to the next attempt of each in another process, as it is seen
 * outside. With the default settings of Pawl. On SQLite the other process is started when the first one is gone, and its start-up counts;
 * on PostgreSQL it is there already.
 */
@Command(name = "recovery", mixinStandardHelpOptions = true, sortOptions = false,
        description = "Measures the time from kill -9 and from SIGTERM to the next progress of what was under way.")
public final class Recovery implements Callable<Integer> {

    private static final int OPEN_MAX = 40;
    private static final int UNDER_WAY_MIN = 5;
    private static final int SHARDS_POSTGRES = 64;
    private static final int SHARDS_SQLITE = 8;
    private static final int WARM_MILLIS = 3_000;
    private static final int WARM_MILLIS_MAX = 2_000;
    private static final int PROGRESS_MILLIS_MAX = 60_000;
    private static final int TICK_MILLIS = 2;

    @Option(names = "--rounds", description = "how often each is measured (default: ${DEFAULT-VALUE})")
    private int rounds = 10;

    @Option(names = "--stores", split = ",", description = "default: ${DEFAULT-VALUE}")
    private List<StoreKind> stores = List.of(StoreKind.SQLITE, StoreKind.POSTGRES);

    @Option(names = "--ends", split = ",", description = "default: ${DEFAULT-VALUE}")
    private List<End> ends = List.of(End.KILL, End.TERM);

    @Option(names = "--seed", description = "where chance begins; a new one each time unless it is given")
    private long seed = System.currentTimeMillis() / 1_000;

    @Option(names = "--folder", description = "where the databases go (default: ${DEFAULT-VALUE})")
    private Path folder = Path.of("lab/target/torture");

    @Option(names = "--results", description = "the file that gets a line about each measurement")
    private Path results = Path.of("lab/results/standstill.csv");

    @Option(names = "--commit", description = "what is being run, for those lines")
    private String commit = "unknown";

    /** How a process ends. */
    enum End {
        KILL, TERM
    }

    /** Milliseconds from the signal, of the first workflow to go on and of each that was under way. */
    private record Times(List<Double> first, List<Double> each) {
    }

    public static void main(String[] args) {
        System.exit(new CommandLine(new Recovery()).setCaseInsensitiveEnumValuesAllowed(true).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        System.out.printf("%-9s %-5s %7s %10s %10s %10s %10s %10s%n", "store", "end", "rounds", "workflows",
                "first p50", "first max", "each p50", "each max");
        Results file = new Results(results, "store,end,rounds,workflows,firstP50ms,firstMaxMs,eachP50ms,eachMaxMs");
        for (StoreKind store : stores) {
            for (End end : ends) {
                Times times = measure(store, end);
                double firstP50 = percentile(times.first(), 50);
                double firstMax = percentile(times.first(), 100);
                double eachP50 = percentile(times.each(), 50);
                double eachMax = percentile(times.each(), 100);
                System.out.printf("%-9s %-5s %7d %10d %7.0f ms %7.0f ms %7.0f ms %7.0f ms%n", store.text(), end,
                        rounds, times.each().size(), firstP50, firstMax, eachP50, eachMax);
                file.append(commit, store.text(), end, rounds, times.each().size(), firstP50, firstMax, eachP50,
                        eachMax);
            }
        }
        return 0;
    }

    private static double percentile(List<Double> values, int percent) {
        List<Double> sorted = values.stream().sorted().toList();
        return sorted.get(Math.min(sorted.size() - 1, sorted.size() * percent / 100));
    }

    private Times measure(StoreKind store, End end) throws Exception {
        Times times = new Times(new ArrayList<>(), new ArrayList<>());
        FlowSettings settings = new FlowSettings();
        settings.seed = seed;
        settings.steady = true;
        settings.sqlite = store == StoreKind.SQLITE;
        settings.shards = settings.sqlite ? SHARDS_SQLITE : SHARDS_POSTGRES;
        try (FlowSite site = FlowSite.create(store, folder, "recovery-" + store.text() + "-" + end, settings, OPEN_MAX);
                ProgressBar bar = Progress.bar("recovery " + store.text() + " " + end, rounds, " rounds")) {
            site.start(settings.drainMillis).awaitUp();
            if (store == StoreKind.POSTGRES) {
                site.start(settings.drainMillis).awaitUp();
            }
            for (int round = 0; round < rounds; round++) {
                Thread.sleep(WARM_MILLIS + site.random.nextInt(WARM_MILLIS_MAX));
                while (underWay(site, site.running().getFirst()).size() < UNDER_WAY_MIN) {
                    Thread.sleep(TICK_MILLIS);
                }
                Map<String, Double> one = strike(site, store, end, settings.drainMillis);
                times.first().add(one.values().stream().min(Double::compare).orElseThrow());
                times.each().addAll(one.values());
                if (store == StoreKind.POSTGRES) {
                    site.start(settings.drainMillis).awaitUp();
                }
                bar.step();
            }
        }
        Site.delete(folder.resolve("recovery-" + store.text() + "-" + end + "-" + seed));
        return times;
    }

    /** Ends the process that has been there longest; returns when each of its workflows has gone on elsewhere. */
    private static Map<String, Double> strike(FlowSite site, StoreKind store, End end, long drainMillis)
            throws InterruptedException {
        FlowProcess ended = site.running().getFirst();
        Map<String, Double> progress = new ConcurrentHashMap<>();
        Set<String> wanted = underWay(site, ended);
        long signalled = System.nanoTime();
        site.log().onBegin(attempt -> {
            if (!attempt.process().equals(ended.name())) {
                progress.putIfAbsent(attempt.workflow(), (attempt.begunNanos() - signalled) / 1e6);
            }
        });
        switch (end) {
            case KILL -> ended.kill();
            case TERM -> ended.terminate();
        }
        site.leaves(ended);
        if (store == StoreKind.SQLITE) {
            ended.awaitEnd();
            site.start(drainMillis);
        }
        for (int waited = 0; waited < PROGRESS_MILLIS_MAX && !progress.keySet().containsAll(wanted); waited +=
                TICK_MILLIS) {
            Thread.sleep(TICK_MILLIS);
        }
        site.log().onBegin(attempt -> {});
        Map<String, Double> all = new TreeMap<>(progress);
        all.keySet().retainAll(wanted);
        if (all.size() < wanted.size()) {
            wanted.removeAll(all.keySet());
            throw new IllegalStateException("no progress after " + PROGRESS_MILLIS_MAX + " ms: " + wanted);
        }
        return all;
    }

    /** Workflows with a step under way in a process, and enough steps to come. */
    private static Set<String> underWay(FlowSite site, FlowProcess process) {
        return site.log().attempts().stream().filter(each -> each.process().equals(process.name())
                && each.end() == null && !SteadyFlow.nearEnd(each.operation())).map(Attempt::workflow)
                .collect(Collectors.toSet());
    }
}
