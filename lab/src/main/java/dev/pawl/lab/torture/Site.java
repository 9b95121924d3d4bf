package dev.pawl.lab.torture;

import dev.pawl.engine.store.Store;
import dev.pawl.engine.world.Chance;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** One database, the folder with everything about it, and the seed that decides what is done to it. */
final class Site {

    private static final int TICK_MILLIS = 10;

    final Path folder;
    final String address;
    final long seed;
    final RandomGenerator random;
    private final Inspector inspector;

    Site(Path folder, String address, long seed) {
        this.folder = folder;
        this.address = address;
        this.seed = seed;
        this.random = Chance.ofSeed(seed);
        this.inspector = new Inspector(folder, seed);
    }

    /** An empty folder for a round of one kind. */
    static Path folder(Path parent, String kind, long seed) {
        Path folder = parent.resolve(kind + "-" + seed).toAbsolutePath();
        delete(folder);
        try {
            return Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    ChildProcess start(List<String> before, String name, String... more) {
        return start(before, address, name, more);
    }

    /** A process that reaches the same database by another address. */
    ChildProcess start(List<String> before, String by, String name, String... more) {
        List<String> arguments = new ArrayList<>(List.of("--store", by, "--folder", folder.toString(), "--name", name,
                "--seed", Long.toString(seed)));
        arguments.addAll(List.of(more));
        return ChildProcess.start(folder, before, arguments);
    }

    /** Looks at what is stored, whether anybody is at work there or not. */
    List<String> violations(boolean finished) {
        try (Store store = Stores.open(address)) {
            return inspector.violations(store, finished);
        }
    }

    /** After a finished round without lost answers: versions that no owner was told of. */
    List<String> unclaimed() {
        return inspector.unclaimed();
    }

    /** How much was told outside so far. */
    long told() throws IOException {
        long bytes = 0;
        try (Stream<Path> files = Files.list(folder)) {
            for (Path log : files.filter(OutsideWorld::isFile).toList()) {
                bytes += Files.size(log);
            }
        }
        return bytes;
    }

    /** Waits until more was told than that, or the process is gone, or the time is up: it is at work then. */
    void awaitTold(long before, ChildProcess child, long millisMax) throws IOException, InterruptedException {
        for (long waited = 0; waited < millisMax && child.alive() && told() <= before; waited += TICK_MILLIS) {
            Thread.sleep(TICK_MILLIS);
        }
    }

    Tally tally() {
        return inspector.tally();
    }

    void delete() {
        delete(folder);
    }

    static void delete(Path folder) {
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
