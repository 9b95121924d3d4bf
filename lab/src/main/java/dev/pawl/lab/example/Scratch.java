package dev.pawl.lab.example;

import dev.pawl.Pawl;
import dev.pawl.engine.Definition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Runs an example on a new SQLite file. */
final class Scratch {

    private Scratch() {
    }

    /** What an example does with what it is given. */
    interface Example {

        void run(Pawl pawl) throws Exception;
    }

    static void run(List<Definition> definitions, Example example) throws Exception {
        Path folder = Files.createTempDirectory("pawl-example-");
        try (Pawl pawl = Pawl.open(folder.resolve("example.db"), definitions.toArray(Definition[]::new))) {
            example.run(pawl);
        } finally {
            delete(folder);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.deleteIfExists(file);
            }
        }
        Files.delete(folder);
    }
}
