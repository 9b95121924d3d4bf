package dev.pawl.lab.torture;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import me.tongfei.progressbar.ProgressBar;
import picocli.CommandLine.Command;

/** A PostgreSQL server that crashes and comes back under an engine, which lives through it. */
@Command(name = "restart", mixinStandardHelpOptions = true, sortOptions = false,
        description = "Crashes a PostgreSQL server under an engine (immediate shutdown) and starts it again.")
final class Restart extends Kind {

    private static final int RUN_MILLIS_MAX = 2_000;
    private static final int DOWN_MILLIS_MAX = 1_200;
    private static final int AFTER_MILLIS_MAX = 1_500;

    Restart() {
        super("restart");
    }

    @Override
    String store() {
        return "postgres";
    }

    @Override
    Round round(long seed, int cycles, ProgressBar bar) throws Exception {
        List<String> violations = new ArrayList<>();
        try (PgSite place = PgSite.create(options.folder, "restart", seed);
                ChildProcess child = place.start(place.server().url(), "main")) {
            Site site = place.site();
            for (int cycle = 0; cycle < cycles && violations.isEmpty(); cycle++) {
                strike(place.server(), site.random);
                if (!child.alive()) {
                    violations.add("P8 the process ended by itself, with " + child.exitCode());
                }
                violations.addAll(site.violations(false));
                bar.step();
            }
            if (violations.isEmpty()) {
                violations.addAll(place.finish(child));
            }
            return new Round(violations, site.folder, site.tally(), site::delete);
        }
    }

    /** Sometimes the server has hardly recovered when it crashes again. */
    private static void strike(PgServer server, RandomGenerator random) throws Exception {
        Thread.sleep(random.nextInt(RUN_MILLIS_MAX));
        do {
            server.crash();
            Thread.sleep(random.nextInt(DOWN_MILLIS_MAX));
            server.startAgain();
        } while (random.nextInt(5) == 0);
        Thread.sleep(random.nextInt(AFTER_MILLIS_MAX));
    }
}
