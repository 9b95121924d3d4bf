package dev.pawl.lab.torture;

import dev.pawl.lab.torture.effect.EffectRules;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import me.tongfei.progressbar.ProgressBar;
import picocli.CommandLine.Option;

/** Kinds of torture for flows: processes that join, leave and stand still, and effects that are counted outside of them. */
abstract class FlowKind extends Kind {

    /** Three processes on a server, one on a file. */
    static final int PROCESSES_POSTGRES = 3;

    /** A drain that is longer than any attempt, and how often one is not. */
    private static final int DRAIN_MILLIS = 10_000;
    private static final int DRAIN_SHORT_MILLIS_MAX = 1_500;
    private static final int DRAIN_SHORT_ONE_IN = 4;

    @Option(names = "--store", description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
    StoreKind on = StoreKind.POSTGRES;

    @Option(names = "--open", description = "workflows under way at a time (default: ${DEFAULT-VALUE})")
    int openMax = 30;

    @Option(names = "--work-max",
            description = "milliseconds that an attempt takes at most (default: ${DEFAULT-VALUE})")
    int workMillisMax = 4_000;

    @Option(names = "--flaw", hidden = true, description = "a bug to put in, which must be found")
    FlowFlaw flaw = FlowFlaw.NONE;

    private final boolean frozen;
    private EffectRules.Excess excess = EffectRules.Excess.NONE;
    private long caught;

    /**
     * One kind.
     *
     * @param frozen whether processes lose their leases
     */
    FlowKind(String name, boolean frozen) {
        super(name);
        this.frozen = frozen;
    }

    abstract long leaseMillis();

    /** How long a renewal is under way. */
    long renewalDelayMillis() {
        return 0;
    }

    /** Starts what is there before the first cycle. */
    abstract void begin(FlowSite site) throws InterruptedException;

    /** One cycle. */
    abstract void strike(FlowSite site, int cycle) throws InterruptedException;

    @Override
    String store() {
        return on.text();
    }

    @Override
    String replay() {
        return " --store " + on.text();
    }

    @Override
    String summary() {
        return ", %d attempts in the middle when their process was struck, %s".formatted(caught, excess);
    }

    private FlowSite site(Path folder, String name, long seed) throws Exception {
        FlowSettings settings = new FlowSettings();
        settings.seed = seed;
        settings.sqlite = on == StoreKind.SQLITE;
        settings.workMillisMax = workMillisMax;
        settings.flaw = flaw;
        settings.leaseMillis = leaseMillis();
        settings.renewMillis = leaseMillis() / 5;
        settings.renewalDelayMillis = renewalDelayMillis();
        return FlowSite.create(on, folder, name, settings, openMax);
    }

    @Override
    Round round(long seed, int cycles, ProgressBar bar) throws Exception {
        try (FlowSite site = site(options.folder, name(), seed)) {
            List<String> violations = new ArrayList<>();
            begin(site);
            for (int cycle = 0; cycle < cycles && violations.isEmpty(); cycle++) {
                strike(site, cycle);
                violations.addAll(site.reap(false));
                bar.step();
            }
            violations.addAll(site.finish(frozen));
            excess = excess.plus(site.excess());
            caught += site.caught();
            return new Round(violations, site.folder, site.tally(), () -> Site.delete(site.folder));
        }
    }

    int processes() {
        return on == StoreKind.POSTGRES ? PROCESSES_POSTGRES : 1;
    }

    /** How long a process waits for its attempts when it is asked to end: usually longer than any of them takes. */
    static long drainMillis(FlowSite site) {
        return site.random.nextInt(DRAIN_SHORT_ONE_IN) == 0 ? site.random.nextInt(DRAIN_SHORT_MILLIS_MAX)
                : DRAIN_MILLIS;
    }

    static void start(FlowSite site, int count) throws InterruptedException {
        for (int i = 0; i < count; i++) {
            site.start(drainMillis(site));
        }
        for (FlowProcess each : site.running()) {
            each.awaitUp();
        }
    }
}
