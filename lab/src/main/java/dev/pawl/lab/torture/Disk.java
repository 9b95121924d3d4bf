package dev.pawl.lab.torture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import me.tongfei.progressbar.ProgressBar;
import picocli.CommandLine.Command;

/** Disks that fail: syncs and writes that end in an error, under the engine and without its knowing. */
@Command(name = "disk", mixinStandardHelpOptions = true, sortOptions = false,
        description = "Lets syncs and writes of a SQLite file fail under an engine. Needs strace.")
final class Disk extends Kind {

    private static final int RUN_MILLIS_MAX = 6_000;
    private static final int UP_MILLIS_MAX = 60_000;
    private static final int CALM_MILLIS_MAX = 150_000;

    private int injected;

    Disk() {
        super("disk");
    }

    @Override
    String store() {
        return "sqlite";
    }

    @Override
    String missing() {
        try {
            Process strace = new ProcessBuilder("strace", "-qq", "-e", "trace=none", "true").start();
            return strace.waitFor(10, TimeUnit.SECONDS) && strace.exitValue() == 0 ? "" : "strace may not trace here";
        } catch (IOException e) {
            return "strace is not installed";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }

    @Override
    String summary() {
        return ", " + injected + " calls that failed";
    }

    @Override
    Round round(long seed, int cycles, ProgressBar bar) throws Exception {
        SqliteSite place = SqliteSite.create(options.folder, "disk", seed);
        List<String> violations = new ArrayList<>();
        for (int cycle = 0; cycle < cycles && violations.isEmpty(); cycle++) {
            violations.addAll(strike(place, cycle));
            bar.step();
        }
        if (violations.isEmpty()) {
            violations.addAll(place.finish());
        }
        Site site = place.site();
        return new Round(violations, site.folder, site.tally(), site::delete);
    }

    /** After the errors it is killed, or it must finish by itself: whoever has lost a commit must get over it. */
    private List<String> strike(SqliteSite place, int cycle) throws Exception {
        Site site = place.site();
        DiskFault fault = DiskFault.random(site.random);
        boolean lives = site.random.nextBoolean();
        int millis = site.random.nextInt(RUN_MILLIS_MAX);
        Path trace = site.folder.resolve("strace-" + cycle + ".log");
        List<String> violations = new ArrayList<>();
        long before = site.told();
        try (ChildProcess child = site.start(fault.before(place.file(), trace), "main")) {
            site.awaitTold(before, child, UP_MILLIS_MAX);
            boolean ended = child.ended(millis);
            if (!ended && lives) {
                child.calm();
                ended = child.ended(CALM_MILLIS_MAX);
                if (!ended) {
                    violations.add("P8 the process does not end");
                }
            }
            child.kill();
            // It may be refused a file that it cannot read; but once it runs it has to go on.
            if (ended && child.exitCode() != 0 && child.exitCode() != Child.REFUSED) {
                violations.add("P8 the process ended with " + child.exitCode());
            }
        }
        violations.addAll(traced(trace));
        violations.addAll(place.violations(false));
        return violations.stream().map(each -> each + " [cycle " + cycle + ", " + fault + "]").toList();
    }

    private List<String> traced(Path file) throws IOException {
        try (Stream<String> lines = Files.lines(file)) {
            DiskTrace trace = DiskTrace.of(lines);
            injected += trace.injected();
            return trace.violations();
        }
    }
}
