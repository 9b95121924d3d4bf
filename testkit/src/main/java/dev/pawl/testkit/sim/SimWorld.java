package dev.pawl.testkit.sim;

import dev.pawl.engine.EngineSettings;
import dev.pawl.engine.shard.ShardLoop;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.StoreCapabilities;
import dev.pawl.engine.store.StoreException;
import dev.pawl.engine.task.Task;
import dev.pawl.kernel.collation.Collation;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Message;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The real kernel and the real engine in a world of one thread: simulated time, store, network, workers and clients, each step
 * chosen by one source of chance. A phase in which things go wrong is followed by one in which nothing does, and in which
 * everything must come to its end.
 */
public final class SimWorld {

    private static final int STEPS_MAX = 60_000;
    private static final Duration TTL = Duration.ofSeconds(15);
    static final EngineSettings SETTINGS = new EngineSettings(2, TTL, Duration.ofSeconds(5), Duration.ofSeconds(60), 50,
            false);

    private final SimScript script;
    private final RandomGenerator random;
    private final SimPlan plan;
    private final EngineSettings settings;
    private final int engineCount;
    private final UnaryOperator<Store> front;
    private final SimClock clock = new SimClock();
    private final SimStore database;
    private final SimMonitor monitor = new SimMonitor();
    private final List<SimEngine> engines = new ArrayList<>();
    private final List<SimLink> links = new ArrayList<>();
    private final List<Answer> answers = new ArrayList<>();
    private final List<SimScript.Stimulus> outside = new ArrayList<>();
    private final StringBuilder trace = new StringBuilder();
    private int incarnations;
    private int idle;

    private record Answer(Instant at, Task task, SimEngine from) {
    }

    /**
     * A world in which nothing has happened yet.
     *
     * @param front what stands between the engines and the database; for stores with seeded bugs
     */
    public SimWorld(SimScript script, RandomGenerator random, SimPlan plan, EngineSettings settings, int engines,
            Set<Flaw> flaws, UnaryOperator<Store> front) {
        this.script = script;
        this.random = random;
        this.plan = plan;
        this.settings = settings;
        this.engineCount = engines;
        this.front = front;
        this.database = new SimStore(clock, StoreCapabilities.FULL, flaws);
        database.observe(monitor);
    }

    public static SimResult play(SimScript script, RandomGenerator random, SimPlan plan) {
        return new SimWorld(script, random, plan, SETTINGS, 1, Set.of(), store -> store).run();
    }

    public SimResult run() {
        database.createShards(SimScript.NAMESPACE, SimScript.GROUP, settings.shards());
        script.starts().forEach(begin -> outside.add((store, now) -> start(store, begin, now)));
        outside.addAll(script.stimuli());
        for (int i = 0; i < engineCount; i++) {
            boot();
        }
        for (int step = 0; step < STEPS_MAX / 4 && !finished(); step++) {
            step();
            misfortune();
        }
        plan.calmDown();
        trace.append("calm\n");
        engines.forEach(engine -> engine.paused = false);
        for (int step = 0; step < STEPS_MAX && !finished(); step++) {
            step();
        }
        return result();
    }

    private SimResult result() {
        List<String> violations = new ArrayList<>(monitor.violations());
        if (!finished()) {
            violations.add("P8 not finished: " + unfinished());
        }
        violations.addAll(Invariants.violations(database));
        if (violations.isEmpty()) {
            violations.addAll(script.judge(database));
        }
        return new SimResult(violations, trace.toString(), plan.struck(), plan.numbers(), monitor.commits(),
                database.dump(SimDump.Style.EVERYTHING), database.dump(SimDump.Style.MEANING));
    }

    private boolean finished() {
        return outside.isEmpty() && database.undelivered() == 0
                && database.all().stream().allMatch(workflow -> workflow.status().terminal());
    }

    private String unfinished() {
        StringBuilder text = new StringBuilder(outside.size() + " stimuli left, " + database.undelivered()
                + " messages left;");
        database.all().stream().filter(workflow -> !workflow.status().terminal())
                .forEach(workflow -> text.append(' ').append(workflow.key().workflowId()));
        engines.stream().flatMap(engine -> engine.engine.shards().stream())
                .forEach(shard -> text.append("; ").append(shard.fence()).append(' ').append(shard.state()).append(' ')
                        .append(shard.trouble()));
        return text.toString();
    }

    private void boot() {
        String name = "engine-" + ++incarnations;
        SimLink link = new SimLink(database, front.apply(database), (operation, count) -> plan.strike(name, operation));
        links.add(link);
        SimEngine[] self = new SimEngine[1];
        self[0] = new SimEngine(name, link, script, task -> dispatched(task, self[0]), clock, settings);
        engines.add(self[0]);
        trace.append(clock.instant()).append(" boot ").append(name).append('\n');
    }

    private void dispatched(Task task, SimEngine from) {
        if (plan.happens(plan.rate(), "worker never answers " + task.activity())) {
            return;
        }
        boolean late = plan.happens(plan.rate(), "worker answers late " + task.activity());
        Duration takes = Duration.ofMillis(random.nextInt(3_000)).plus(late ? settings.taskTimeout() : Duration.ZERO);
        answers.add(new Answer(clock.instant().plus(takes), task, from));
        if (plan.happens(plan.rate(), "worker answers twice " + task.activity())) {
            answers.add(new Answer(clock.instant().plus(takes).plusMillis(random.nextInt(3_000)), task, from));
        }
    }

    private void step() {
        List<Answer> due = answers.stream().filter(answer -> !answer.at().isAfter(clock.instant())).toList();
        int choice = random.nextInt(10);
        if (choice < 2 && !outside.isEmpty()) {
            outside(outside.get(random.nextInt(outside.size())));
        } else if (choice < 5 && !due.isEmpty()) {
            answer(due.get(random.nextInt(due.size())));
        } else {
            turn();
        }
        if (idle > 3 * engines.size() && due.isEmpty() && outside.isEmpty()) {
            passTime();
        }
    }

    private void turn() {
        List<SimEngine> running = engines.stream().filter(engine -> engine.alive && !engine.paused).toList();
        if (running.isEmpty()) {
            if (engines.stream().noneMatch(engine -> engine.alive)) {
                boot();
            } else {
                idle++;
            }
            return;
        }
        SimEngine engine = running.get(random.nextInt(running.size()));
        monitor.clock(engine.now());
        try {
            boolean busy = engine.engine.turn();
            engine.engine.shards().stream().map(ShardLoop::fence).forEach(monitor::raised);
            idle = busy ? 0 : idle + 1;
            if (busy) {
                trace.append(clock.instant()).append(" turn ").append(engine.name).append('\n');
            }
        } catch (SimCrash crash) {
            die(engine);
        }
    }

    private void die(SimEngine engine) {
        trace.append(clock.instant()).append(" died ").append(engine.name).append('\n');
        engine.alive = false;
        engines.remove(engine);
        // Workers of a process die with it, unless they are processes of their own.
        answers.removeIf(answer -> answer.from() == engine && random.nextBoolean());
        boot();
        idle = 0;
    }

    private void answer(Answer answer) {
        answers.remove(answer);
        trace.append(clock.instant()).append(" answer ").append(answer.task().workflow()).append(' ')
                .append(answer.task().activity()).append('\n');
        if (answer.from().alive) {
            try {
                answer.from().engine.answer(answer.task(), script.work(answer.task()));
            } catch (StoreException e) {
                answers.add(new Answer(clock.instant().plusSeconds(1), answer.task(), answer.from()));
            } catch (SimCrash crash) {
                die(answer.from());
            }
        } else {
            database.post(answer.task().group(), Message.Respond.answer(answer.task().workflow(),
                    answer.task().activity(), answer.task().attempt(), script.work(answer.task())));
        }
        idle = 0;
    }

    private void outside(SimScript.Stimulus stimulus) {
        boolean twice = plan.happens(plan.rate(), "client sends twice");
        String again = stimulus.send(database, clock.instant());
        if (again == null && !twice) {
            outside.remove(stimulus);
        } else if (again != null && outside.size() == 1) {
            turn();
        }
        idle = 0;
    }

    private static @Nullable String start(Store store, SimScript.Begin begin, Instant now) {
        Message.Start start = new Message.Start(new WorkflowKey(SimScript.NAMESPACE, begin.workflowId()),
                new Message.Beginning(SimScript.GROUP, begin.definition(), begin.version(), "trigger", 0, begin.input(),
                        null));
        store.start(start, Collation.inception(start, now));
        return null;
    }

    /** Nothing to do for anybody: on to the next moment at which there is. */
    private void passTime() {
        Instant now = clock.instant();
        List<Instant> moments = new ArrayList<>(answers.stream().map(Answer::at).toList());
        engines.forEach(engine -> moments.add(engine.engine.wakeAt().minus(engine.skew())));
        database.leases(SimScript.NAMESPACE, SimScript.GROUP).forEach(lease -> {
            if (lease.live() && lease.expiresAt() != null) {
                moments.add(lease.expiresAt());
            }
        });
        Instant next = moments.stream().filter(moment -> moment.isAfter(now)).min(Comparator.naturalOrder())
                .orElse(now.plus(settings.leaseTtl()));
        clock.set(next);
        idle = 0;
    }

    /** What goes wrong outside of any call. */
    private void misfortune() {
        double rate = plan.rate() / 10;
        SimEngine engine = engines.get(random.nextInt(engines.size()));
        if (plan.happens(rate, "crash of " + engine.name)) {
            die(engine);
        } else if (plan.happens(rate, "pause of " + engine.name)) {
            engine.paused = true;
            clock.advance(settings.leaseTtl().plusSeconds(random.nextInt(30)));
        } else if (plan.happens(rate, "clock jump of " + engine.name)) {
            engine.skew(Duration.ofSeconds(random.nextInt(7_200) - 3_600));
        } else if (plan.happens(rate, "another engine")) {
            boot();
        }
        for (SimEngine paused : engines) {
            if (paused.paused && random.nextInt(40) == 0) {
                paused.paused = false;
                trace.append(clock.instant()).append(" woke ").append(paused.name).append('\n');
            }
        }
        SimLink link = links.get(random.nextInt(links.size()));
        if (random.nextInt(20) == 0) {
            monitor.clock(Instant.MAX);
            if (link.deliverLate()) {
                trace.append(clock.instant()).append(" a late commit came through\n");
            }
        }
    }
}
