package dev.pawl.lab.torture;

import dev.pawl.engine.store.Store;
import dev.pawl.engine.world.Chance;
import dev.pawl.lab.torture.effect.AttemptRules;
import dev.pawl.lab.torture.effect.EffectLog;
import dev.pawl.lab.torture.effect.EffectRules;
import dev.pawl.lab.torture.effect.EffectServer;
import dev.pawl.lab.torture.effect.ProcessRecord;
import dev.pawl.lab.torture.effect.Tickets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** One database with the flows in it, the processes that run them, and the outside world that counts what they do. Not thread-safe. */
final class FlowSite implements AutoCloseable {

    private static final int SETTLE_MILLIS_MAX = 90_000;
    private static final int CALM_MILLIS_MAX = 120_000;
    private static final int BUSY_MILLIS_MAX = 15_000;
    private static final int TICK_MILLIS = 20;

    final Path folder;
    final RandomGenerator random;
    private final FlowSettings settings;
    private final FlowDatabases databases;
    private final Tickets tickets;
    private final EffectServer world;
    private final Map<String, ProcessRecord> records = new LinkedHashMap<>();
    private final List<FlowProcess> running = new ArrayList<>();
    /** Asked to end, and perhaps not gone. */
    private final List<FlowProcess> leaving = new ArrayList<>();
    private long caught;
    private Tally tally = Tally.NONE;
    private EffectRules.Excess excess = EffectRules.Excess.NONE;

    private FlowSite(Path folder, FlowSettings settings, FlowDatabases databases, int openMax) throws IOException {
        this.folder = folder;
        this.settings = settings;
        this.databases = databases;
        this.random = Chance.ofSeed(settings.seed);
        this.tickets = new Tickets(openMax);
        this.world = new EffectServer(tickets);
    }

    static FlowSite create(StoreKind kind, Path parent, String name, FlowSettings settings, int openMax)
            throws IOException, SQLException {
        Path folder = Site.folder(parent, name, settings.seed);
        return new FlowSite(folder, settings, FlowDatabases.create(kind, folder), openMax);
    }

    EffectLog log() {
        return world.log();
    }

    List<FlowProcess> running() {
        return running;
    }

    /** One of them, by chance. */
    FlowProcess any() {
        return running.get(random.nextInt(running.size()));
    }

    /** Starts a process that waits for its attempts for so long when it is asked to end. */
    FlowProcess start(long drainMillis) {
        ProcessRecord record = new ProcessRecord("p" + (records.size() + 1), drainMillis);
        records.put(record.name(), record);
        List<String> arguments = new ArrayList<>(List.of("--store", databases.address(), "--own", databases.own(),
                "--folder", folder.toString(), "--name", record.name(), "--world", Integer.toString(world.port())));
        arguments.addAll(settings.arguments(drainMillis));
        FlowProcess process = new FlowProcess(ChildProcess.start(folder, List.of(), FlowChild.class, arguments), record,
                log());
        running.add(process);
        return process;
    }

    /** Something is about to be done to some processes: waits until they have something to lose, and counts it. */
    void strike(List<FlowProcess> processes) throws InterruptedException {
        for (int waited = 0; waited < BUSY_MILLIS_MAX && underWay(processes) == 0; waited += TICK_MILLIS) {
            Thread.sleep(TICK_MILLIS);
        }
        caught += underWay(processes);
    }

    private long underWay(List<FlowProcess> processes) {
        return processes.stream().mapToLong(each -> log().running(each.name())).sum();
    }

    /** A process that was asked to end is one of the others no more. */
    void leaves(FlowProcess process) {
        running.remove(process);
        leaving.add(process);
    }

    /** Waits for all that were asked to end, and says who ended otherwise. */
    List<String> reap(boolean wait) throws InterruptedException {
        List<String> violations = new ArrayList<>();
        for (FlowProcess each : List.copyOf(leaving)) {
            if (wait || !each.alive()) {
                violations.addAll(each.awaitEnd());
                each.close();
                leaving.remove(each);
            }
        }
        running.stream().filter(each -> !each.alive())
                .forEach(each -> violations.add("P8 process " + each.name() + " ended by itself"));
        return violations;
    }

    /** Lets everything come to its end undisturbed, and says what is wrong. */
    List<String> finish(boolean frozen) throws Exception {
        List<String> violations = new ArrayList<>(reap(true));
        violations.addAll(settle());
        AttemptRules attempts = new AttemptRules(log(), records, frozen, settings::shard);
        violations.addAll(attempts.violations());
        OutsideWorld outside = OutsideWorld.read(folder);
        violations.addAll(outside.wrong);
        violations.addAll(Fences.violations(outside));
        try (Store store = Stores.open(databases.address())) {
            FlowInspector inspector = new FlowInspector(store);
            violations.addAll(inspector.inspect(tickets.acknowledged()));
            EffectRules effects = new EffectRules(log(), attempts, records, databases.rows(),
                    settings::plan);
            violations.addAll(effects.violations(inspector.results()));
            excess = effects.excess(inspector.results());
            tally = new Tally(inspector.results().size(), inspector.versions(), log().attempts().size(),
                    outside.owned.size(), 0);
        }
        if (!violations.isEmpty()) {
            List<String> lines = new ArrayList<>(log().lines());
            records.values().forEach(each -> lines.add(each.toString()));
            Files.write(folder.resolve("effects.log"), lines);
        }
        return violations;
    }

    private List<String> settle() throws InterruptedException {
        List<String> violations = new ArrayList<>();
        tickets.calmDown();
        for (int waited = 0; waited < SETTLE_MILLIS_MAX && !tickets.settled(); waited += TICK_MILLIS) {
            Thread.sleep(TICK_MILLIS);
        }
        if (tickets.settled()) {
            running.forEach(FlowProcess::calm);
        } else {
            violations.add("P8 not finished after " + SETTLE_MILLIS_MAX + " ms: " + tickets.open());
            running.forEach(FlowProcess::leave);
        }
        for (FlowProcess each : running) {
            violations.addAll(each.awaitEnd(CALM_MILLIS_MAX));
        }
        return violations;
    }

    Tally tally() {
        return tally;
    }

    EffectRules.Excess excess() {
        return excess;
    }

    /** Attempts that were under way in the processes something was done to. */
    long caught() {
        return caught;
    }

    @Override
    public void close() throws IOException {
        running.forEach(FlowProcess::close);
        leaving.forEach(FlowProcess::close);
        world.close();
        databases.close();
    }
}
