package dev.pawl.kernel.lifecycle;

import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Draws {@code docs/LIFECYCLES.md} from the tables that the engine obeys, so that the pictures cannot lie. */
class LifecyclePicturesTest {

    private static final String FILE = "docs/LIFECYCLES.md";

    @Test
    void theCommittedPicturesAreTheTables() throws IOException {
        Path file = projectRoot().resolve(FILE);
        String drawn = document();
        if (!Files.exists(file) || !Files.readString(file).equals(drawn)) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, drawn);
            fail(FILE + " was not what the tables say. It has just been drawn anew: look at it and commit it.");
        }
    }

    private static String document() {
        return """
                # Lifecycles

                `LifecyclePicturesTest` generates this file from the tables in `dev.pawl.kernel.lifecycle`, and fails \
                when they differ: what is not in a picture cannot happen.
                """
                + section("Workflow", WorkflowStatus.LIFECYCLE)
                + section("Activity", ActivityStatus.LIFECYCLE)
                + section("Action", ActionStatus.LIFECYCLE);
    }

    private static String section(String title, Lifecycle<?, ?> lifecycle) {
        return "\n## " + title + "\n\n```mermaid\n" + lifecycle.mermaid() + "```\n";
    }

    /** Maven runs the tests in the module, an editor perhaps in the project: the root is what holds the kernel. */
    private static Path projectRoot() {
        return Stream.iterate(Path.of("").toAbsolutePath(), folder -> folder != null, Path::getParent)
                .filter(folder -> Files.exists(folder.resolve("kernel/pom.xml")))
                .findFirst()
                .orElseThrow();
    }
}
