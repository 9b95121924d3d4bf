package dev.pawl.lab.torture;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;

/** Processes that stand still for longer than their lease, and go on as if no time had passed. */
@Command(name = "freeze", mixinStandardHelpOptions = true, sortOptions = false,
        description = "Stops processes for longer than their lease and lets them go on, while flows run.")
final class Freeze extends FlowKind {

    /** Short, so that it runs out soon; long enough for a machine that is busy. */
    private static final int LEASE_MILLIS = 2_000;
    /** On loopback a process has its lease back too soon for anything to be about to begin. */
    private static final int RENEWAL_DELAY_MILLIS = 200;
    private static final int RUN_MILLIS_MAX = 2_500;
    private static final int FROZEN_MILLIS_MAX = 6_000;

    Freeze() {
        super("freeze", true);
    }

    @Override
    long leaseMillis() {
        return LEASE_MILLIS;
    }

    @Override
    long renewalDelayMillis() {
        return RENEWAL_DELAY_MILLIS;
    }

    @Override
    void begin(FlowSite site) throws InterruptedException {
        start(site, processes());
    }

    @Override
    void strike(FlowSite site, int cycle) throws InterruptedException {
        Thread.sleep(site.random.nextInt(RUN_MILLIS_MAX));
        List<FlowProcess> chosen = new ArrayList<>(List.of(site.any()));
        if (site.random.nextInt(4) == 0) {
            chosen.add(site.any());
        }
        List<FlowProcess> frozen = chosen.stream().distinct().toList();
        site.strike(frozen);
        FlowProcess.freeze(frozen, site.random.nextInt(LEASE_MILLIS + LEASE_MILLIS / 10, FROZEN_MILLIS_MAX));
    }
}
