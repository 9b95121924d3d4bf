package dev.pawl.testkit.simulate;

import dev.pawl.testkit.sim.Fault;
import dev.pawl.testkit.sim.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Which faults strike a run. Each one that strikes gets a number; a run with the same seed and some numbers suppressed is how a
 * failing run is made smaller.
 */
public final class SimPlan {

    private static final List<Fault> COMMIT_FAULTS =
            List.of(Fault.BUSY, Fault.FULL, Fault.UNAVAILABLE, Fault.LOST_ANSWER,
                    Fault.LATE, Fault.TWICE, Fault.STALE_FENCE, Fault.WRONG_VERSION, Fault.CRASH_BEFORE,
                    Fault.CRASH_AFTER);
    private static final List<Fault> READ_FAULTS = List.of(Fault.BUSY, Fault.UNAVAILABLE, Fault.CRASH_BEFORE,
            Fault.CRASH_AFTER);

    private static final List<Fault> TRANSACT_FAULTS = List.of(Fault.BUSY, Fault.FULL, Fault.UNAVAILABLE,
            Fault.LOST_ANSWER, Fault.STALE_FENCE, Fault.CRASH_BEFORE, Fault.CRASH_AFTER);

    private static final boolean[] BOTH = {false, true};

    /** Often enough to meet any window of a few locks, and seldom enough for a thread to get somewhere. */
    private static final int SWITCH_ONE_IN = 4;

    private final List<String> struck = new ArrayList<>();
    private final Set<Integer> suppressed;
    private final RandomGenerator random;
    private final Set<CrashPoint> crashes;
    private final double rate;
    private int left;
    private int number;
    private long commits;
    private @Nullable RandomGenerator switching;

    /** The caller dies at one commit, counted over the whole run. */
    public record CrashPoint(long commit, boolean applied) {
    }

    private SimPlan(RandomGenerator random, double rate, int most, Set<Integer> suppressed, Set<CrashPoint> crashes) {
        this.random = random;
        this.rate = rate;
        this.left = most;
        this.suppressed = suppressed;
        this.crashes = crashes;
    }

    /** Nothing ever fails. */
    public static SimPlan calm(RandomGenerator random) {
        return new SimPlan(random, 0, 0, Set.of(), Set.of());
    }

    /** Crashes at these commits and nothing else. */
    public static SimPlan crashes(RandomGenerator random, Set<CrashPoint> crashes) {
        return new SimPlan(random, 0, 0, Set.of(), crashes);
    }

    /** Anything may fail, with this probability at every turn, at most so often. */
    public static SimPlan random(RandomGenerator random, double rate, int most, Set<Integer> suppressed) {
        return new SimPlan(random, rate, most, suppressed, Set.of());
    }

    /** Threads of flows are interrupted by others, too. */
    public SimPlan switching(RandomGenerator chance) {
        switching = chance;
        return this;
    }

    /** Whether a thread of a flow that has let go of a lock lets another one run. */
    boolean switches() {
        return switching != null && switching.nextInt(SWITCH_ONE_IN) == 0;
    }

    /** No more faults from here on: the phase in which everything must come to its end. */
    public void calmDown() {
        left = 0;
    }

    public List<String> struck() {
        return struck;
    }

    /** How many faults were thought of, suppressed ones included: the numbers a smaller run may leave out. */
    public int numbers() {
        return number;
    }

    @Nullable Fault strike(String who, Operation operation) {
        if (operation == Operation.COMMIT) {
            commits++;
            for (boolean applied : BOTH) {
                if (!crashes.isEmpty() && crashes.contains(new CrashPoint(commits, applied))) {
                    struck.add("crash of " + who + (applied ? " after" : " before") + " commit " + commits);
                    return applied ? Fault.CRASH_AFTER : Fault.CRASH_BEFORE;
                }
            }
        }
        List<Fault> kinds = switch (operation) {
            case COMMIT -> COMMIT_FAULTS;
            case TRANSACT -> TRANSACT_FAULTS;
            default -> READ_FAULTS;
        };
        Fault fault = kinds.get(left > 0 ? random.nextInt(kinds.size()) : 0);
        boolean often = operation == Operation.COMMIT || operation == Operation.TRANSACT;
        return happens(often ? rate : rate / 4, () -> who + " " + operation + " " + fault) ? fault : null;
    }

    /** Whether some misfortune happens now; it is written down if it does, and only then put into words. */
    boolean happens(double probability, Supplier<String> what) {
        if (left == 0 || rate == 0 || random.nextDouble() >= probability) {
            return false;
        }
        left--;
        number++;
        if (suppressed.contains(number)) {
            return false;
        }
        struck.add(number + ": " + what.get());
        return true;
    }

    double rate() {
        return rate;
    }
}
