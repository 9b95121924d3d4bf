package dev.pawl.lab.torture;

import dev.pawl.lab.Progress;
import dev.pawl.lab.Results;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import me.tongfei.progressbar.ProgressBar;
import picocli.CommandLine.Mixin;

/**
 * One kind of torture: rounds of a few cycles, each on a database of its own and decided by a seed of its own, so that a round
 * that fails can be run again alone.
 */
abstract class Kind implements Callable<Integer> {

    private static final int FAILED_ROUNDS_MAX = 3;
    private static final int SHOWN_MAX = 20;

    @Mixin
    protected Options options = new Options();

    private final String name;

    Kind(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    /** Which store it is done to, for the line in the results. */
    abstract String store();

    /** Something that is missing here and without which it cannot be done, or an empty string. */
    String missing() {
        return "";
    }

    /** What a round left behind. */
    record Round(List<String> violations, Path folder, Tally tally, Runnable delete) {
    }

    /** Strikes so many times, lets it finish, and says what is wrong. */
    abstract Round round(long seed, int cycles, ProgressBar bar) throws Exception;

    /** What else there is to say about it in the end. */
    String summary() {
        return "";
    }

    /** Options that are not the same for all kinds, as they are needed to do it again. */
    String replay() {
        return "";
    }

    @Override
    public Integer call() throws Exception {
        if (!missing().isEmpty()) {
            System.out.println(missing() + ", skipped");
            return 0;
        }
        System.out.printf("torture %s: seed %d, %d cycles%n", name, options.seed, options.cycles);
        int done = 0;
        int violations = 0;
        int failed = 0;
        Tally tally = Tally.NONE;
        try (ProgressBar bar = Progress.bar("torture " + name, options.cycles, " cycles")) {
            long began = System.nanoTime();
            for (long seed = options.seed; done < options.cycles && failed < FAILED_ROUNDS_MAX
                    && !options.over(began); seed++) {
                int cycles = Math.min(options.perRound, options.cycles - done);
                Round round = round(seed, cycles, bar);
                done += cycles;
                tally = tally.plus(round.tally());
                violations += round.violations().size();
                if (round.violations().isEmpty()) {
                    round.delete().run();
                } else {
                    failed++;
                    show(round, seed, cycles);
                }
            }
        }
        System.out.printf("torture %s: %d cycles on %s, %s%s, %d violations%n", name, done, store(), tally,
                summary(), violations);
        new Results(options.results, "kind,store,cycles,violations").append(options.commit, name, store(), done,
                violations);
        return violations == 0 ? 0 : 1;
    }

    private void show(Round round, long seed, int cycles) {
        round.violations().stream().limit(SHOWN_MAX).forEach(each -> System.out.println("VIOLATION " + each));
        if (round.violations().size() > SHOWN_MAX) {
            System.out.println("and " + (round.violations().size() - SHOWN_MAX) + " more");
        }
        System.out.println("  files:  " + round.folder());
        System.out.printf("  replay: ./build torture %s --seed %d --cycles %d%s%n", name, seed, cycles, replay());
    }
}
