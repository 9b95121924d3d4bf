package dev.pawl.lab.torture;

import dev.pawl.engine.store.Lease;
import dev.pawl.engine.store.Store;
import dev.pawl.testkit.scenario.Scenario;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Two engines on one server: one is stopped in the middle of its work, the other takes over, and the first wakes up. */
final class Takeover {

    private static final int RUN_MILLIS_MAX = 1_500;
    private static final int STOPPED_MILLIS_MAX = 1_500;
    /** That it happens at all is what counts here. How soon, the simulator says; a loaded machine is slower. */
    private static final Duration TAKEOVER_MAX = Duration.ofMinutes(2);
    private static final int AFTER_MILLIS_MAX = 1_500;
    private static final int TICK_MILLIS = 20;

    private Takeover() {
    }

    static Kind.Round round(Path folder, long seed, int cycles, Runnable step) throws Exception {
        List<String> violations = new ArrayList<>();
        try (PgSite place = PgSite.create(folder, "zombie", seed);
                ChildProcess a = place.start(place.server().url(), "a", "--first", "0", "--stride", "2");
                ChildProcess b = place.start(place.server().url(), "b", "--first", "1", "--stride", "2")) {
            Site site = place.site();
            for (int cycle = 0; cycle < cycles && violations.isEmpty(); cycle++) {
                Thread.sleep(site.random.nextInt(RUN_MILLIS_MAX));
                try (Store store = Stores.open(site.address)) {
                    boolean first = owner(store).startsWith("a-");
                    violations.addAll(strike(store, site, first ? a : b, first ? "b-" : "a-"));
                }
                violations.addAll(site.violations(false));
                step.run();
            }
            if (violations.isEmpty()) {
                violations.addAll(place.finish(a, b));
                violations.addAll(site.unclaimed());
            }
            return new Kind.Round(violations, site.folder, site.tally(), site::delete);
        }
    }

    /** Whoever holds the first shard that is held: the one worth stopping. */
    private static String owner(Store store) {
        return leases(store).stream().map(Lease::owner).filter(owner -> owner != null).findFirst().orElse("a-");
    }

    private static List<Lease> leases(Store store) {
        return store.leases(Scenario.NAMESPACE, Scenario.GROUP);
    }

    private static List<String> strike(Store store, Site site, ChildProcess zombie, String other)
            throws InterruptedException {
        List<String> violations = new ArrayList<>();
        zombie.stop();
        try {
            List<Lease> before = leases(store);
            long stopped = System.nanoTime();
            while (!takenOver(store, other)) {
                if (System.nanoTime() - stopped > TAKEOVER_MAX.toNanos()) {
                    return List.of("P8 nobody took over: " + leases(store));
                }
                Thread.sleep(TICK_MILLIS);
            }
            for (Lease lease : leases(store)) {
                Lease earlier = before.get(lease.shard().number());
                if (!String.valueOf(earlier.owner()).equals(lease.owner()) && lease.epoch() <= earlier.epoch()) {
                    violations.add("P5 a new owner, but no new epoch: " + earlier + " and then " + lease);
                }
            }
            Thread.sleep(site.random.nextInt(STOPPED_MILLIS_MAX));
        } finally {
            zombie.goOn();
        }
        // It wakes, commits what it had in hand, answers what its workers had done, and must be refused all of it.
        Thread.sleep(site.random.nextInt(AFTER_MILLIS_MAX));
        return violations;
    }

    private static boolean takenOver(Store store, String owner) {
        return leases(store).stream().allMatch(lease -> lease.owner() != null && lease.owner().startsWith(owner));
    }
}
