package dev.pawl.lab.torture;

import java.util.List;
import picocli.CommandLine.Command;

/** A rolling restart: one process after the other gets SIGTERM, and another one takes its place, sometimes before it is gone. */
@Command(name = "deploy", mixinStandardHelpOptions = true, sortOptions = false,
        description = "Ends processes by SIGTERM and replaces them, one after the other, while flows run.")
final class Deploy extends FlowKind {

    private static final int LEASE_MILLIS = 6_000;
    private static final int RUN_MILLIS_MAX = 2_000;

    Deploy() {
        super("deploy", false);
    }

    @Override
    long leaseMillis() {
        return LEASE_MILLIS;
    }

    @Override
    void begin(FlowSite site) throws InterruptedException {
        start(site, processes());
    }

    @Override
    void strike(FlowSite site, int cycle) throws InterruptedException {
        Thread.sleep(site.random.nextInt(RUN_MILLIS_MAX));
        FlowProcess oldest = site.running().getFirst();
        boolean before = on == StoreKind.POSTGRES && site.random.nextBoolean();
        if (before) {
            site.start(drainMillis(site)).awaitUp();
        }
        site.strike(List.of(oldest));
        oldest.terminate();
        site.leaves(oldest);
        if (on == StoreKind.SQLITE || site.random.nextBoolean()) {
            oldest.awaitEnd();
        }
        if (!before) {
            site.start(drainMillis(site)).awaitUp();
        }
    }
}
