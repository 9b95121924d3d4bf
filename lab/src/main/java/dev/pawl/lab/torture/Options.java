package dev.pawl.lab.torture;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Option;

/** What every kind of torture can be told. */
final class Options {

    @Option(names = "--cycles", description = "how often to strike (default: ${DEFAULT-VALUE})")
    int cycles = 50;

    @Option(names = "--seconds", description = "begin no more rounds after so many seconds (default: no limit)")
    long seconds;

    @Option(names = "--seed", description = "where chance begins; a new one each time unless it is given")
    long seed = System.currentTimeMillis() / 1_000;

    @Option(names = "--per-round",
            description = "how many cycles go to one database before it must finish undisturbed"
                    + " (default: ${DEFAULT-VALUE})")
    int perRound = 10;

    @Option(names = "--folder", description = "where the databases go (default: ${DEFAULT-VALUE})")
    Path folder = Path.of("lab/target/torture");

    @Option(names = "--results", description = "the file that gets a line about this run")
    Path results = Path.of("lab/results/torture.csv");

    @Option(names = "--commit", description = "what is being run, for that line")
    String commit = "unknown";

    /** Whether a run that began then has no time left. */
    boolean over(long beganNanos) {
        return seconds > 0 && System.nanoTime() - beganNanos > TimeUnit.SECONDS.toNanos(seconds);
    }
}
