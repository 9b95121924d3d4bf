package dev.pawl.lab.torture;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What a zombie is on SQLite: there a second process is refused, even while the first one stands still. */
final class Rival {

    private static final int RUN_MILLIS_MAX = 1_500;
    private static final int REFUSED_MILLIS_MAX = 30_000;
    private static final int UP_MILLIS_MAX = 60_000;
    private static final int CALM_MILLIS_MAX = 150_000;

    private Rival() {
    }

    static Kind.Round round(Path folder, long seed, int cycles, Runnable step) throws Exception {
        SqliteSite place = SqliteSite.create(folder, "zombie", seed);
        Site site = place.site();
        List<String> violations = new ArrayList<>();
        try (ChildProcess first = site.start(List.of(), "main")) {
            site.awaitTold(0, first, UP_MILLIS_MAX);
            for (int cycle = 0; cycle < cycles && violations.isEmpty(); cycle++) {
                Thread.sleep(site.random.nextInt(RUN_MILLIS_MAX));
                violations.addAll(strike(site, first));
                step.run();
            }
            first.calm();
            if (!first.ended(CALM_MILLIS_MAX) || first.exitCode() != 0) {
                violations.add("P8 the first process does not come to its end");
            }
        }
        violations.addAll(place.violations(true));
        return new Kind.Round(violations, site.folder, site.tally(), site::delete);
    }

    private static List<String> strike(Site site, ChildProcess first) throws InterruptedException {
        List<String> violations = new ArrayList<>();
        first.stop();
        try (ChildProcess second = site.start(List.of(), "rival")) {
            if (!second.ended(REFUSED_MILLIS_MAX) || second.exitCode() != Child.REFUSED) {
                violations.add("P5 a second process was let in");
            } else if (!ChildProcess.printed(site.folder).contains("is in use by process")) {
                violations.add("P5 a second process was refused, but not told by whom");
            }
        } finally {
            first.goOn();
        }
        return violations;
    }
}
