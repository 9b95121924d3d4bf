package dev.pawl.lab.torture.effect;

import dev.pawl.engine.world.Chance;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What one flow does, computed from a seed and a number alone: stages one after the other, the operations of a stage side by side. Between
 * the first and the second stage it waits for a signal, and then for a timer.
 */
public record FlowPlan(List<List<Operation>> stages, int sleepMillis) {

    private static final List<Level> LEVELS = List.of(Level.values());
    private static final int STAGES_MIN = 2;
    private static final int STAGES_MAX = 4;
    private static final int WIDTH_MAX = 3;
    /** Many that begin at once and end soon: so there is always something about to begin. */
    private static final int BURST = 10;
    private static final int BURST_ONE_IN = 6;
    private static final int BURST_WORK_MILLIS_MAX = 100;
    private static final int WORK_MILLIS_MIN = 50;
    private static final int SLEEP_MILLIS_MAX = 1_000;

    /** One operation; its effect happens between two rests. */
    public record Operation(String name, Level level, int beforeMillis, int afterMillis) {
    }

    /**
     * The plan of one workflow.
     *
     * @param workMillisMax how long an attempt may last
     * @param transactionMillisMax how long a transaction may last; SQLite has one writer, whom it keeps from everything else
     */
    public static FlowPlan of(long seed, int number, int workMillisMax, int transactionMillisMax) {
        RandomGenerator random = Chance.ofSeed(seed * 1_000_003 + number);
        // Further on in the stream: neighbouring seeds begin alike.
        random.nextLong();
        List<List<Operation>> stages = new ArrayList<>();
        int count = random.nextInt(STAGES_MIN, STAGES_MAX + 1);
        for (int stage = 0; stage < count; stage++) {
            boolean burst = random.nextInt(BURST_ONE_IN) == 0;
            int width = burst ? BURST : random.nextInt(3) == 0 ? random.nextInt(2, WIDTH_MAX + 1) : 1;
            int current = stage;
            int workMax = burst ? BURST_WORK_MILLIS_MAX : workMillisMax;
            stages.add(IntStream.range(0, width)
                    .mapToObj(branch -> operation("s" + current + "b" + branch, random, workMax,
                            Math.min(workMax, transactionMillisMax)))
                    .toList());
        }
        return new FlowPlan(List.copyOf(stages), random.nextInt(SLEEP_MILLIS_MAX));
    }

    private static Operation operation(String name, RandomGenerator random, int workMillisMax,
            int transactionMillisMax) {
        Level level = LEVELS.get(random.nextInt(LEVELS.size()));
        int max = level.transactional() ? transactionMillisMax : workMillisMax;
        // Short ones as often as long ones.
        double work = WORK_MILLIS_MIN * Math.pow((double) max / WORK_MILLIS_MIN, random.nextDouble());
        int before = (int) (work * random.nextDouble());
        return new Operation(name, level, before, (int) work - before);
    }

    /** All of them, in order. */
    public Stream<Operation> operations() {
        return stages.stream().flatMap(List::stream);
    }
}
