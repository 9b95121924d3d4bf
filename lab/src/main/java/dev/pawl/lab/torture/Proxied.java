package dev.pawl.lab.torture;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import me.tongfei.progressbar.ProgressBar;
import picocli.CommandLine.Command;

/** Commits of which nobody hears: executed or not, now or later. */
@Command(name = "proxy", mixinStandardHelpOptions = true, sortOptions = false,
        description = "Loses requests and answers between an engine and PostgreSQL, before, after and long after they are"
                + " executed.")
final class Proxied extends Kind {

    private static final int RUN_MILLIS_MAX = 400;
    private static final int STRIKES_MAX = 6;
    private static final int HIT_MILLIS_MAX = 10_000;
    private static final int AFTER_MILLIS_MAX = 1_500;
    private static final int TICK_MILLIS = 5;

    private int losses;

    Proxied() {
        super("proxy");
    }

    @Override
    String store() {
        return "postgres";
    }

    @Override
    String summary() {
        return ", " + losses + " losses";
    }

    @Override
    Round round(long seed, int cycles, ProgressBar bar) throws Exception {
        List<String> violations = new ArrayList<>();
        try (PgSite place = PgSite.create(options.folder, "proxy", seed);
                PgProxy proxy = new PgProxy(place.server().port());
                ChildProcess child = place.start(proxy.url(), "main")) {
            Site site = place.site();
            for (int cycle = 0; cycle < cycles && violations.isEmpty(); cycle++) {
                strike(proxy, site.random);
                if (!child.alive()) {
                    violations.add("P8 the process ended by itself, with " + child.exitCode());
                }
                violations.addAll(site.violations(false));
                bar.step();
            }
            losses += proxy.losses();
            if (violations.isEmpty()) {
                violations.addAll(place.finish(child));
            }
            return new Round(violations, site.folder, site.tally(), site::delete);
        }
    }

    private static void strike(PgProxy proxy, RandomGenerator random) throws InterruptedException {
        PgProxy.Loss[] kinds = PgProxy.Loss.values();
        for (int strikes = 1 + random.nextInt(STRIKES_MAX); strikes > 0; strikes--) {
            Thread.sleep(random.nextInt(RUN_MILLIS_MAX));
            int before = proxy.losses();
            proxy.arm(kinds[random.nextInt(kinds.length)]);
            for (int waited = 0; proxy.losses() == before && waited < HIT_MILLIS_MAX; waited += TICK_MILLIS) {
                Thread.sleep(TICK_MILLIS);
            }
        }
        Thread.sleep(random.nextInt(AFTER_MILLIS_MAX));
    }
}
