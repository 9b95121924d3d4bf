package dev.pawl.testkit.flows;

import dev.pawl.engine.EngineSettings;
import dev.pawl.engine.world.Chance;
import dev.pawl.testkit.simulate.SimPlan;
import dev.pawl.testkit.simulate.SimResult;
import dev.pawl.testkit.simulate.SimWorld;
import dev.pawl.testkit.simulate.Simulation;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/** Runs of made-up flows by seed: everything about a run, down to the last byte, follows from one number. */
public final class FlowSimulation {

    /** Shorter than what activities take, so that shards are handed over while attempts run. */
    private static final Duration HAND_OVER_STEP = Duration.ofMillis(500);

    /** Under seeds from here on, as many as there are before it, threads of flows are interrupted by others. */
    public static final long SWITCHED = 2 * Simulation.JOINED;

    private FlowSimulation() {
    }

    /** What is played under a seed. */
    public static Troupe troupe(long seed) {
        return Improvising.troupe(Chance.ofSeed(seed * 31 + 3));
    }

    /** Whether threads of flows are interrupted by others. Older seeds are older than that, and must stay the runs they are. */
    public static boolean switched(long seed) {
        return seed / SWITCHED % 2 == 1;
    }

    /** A run with random faults. */
    public static SimResult run(long seed, Set<Integer> suppressed, FlowBug bug) {
        RandomGenerator world = Chance.ofSeed(seed * 31 + 1);
        double rate = new double[] {0.01, 0.03, 0.1}[world.nextInt(3)];
        int engines = 1 + world.nextInt(3);
        EngineSettings settings = SimWorld.SETTINGS.withStepsApart(world.nextInt(4) == 0)
                .withJoins(Simulation.joined(seed))
                .withHandOverMax(HAND_OVER_STEP.multipliedBy(Math.floorMod(seed, 3)));
        SimPlan plan = SimPlan.random(Chance.ofSeed(seed * 31 + 2), rate, 1 + world.nextInt(20), suppressed);
        if (switched(seed)) {
            plan.switching(Chance.ofSeed(seed * 31 + 4));
        }
        int waitingMax = world.nextInt(3);
        return new SimWorld(store -> new FlowPlay(troupe(seed), store, waitingMax, bug), world, plan, settings, engines,
                Set.of(), bug::front).run();
    }

    /** Leaves out one fault after the other as long as the run still fails, and says how to run what is left. */
    public static String shrunk(long seed, FlowBug bug) {
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
        StringBuilder text = new StringBuilder("seed " + seed + ", flows " + troupe(seed) + ":\n");
        failing.violations().stream().limit(5).forEach(violation -> text.append("  ").append(violation).append('\n'));
        failing.faults().forEach(fault -> text.append("  fault ").append(fault).append('\n'));
        text.append("  replay: ./build simulate --flows --seeds 1 --from ").append(seed);
        if (!suppressed.isEmpty()) {
            text.append(" --without ").append(suppressed.toString().replaceAll("[\\[\\] ]", ""));
        }
        return text.toString();
    }
}
