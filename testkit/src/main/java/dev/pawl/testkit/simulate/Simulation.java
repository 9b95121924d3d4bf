package dev.pawl.testkit.simulate;

import dev.pawl.engine.EngineSettings;
import dev.pawl.engine.world.Chance;
import dev.pawl.testkit.scenario.Generator;
import dev.pawl.testkit.scenario.Scenario;
import dev.pawl.testkit.scenario.Scenarios;
import dev.pawl.testkit.simulate.SimPlan.CrashPoint;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/** Runs by seed: everything about a run, down to the last byte, follows from one number. */
public final class Simulation {

    private static final List<Scenario> HAND_WRITTEN = Scenarios.handWritten();
    private static final int GENERATED_MAX = 1_000_000;

    /** Under seeds from here on, as many as there are before it, clients run in the processes of the engines. */
    public static final long JOINED = GENERATED_MAX;

    private Simulation() {
    }

    /** What is played under a seed: every third one a hand-written scenario, the others made up. */
    public static Scenario scenario(long seed) {
        return seed % 3 == 0
                ? HAND_WRITTEN.get((int) (seed / 3 % HAND_WRITTEN.size()))
                : Generator.scenario(Chance.ofSeed(seed % GENERATED_MAX));
    }

    /** Whether signals join the commits of their workflows' owners. Older seeds are older than that, and must stay the runs they are. */
    public static boolean joined(long seed) {
        return seed / JOINED % 2 == 1;
    }

    /** A run with random faults. */
    public static SimResult run(long seed, Set<Integer> suppressed, SeededBug bug) {
        RandomGenerator world = Chance.ofSeed(seed * 31 + 1);
        double rate = new double[] {0.01, 0.03, 0.1}[world.nextInt(3)];
        int engines = 1 + world.nextInt(3);
        EngineSettings settings = SimWorld.SETTINGS.withStepsApart(world.nextInt(4) == 0).withJoins(joined(seed));
        SimPlan plan = SimPlan.random(Chance.ofSeed(seed * 31 + 2), rate, 1 + world.nextInt(20), suppressed);
        return new SimWorld(scenario(seed), world, plan, settings, engines, bug.flaws(), bug::front).run();
    }

    /** A run in which nothing goes wrong, or only crashes at the given commits. */
    public static SimResult crash(Scenario scenario, boolean stepsApart, Set<CrashPoint> crashes) {
        SimPlan plan = SimPlan.crashes(Chance.ofSeed(2), crashes);
        EngineSettings settings = SimWorld.SETTINGS.withStepsApart(stepsApart);
        return new SimWorld(scenario, Chance.ofSeed(1), plan, settings, 1, Set.of(), SeededBug.NONE::front).run();
    }

    /**
     * A run on a database that keeps its own time, with random faults or, if the rate is zero, without any. The leases are long,
     * because what would make them run out is not simulated.
     */
    public static SimResult run(Scenario scenario, SimDatabase database, long seed, double rate, boolean stepsApart) {
        RandomGenerator world = Chance.ofSeed(seed * 31 + 1);
        RandomGenerator faults = Chance.ofSeed(seed * 31 + 2);
        SimPlan plan = rate == 0 ? SimPlan.calm(faults)
                : SimPlan.random(faults, rate, 1 + world.nextInt(20), Set.of());
        EngineSettings settings = SimWorld.SETTINGS.withStepsApart(stepsApart)
                .withLease(Duration.ofDays(30), Duration.ofDays(10));
        return new SimWorld(scenario, world, plan, settings, rate == 0 ? 1 : 1 + world.nextInt(2), database).run();
    }

    /** Leaves out one fault after the other as long as the run still fails, and says how to run what is left. */
    public static String shrunk(long seed, SeededBug bug) {
        Set<Integer> suppressed = new TreeSet<>();
        SimResult failing = run(seed, suppressed, bug);
        for (int number = failing.numbers(); number > 0; number--) {
            suppressed.add(number);
            SimResult smaller = run(seed, suppressed, bug);
            if (smaller.failed()) {
                failing = smaller;
            } else {
                suppressed.remove(number);
            }
        }
        StringBuilder text = new StringBuilder("seed " + seed + ", scenario " + scenario(seed) + ":\n");
        failing.violations().stream().limit(5).forEach(violation -> text.append("  ").append(violation).append('\n'));
        failing.faults().forEach(fault -> text.append("  fault ").append(fault).append('\n'));
        text.append("  replay: ./build simulate --seeds 1 --from ").append(seed);
        if (!suppressed.isEmpty()) {
            text.append(" --without ").append(suppressed.toString().replaceAll("[\\[\\] ]", ""));
        }
        return text.toString();
    }
}
