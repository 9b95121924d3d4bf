package dev.pawl.lab;

import java.nio.file.Path;
import java.util.Objects;

/** What is being run, and from where, as the script that runs it knows. */
public final class Project {

    private Project() {
    }

    /** A path below the project's root, which need not be where the user is. */
    public static Path path(String relative) {
        return Path.of(Objects.requireNonNullElse(System.getenv("PAWL_ROOT"), "")).resolve(relative);
    }

    /** The version control's name of it. */
    public static String revision() {
        return Objects.requireNonNullElse(System.getenv("PAWL_COMMIT"), "unknown");
    }

    /** Whether the user looks at a terminal that shows colours, and wants them. */
    public static boolean colours() {
        return System.getenv("PAWL_COLOR") != null;
    }
}
