package dev.pawl.lab.torture;

import java.util.List;
import picocli.CommandLine.Command;

/** Engines that join and leave in order, one to three at a time. Nothing crashes. */
@Command(name = "scale", mixinStandardHelpOptions = true, sortOptions = false,
        description = "Has engines join a PostgreSQL database and leave it in order, while flows run.")
final class Scale extends FlowKind {

    /** Nothing needs a short one here: no lease runs out but those of processes that left attempts behind. */
    private static final int LEASE_MILLIS = 6_000;
    private static final int RUN_MILLIS_MAX = 2_500;

    Scale() {
        super("scale", false);
    }

    @Override
    long leaseMillis() {
        return LEASE_MILLIS;
    }

    @Override
    String missing() {
        return on == StoreKind.SQLITE ? "a SQLite file belongs to one process, no other can join" : "";
    }

    @Override
    void begin(FlowSite site) throws InterruptedException {
        start(site, 1 + site.random.nextInt(processes()));
    }

    @Override
    void strike(FlowSite site, int cycle) throws InterruptedException {
        Thread.sleep(site.random.nextInt(RUN_MILLIS_MAX));
        int there = site.running().size();
        if (there == 1 || (there < processes() && site.random.nextBoolean())) {
            site.strike(site.running());
            site.start(drainMillis(site)).awaitUp();
        } else {
            FlowProcess process = site.any();
            site.strike(List.of(process));
            process.leave();
            site.leaves(process);
            if (site.random.nextBoolean()) {
                process.awaitEnd();
            }
        }
    }
}
