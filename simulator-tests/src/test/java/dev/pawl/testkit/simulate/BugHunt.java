package dev.pawl.testkit.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongFunction;
import java.util.stream.LongStream;

/**
 * Looks for a seed under which a bug shows. The file has one for each bug and saves the runs before it; if that one finds the bug
 * no more, because the engine makes other commits by now, all seeds from the first one on are tried, and the file wants the new one.
 * {@code ./build long} always begins with the first.
 */
public final class BugHunt {

    private static final Path KNOWN = Path.of("src/test/resources/seeds-of-bugs.txt");

    private BugHunt() {
    }

    /** Fails if none of the seeds from the first one on, as many as the budget says, finds the bug. */
    public static void find(Enum<?> bug, long first, int budget, LongFunction<SimResult> run) {
        SimResult failing = null;
        long found = -1;
        for (long seed : LongStream.concat(known(bug), LongStream.range(first, first + budget)).toArray()) {
            SimResult result = run.apply(seed);
            if (result.failed()) {
                failing = result;
                found = seed;
                break;
            }
        }
        System.out.printf("%-45s found by seed %7d: %s%n", bug, found,
                failing == null ? "not at all" : failing.violations().getFirst());

        assertThat(failing).as("a run that finds it").isNotNull();
    }

    private static LongStream known(Enum<?> bug) {
        if (Boolean.getBoolean("pawl.long")) {
            return LongStream.empty();
        }
        try {
            return Files.readAllLines(KNOWN).stream().map(line -> line.split(" +"))
                    .filter(line -> line[0].equals(bug.name())).mapToLong(line -> Long.parseLong(line[1]));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
