package dev.pawl.store.sqlite;

import dev.pawl.engine.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which files are open in this process. It is asked before any channel is opened, because closing a channel drops every POSIX lock that the
 * process has on that file: a second open that is refused would release the lock of the first.
 *
 * <p>A file is known by its real path and by what the file system calls it, so that a hard link is the same file. Entries are also kept as
 * system properties: two class loaders that have loaded Pawl share nothing else. Safe for use by many threads.
 */
final class OpenFiles implements AutoCloseable {

    private static final String PROPERTY = "dev.pawl.sqlite.open ";

    /** Properties may be replaced by the application; this set is what one class loader relies on. */
    private static final Set<String> HERE = ConcurrentHashMap.newKeySet();

    private final Path file;
    private final List<String> keys = new ArrayList<>();

    private OpenFiles(Path file) {
        this.file = file;
    }

    /** Enters a file, by its real path; refuses one that is open already. */
    static OpenFiles enter(Path real) {
        OpenFiles entry = new OpenFiles(real);
        entry.add("path " + real);
        entry.addFileKey();
        return entry;
    }

    /** For a file that did not exist when it was entered. */
    void addFileKey() {
        try {
            Object fileKey = Files.exists(file)
                    ? Files.readAttributes(file, BasicFileAttributes.class).fileKey()
                    : null;
            if (fileKey != null) {
                add("file " + fileKey);
            }
        } catch (IOException e) {
            close();
            throw new StoreException.Unavailable("cannot look at " + file + ": " + e.getMessage(), e);
        }
    }

    private void add(String key) {
        if (keys.contains(key)) {
            return;
        }
        if (!HERE.add(key)) {
            close();
            throw refusal();
        }
        if (System.getProperties().putIfAbsent(PROPERTY + key, SqliteLock.SELF) != null) {
            HERE.remove(key);
            close();
            throw refusal();
        }
        keys.add(key);
    }

    StoreException refusal() {
        return StoreException.Unavailable.passing(file + " is in use by " + SqliteLock.SELF + ", which is this one; one"
                + " engine process at a time may have it open, and once, under whatever name. Use the Pawl that is open, or"
                + " close it first", null);
    }

    /** After the lock is released: whoever enters the file next may open a channel at once. */
    @Override
    public void close() {
        for (String key : keys) {
            System.getProperties().remove(PROPERTY + key);
            HERE.remove(key);
        }
        keys.clear();
    }
}
