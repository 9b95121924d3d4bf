package dev.pawl.testkit.simulate;

import dev.pawl.engine.world.Chance;
import dev.pawl.testkit.scenario.Generator;
import dev.pawl.testkit.scenario.Scenario;
import dev.pawl.testkit.scenario.Scenarios;
import dev.pawl.testkit.simulate.SimPlan.CrashPoint;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Crashes a scenario at its commit boundaries, with the commit applied and not applied, and compares the end, whole state with
 * whole state, with that of the run in which nothing went wrong.
 *
 * @param stepsApart whether every step of a transition is a commit of its own
 */
public record CrashExplorer(Scenario scenario, boolean stepsApart) {

    /** The hand-written scenarios, and so many made up ones. */
    public static List<Scenario> scenarios(int generated) {
        return Stream.concat(Scenarios.handWritten().stream(),
                LongStream.range(0, generated).mapToObj(seed -> Generator.scenario(Chance.ofSeed(seed)))).toList();
    }

    /** How many runs it took, whether that was every boundary or pair there is, and what went wrong in them. */
    public record Findings(long runs, boolean every, List<String> wrong) {
    }

    /** One crash at every boundary, or at so many of them, evenly spread. */
    public Findings single(int boundariesMax) {
        return single(0, boundariesMax);
    }

    /** One crash at every boundary if there are no more commits than that, otherwise at so many boundaries, evenly spread. */
    public Findings single(int commitsMax, int boundariesMax) {
        SimResult calm = run(Set.of());
        List<String> wrong = new ArrayList<>();
        long runs = 0;
        long stride = calm.commits() <= commitsMax ? 1 : Math.max(1, calm.commits() / boundariesMax);
        for (long commit = 1; commit <= calm.commits(); commit += stride) {
            for (boolean applied : new boolean[] {false, true}) {
                runs++;
                compare(calm, Set.of(new CrashPoint(commit, applied)), wrong);
            }
        }
        return new Findings(runs, stride == 1, wrong);
    }

    /**
     * Two crashes: at every pair of boundaries if there are no more commits than that, otherwise at so many pairs. The second may come
     * after the end of the undisturbed run.
     */
    public Findings pairs(int commitsMax, int pairsMax) {
        SimResult calm = run(Set.of());
        List<Set<CrashPoint>> pairs = calm.commits() <= commitsMax ? all(calm.commits())
                : some(calm.commits(), pairsMax);
        List<String> wrong = new ArrayList<>();
        pairs.forEach(points -> compare(calm, points, wrong));
        return new Findings(pairs.size(), calm.commits() <= commitsMax, wrong);
    }

    private static List<Set<CrashPoint>> all(long commits) {
        List<Set<CrashPoint>> pairs = new ArrayList<>();
        for (long first = 1; first < commits; first++) {
            for (long second = first + 1; second <= commits + 2; second++) {
                for (int applied = 0; applied < 4; applied++) {
                    pairs.add(pair(first, second, applied));
                }
            }
        }
        return pairs;
    }

    /** The first ones evenly spread; the second while a shard recovers from the first, soon after, or long after. */
    private static List<Set<CrashPoint>> some(long commits, int pairsMax) {
        long[] later = {1, 2, 5, Math.max(1, commits / 3)};
        List<Set<CrashPoint>> pairs = new ArrayList<>();
        for (int i = 0; i < pairsMax; i++) {
            long first = 1 + i * (commits - 1) / pairsMax;
            pairs.add(pair(first, first + later[i % later.length], i + i / 4));
        }
        return pairs;
    }

    /** Two bits of the last number say which of the two commits was applied. */
    private static Set<CrashPoint> pair(long first, long second, int applied) {
        return Set.of(new CrashPoint(first, (applied & 1) == 1), new CrashPoint(second, (applied & 2) == 2));
    }

    public SimResult run(Set<CrashPoint> points) {
        return Simulation.crash(scenario, stepsApart, points);
    }

    private void compare(SimResult calm, Set<CrashPoint> points, List<String> wrong) {
        SimResult result = run(points);
        if (result.failed()) {
            wrong.add(scenario + " " + points + ": " + result.violations());
        } else if (scenario.exact() && !result.meaning().equals(calm.meaning())) {
            wrong.add(scenario + " " + points + " ends otherwise: " + difference(calm.meaning(), result.meaning()));
        }
    }

    private static String difference(String expected, String actual) {
        List<String> surplus = new ArrayList<>(actual.lines().toList());
        List<String> missing = new ArrayList<>(expected.lines().toList());
        surplus.removeAll(new HashSet<>(missing));
        missing.removeAll(new HashSet<>(actual.lines().toList()));
        return "expected " + missing + ", but got " + surplus;
    }
}
