package dev.pawl.lab.torture;

import java.util.ArrayList;
import java.util.List;
import me.tongfei.progressbar.ProgressBar;
import picocli.CommandLine.Command;

/** {@code kill -9}: at a random moment, and every other time at exactly the k-th call of a method of the store. */
@Command(name = "kill", mixinStandardHelpOptions = true, sortOptions = false,
        description = "Kills an engine on a SQLite file, again and again, at random and at chosen commits.")
final class Kill extends Kind {

    private static final int RUN_MILLIS_MAX = 3_000;
    /** By then a halt that did not come will not come. */
    private static final int HALT_MILLIS_MAX = 8_000;
    private static final int UP_MILLIS_MAX = 60_000;

    Kill() {
        super("kill");
    }

    @Override
    String store() {
        return "sqlite";
    }

    @Override
    Round round(long seed, int cycles, ProgressBar bar) throws Exception {
        SqliteSite place = SqliteSite.create(options.folder, "kill", seed);
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

    private static List<String> strike(SqliteSite place, int cycle) throws Exception {
        Site site = place.site();
        List<String> arguments = new ArrayList<>();
        if (site.random.nextInt(4) == 0) {
            arguments.add("--apart");
        }
        boolean halts = cycle % 2 == 1;
        if (halts) {
            arguments.addAll(List.of("--halt", Halt.random(site.random).toString()));
        }
        // Some are killed while they come up, and the very first of them while it creates the file.
        boolean early = site.random.nextInt(5) == 0;
        int millis = halts ? HALT_MILLIS_MAX : site.random.nextInt(RUN_MILLIS_MAX);
        long before = site.told();
        try (ChildProcess child = site.start(List.of(), "main", arguments.toArray(String[]::new))) {
            if (!early) {
                site.awaitTold(before, child, UP_MILLIS_MAX);
            }
            boolean ended = child.ended(millis);
            child.kill();
            List<String> violations = new ArrayList<>();
            if (ended && child.exitCode() != Halt.EXIT_CODE) {
                violations.add("the process ended by itself, with " + child.exitCode());
            }
            violations.addAll(place.violations(false));
            return violations.stream().map(each -> each + " [cycle " + cycle + ", " + arguments + "]").toList();
        }
    }
}
