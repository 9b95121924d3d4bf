package dev.pawl.store.sqlite;

import dev.pawl.engine.ValidationFailed;
import dev.pawl.engine.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The one name of a database file: absolute, with all symbolic links resolved. Refuses names that cannot be those of a file, and files
 * and folders that cannot be used. Creates nothing.
 */
final class DatabasePath {

    /** As many as Linux follows. */
    private static final int LINKS_MAX = 40;

    private DatabasePath() {
    }

    static Path of(Path given) {
        requireFileName(given);
        try {
            Path real = real(given.toAbsolutePath(), 0);
            requireUsable(real);
            return real;
        } catch (IOException e) {
            throw new StoreException.Unavailable("cannot open " + given + ": " + e.getMessage()
                    + "; the folder must exist and be writable", e);
        }
    }

    private static void requireFileName(Path given) {
        String text = given.toString();
        Path name = given.getFileName();
        if (text.isBlank()) {
            throw new ValidationFailed("the path of the SQLite file is empty; name a file, such as shop.db");
        }
        if (text.startsWith(":") || text.contains(":memory:") || text.contains("mode=memory")) {
            throw new ValidationFailed("Pawl does not support a SQLite database in memory (" + text
                    + "): workflows have to outlive the process. Name a file; a test can use one in a temporary folder");
        }
        if (text.startsWith("file:") || text.contains("?")) {
            throw new ValidationFailed("the name of the SQLite file " + text
                    + " is a URI or has options after a '?', which Pawl does not support; give a plain path, such as"
                    + " data/shop.db");
        }
        if (name == null) {
            throw new ValidationFailed(text + " is a folder; name a file in it");
        }
    }

    private static Path real(Path absolute, int links) throws IOException {
        if (Files.exists(absolute)) {
            return absolute.toRealPath();
        }
        if (Files.isSymbolicLink(absolute)) {
            if (links == LINKS_MAX) {
                throw new StoreException.Unavailable(absolute + " is a symbolic link that leads back to itself;"
                        + " name the file itself", null);
            }
            return real(absolute.resolveSibling(Files.readSymbolicLink(absolute)), links + 1);
        }
        Path folder = absolute.getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw new StoreException.Unavailable("there is no folder " + folder + "; create it first", null);
        }
        return folder.toRealPath().resolve(absolute.getFileName());
    }

    private static void requireUsable(Path file) throws IOException {
        Path folder = file.getParent();
        if (Files.isDirectory(file) || folder == null) {
            throw new StoreException.Unavailable(file + " is a folder; name a file in it", null);
        }
        if (Files.exists(file) && !Files.isWritable(file)) {
            throw new StoreException.Unavailable(
                    file + " may not be written by this user; allow it, or name another file", null);
        }
        if (!Files.isWritable(folder)) {
            throw new StoreException.Unavailable(folder + " may not be written by this user, and SQLite keeps its log"
                    + " there; allow it, or name a file elsewhere", null);
        }
    }

    /**
     * Refuses a file that has a second name. SQLite keeps the log under the name the file was opened by, and so does Pawl its lock: under
     * the other name a process would see neither.
     */
    static void requireOneName(Path file) {
        int names = names(file);
        if (names > 1) {
            throw new StoreException.Unavailable(file + " has " + names
                    + " names (hard links), and SQLite loses commits when a file is opened under more than one of"
                    + " them; delete the other names, or make copies of them", null);
        }
    }

    private static int names(Path file) {
        try {
            return Files.exists(file) && Files.getAttribute(file, "unix:nlink") instanceof Integer count ? count : 1;
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            // This file system does not say.
            return 1;
        }
    }
}
