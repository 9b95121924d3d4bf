package dev.pawl.testkit.simulate;

import dev.pawl.engine.EngineSettings;
import dev.pawl.engine.shard.ShardLoop;
import dev.pawl.engine.store.Lease;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.StoreCapabilities;
import dev.pawl.engine.store.StoreException;
import dev.pawl.engine.task.Task;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.testkit.scenario.Scenario;
import dev.pawl.testkit.sim.Flaw;
import dev.pawl.testkit.sim.Operation;
import dev.pawl.testkit.sim.SimClock;
import dev.pawl.testkit.sim.SimCrash;
import dev.pawl.testkit.sim.SimDump;
import dev.pawl.testkit.sim.SimLink;
import dev.pawl.testkit.sim.SimStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The real kernel and the real engine in a world of one thread: simulated time, store, network, workers and clients, each step
 * chosen by one source of chance. A phase in which things go wrong is followed by one in which nothing does, and in which
 * everything must come to its end.
 */
public final class SimWorld {

    /** Hours of sleep are thousands of lease renewals: what is only slow must not look stuck. */
    private static final int FAULTY_STEPS_MAX = 50_000;

    /** Few shards, so that workflows meet; short batches, so that there is something between two commits. */
    public static final EngineSettings SETTINGS = EngineSettings.DEFAULT.withShards(2)
            .withTaskTimeout(Duration.ofSeconds(60)).withBatchMax(20).withLookEvery(Duration.ZERO);

    private final Play play;
    private final RandomGenerator random;
    private final SimPlan plan;
    private final EngineSettings settings;
    private final int engineCount;
    private final BiFunction<Store, SimPlan, Store> front;
    private final SimClock clock;
    private static final int FOLDED_EVERY = 4;

    private final SimDatabase database;
    private final Store store;
    private final @Nullable SimJoins joins;
    private final SimClients clients;
    private final SimMonitor monitor = new SimMonitor();
    private final List<SimEngine> engines = new ArrayList<>();
    private final List<SimLink> links = new ArrayList<>();
    private final List<Answer> answers = new ArrayList<>();
    private final StringBuilder trace = new StringBuilder();
    private int incarnations;
    private int idle;

    private record Answer(Instant at, Task task, SimEngine from) {
    }

    /**
     * A world in which nothing has happened yet.
     *
     * @param front what stands between the engines and the database; for seeded bugs
     */
    public SimWorld(Scenario scenario, RandomGenerator random, SimPlan plan, EngineSettings settings, int engines,
            Set<Flaw> flaws, BiFunction<Store, SimPlan, Store> front) {
        this(store -> new GraphPlay(scenario), random, plan, settings, engines, flaws, front);
    }

    /**
     * A world in which nothing has happened yet.
     *
     * @param play is handed the database as it is, to look into
     */
    public SimWorld(Function<Store, Play> play, RandomGenerator random, SimPlan plan, EngineSettings settings,
            int engines, Set<Flaw> flaws, BiFunction<Store, SimPlan, Store> front) {
        this(play, random, plan, settings, engines, new SimClock(),
                clock -> SimDatabase.of(new SimStore(clock, StoreCapabilities.FULL, flaws)), front);
    }

    /** A world around a database in which nothing has happened yet. */
    public SimWorld(Scenario scenario, RandomGenerator random, SimPlan plan, EngineSettings settings, int engines,
            SimDatabase database) {
        this(store -> new GraphPlay(scenario), random, plan, settings, engines, new SimClock(), clock -> database,
                (store, faults) -> store);
    }

    private SimWorld(Function<Store, Play> play, RandomGenerator random, SimPlan plan, EngineSettings settings,
            int engines, SimClock clock, Function<SimClock, SimDatabase> database,
            BiFunction<Store, SimPlan, Store> front) {
        this.random = random;
        this.plan = plan;
        this.settings = settings;
        this.engineCount = engines;
        this.front = front;
        this.clock = clock;
        this.database = database.apply(clock);
        this.store = this.database.store();
        this.play = play.apply(store);
        Store outside = front.apply(store, plan);
        this.joins = settings.joins() ? new SimJoins(this.engines, outside, monitor::report) : null;
        this.clients = new SimClients(this.play, outside, joins);
        this.database.observe(monitor);
    }

    public SimResult run() {
        QuietLog.keep();
        store.createShards(Scenario.NAMESPACE, Scenario.GROUP, settings.shards());
        for (int i = 0; i < engineCount; i++) {
            boot();
        }
        for (int step = 0; step < FAULTY_STEPS_MAX && !done(); step++) {
            step();
            misfortune();
        }
        plan.calmDown();
        trace.append("calm\n");
        engines.forEach(engine -> engine.paused = false);
        for (int step = 0; step < play.calmStepsMax() && !done(); step++) {
            step();
        }
        return result();
    }

    private SimResult result() {
        List<String> violations = new ArrayList<>(monitor.violations());
        violations.addAll(play.violations());
        engines.forEach(engine -> engine.threads.deaths().forEach(death -> violations.add("P8 thread " + death)));
        engines.forEach(SimEngine::end);
        if (!finished()) {
            violations.add("P8 not finished: " + unfinished());
        }
        violations.addAll(Invariants.violations(store, database.all()));
        // A fold takes about as long as a small run, so not after every one.
        if (monitor.commits() % FOLDED_EVERY == 0) {
            violations.addAll(database.unlikeTheirJournal());
        }
        if (violations.isEmpty()) {
            List<Snapshot> ends = database.all().stream().map(workflow -> store.load(workflow.key())).toList();
            play.differences(ends, monitor.effects()).forEach(each -> violations.add("P1 " + each));
        }
        // The next run on this database must not wait for engines that are no more, with or without a lease.
        engines.forEach(engine -> database.gone(engine.name));
        return new SimResult(violations, trace.toString(), plan.struck(), plan.numbers(), monitor.commits(),
                database.dump(SimDump.Style.EVERYTHING), database.dump(SimDump.Style.MEANING),
                joins == null ? 0 : joins.answered());
    }

    /** Looked at only when nothing moves: it means going through everything there is. */
    private boolean done() {
        return idle > 0 && finished();
    }

    private boolean finished() {
        return clients.done() && database.over() && database.undelivered() == 0;
    }

    private String unfinished() {
        StringBuilder text = new StringBuilder(database.undelivered() + " messages left;");
        database.all().stream().filter(workflow -> !workflow.status().terminal())
                .forEach(workflow -> text.append(' ').append(workflow.key().workflowId()));
        engines.stream().flatMap(engine -> engine.engine.shards().stream())
                .forEach(shard -> text.append("; ").append(shard.fence()).append(' ').append(shard.state()).append(' ')
                        .append(shard.trouble()));
        return text.toString();
    }

    private void boot() {
        String name = "engine-" + ++incarnations;
        SimLink link =
                new SimLink(front.apply(store, plan), database::rob,
                        (operation, count) -> struck(operation) ? plan.strike(name, operation) : null);
        links.add(link);
        SimEngine[] self = new SimEngine[1];
        self[0] = new SimEngine(name, link, play, task -> dispatched(task, self[0]), clock, settings,
                plan::switches);
        engines.add(self[0]);
        log("boot " + name);
    }

    /** Seeds of graphs are older than flows, and must stay the runs they are. */
    private boolean struck(Operation operation) {
        return operation != Operation.AWAKE || play.flows();
    }

    private void log(String what) {
        trace.append(clock.instant()).append(' ').append(what).append('\n');
    }

    private void dispatched(Task task, SimEngine from) {
        if (plan.happens(plan.rate(), () -> "worker never answers " + task.activity())) {
            return;
        }
        boolean late = plan.happens(plan.rate(), () -> "worker answers late " + task.activity());
        Duration takes = Duration.ofMillis(random.nextInt(3_000)).plus(late ? settings.taskTimeout() : Duration.ZERO);
        answers.add(new Answer(clock.instant().plus(takes), task, from));
        if (plan.happens(plan.rate(), () -> "worker answers twice " + task.activity())) {
            answers.add(new Answer(clock.instant().plus(takes).plusMillis(random.nextInt(3_000)), task, from));
        }
    }

    private void step() {
        clients.hear(random);
        List<Answer> due = due();
        int ready = 0;
        for (SimEngine engine : engines) {
            ready += engine.paused ? 0 : engine.threads.ready();
        }
        boolean quiet = idle > 3 * engines.size() && due.isEmpty() && ready == 0;
        int choice = random.nextInt(10);
        if ((choice < 2 || quiet) && clients.canAct(quiet)) {
            boolean twice = plan.happens(plan.rate(), () -> "client sends twice");
            log(clients.act(random, clock.instant(), quiet, twice));
            idle = 0;
        } else if (choice < 5 && !due.isEmpty()) {
            answer(due.get(random.nextInt(due.size())));
        } else if (choice < 8 && ready > 0) {
            flow(random.nextInt(ready));
        } else if (quiet && play.decide(store, random, clock.instant())) {
            log("decided");
            idle = 0;
        } else if (quiet) {
            passTime();
        } else {
            turn();
        }
    }

    /** Answers that workers have ready. Asked at every step, like all loops here that are not streams. */
    private List<Answer> due() {
        if (answers.isEmpty()) {
            return List.of();
        }
        List<Answer> due = new ArrayList<>();
        Instant now = clock.instant();
        for (Answer answer : answers) {
            if (!answer.at().isAfter(now)) {
                due.add(answer);
            }
        }
        return due;
    }

    /** One of the threads that can run does, until it blocks. */
    private void flow(int which) {
        int left = which;
        for (SimEngine engine : engines) {
            int ready = engine.paused ? 0 : engine.threads.ready();
            if (left < ready) {
                log("flow " + left + " of " + ready + " of " + engine.name);
                idle = 0;
                try {
                    engine.threads.run(left);
                } catch (SimCrash crash) {
                    die(engine);
                }
                return;
            }
            left -= ready;
        }
    }

    private void turn() {
        List<SimEngine> running = new ArrayList<>();
        for (SimEngine engine : engines) {
            if (!engine.paused) {
                running.add(engine);
            }
        }
        if (running.isEmpty()) {
            idle++;
            return;
        }
        SimEngine engine = running.get(random.nextInt(running.size()));
        try {
            boolean busy = turn(engine);
            idle = busy ? 0 : idle + 1;
            if (busy) {
                log("turn " + engine.name);
            }
        } catch (SimCrash crash) {
            die(engine);
        }
    }

    private boolean turn(SimEngine engine) {
        monitor.clock(engine.now());
        boolean busy = engine.engine.turn();
        for (ShardLoop shard : engine.engine.shards()) {
            monitor.raised(shard.fence());
        }
        return busy;
    }

    private void stop(SimEngine engine) {
        log("stopping " + engine.name);
        try {
            engine.leave(() -> turn(engine));
        } catch (SimCrash crash) {
            log("not in order");
        }
        die(engine);
    }

    private void die(SimEngine engine) {
        log("died " + engine.name);
        engine.threads.deaths().forEach(death -> monitor.report("P8 thread " + death));
        engine.end();
        engines.remove(engine);
        database.gone(engine.name);
        // Workers of a process die with it, unless they are processes of their own.
        answers.removeIf(answer -> answer.from() == engine && random.nextBoolean());
        boot();
        idle = 0;
    }

    private void answer(Answer answer) {
        Task task = answer.task();
        Response response = play.answer(task);
        answers.remove(answer);
        log("answer " + task.workflow() + " " + task.activity());
        idle = 0;
        try {
            if (answer.from().alive) {
                answer.from().engine.answer(task, response);
            } else {
                store.post(task.group(),
                        Message.Respond.answer(task.workflow(), task.activity(), task.attempt(), response));
            }
        } catch (StoreException e) {
            answers.add(new Answer(clock.instant().plusSeconds(1), task, answer.from()));
        } catch (SimCrash crash) {
            die(answer.from());
        }
    }

    /** Nothing to do for anybody: on to the next moment at which there is. */
    private void passTime() {
        Instant now = clock.instant();
        Instant next = null;
        for (Answer answer : answers) {
            next = earlier(next, answer.at(), now);
        }
        for (SimEngine engine : engines) {
            next = earlier(next, engine.wakeAt(), now);
            next = earlier(next, engine.threads.next(), now);
        }
        for (Lease lease : store.leases(Scenario.NAMESPACE, Scenario.GROUP)) {
            next = earlier(next, lease.expiresAt(), now);
        }
        clock.set(next == null ? now.plus(settings.leaseTtl()) : next);
        idle = 0;
    }

    /** The earlier of two moments, if the second is still to come. */
    private static @Nullable Instant earlier(@Nullable Instant next, @Nullable Instant moment, Instant now) {
        return moment != null && moment.isAfter(now) && (next == null || moment.isBefore(next)) ? moment : next;
    }

    /** What goes wrong outside of any call. */
    private void misfortune() {
        double rate = plan.rate() / 10;
        SimEngine engine = engines.get(random.nextInt(engines.size()));
        if (plan.happens(rate, () -> "crash of " + engine.name)) {
            die(engine);
        } else if (!engine.paused && plan.happens(rate, () -> "orderly stop of " + engine.name)) {
            stop(engine);
        } else if (plan.happens(rate, () -> "pause of " + engine.name)) {
            engine.paused = true;
            database.gone(engine.name);
            clock.advance(settings.leaseTtl().plusSeconds(random.nextInt(30)));
        } else if (plan.happens(rate, () -> "clock jump of " + engine.name)) {
            engine.skew(Duration.ofSeconds(random.nextInt(7_200) - 3_600));
        } else if (plan.happens(rate, () -> "another engine")) {
            boot();
        } else if (plan.happens(rate, () -> "stray message")) {
            clients.stray(random);
        }
        for (SimEngine paused : engines) {
            if (paused.paused && random.nextInt(40) == 0) {
                paused.paused = false;
                log("woke " + paused.name);
            }
        }
        if (random.nextInt(20) == 0) {
            monitor.clock(Instant.MAX);
            SimLink link = links.get(random.nextInt(links.size()));
            SimLink.Arrival arrival = link.deliverLate();
            if (arrival != SimLink.Arrival.NONE) {
                log("a late commit arrived: " + arrival);
            }
            if (arrival == SimLink.Arrival.TAKEN_TOO_LATE) {
                monitor.report("P5 a commit thought lost came through after its sender had read on");
            }
        }
    }
}
