package dev.pawl.store.sqlite;

import dev.pawl.engine.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.sqlite.JDBC;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteOpenMode;

/** A database file that this process alone has open, and the connections to it. */
final class SqliteFile implements AutoCloseable {

    /** About 16 MB: past it the writer moves the log into the file as part of its commit. */
    private static final int CHECKPOINT_PAGES = 4_000;
    private static final int BUSY_MILLIS = 5_000;
    private static final int CACHE_KIB = 65_536;

    private final Path file;
    private final FileInspector inspector;
    private final OpenFiles entry;
    private final SqliteLock lock;
    private final FileOrigin origin;
    private final boolean unclean;

    SqliteFile(Path given) {
        this.file = DatabasePath.of(given);
        this.inspector = new FileInspector(file);
        this.entry = OpenFiles.enter(file);
        try {
            DatabasePath.requireOneName(file);
            // Before the lock: nothing is left beside a file that is refused.
            FileOrigin.of(inspector);
            this.lock = new SqliteLock(file, entry);
        } catch (RuntimeException e) {
            entry.close();
            throw e;
        }
        try {
            // Now that no other process changes it.
            this.unclean = inspector.unclean();
            this.origin = FileOrigin.of(inspector);
            create(file, entry);
        } catch (RuntimeException e) {
            lock.close();
            entry.close();
            throw e;
        }
    }

    /** So that it is known by what the file system calls it, before a second open could use another name. */
    private static void create(Path file, OpenFiles entry) {
        try {
            if (Files.notExists(file)) {
                Files.createFile(file);
            }
            entry.addFileKey();
        } catch (IOException e) {
            throw new StoreException.Unavailable("cannot create " + file + ": " + e.getMessage()
                    + "; the folder must exist and be writable", e);
        }
    }

    FileOrigin origin() {
        return origin;
    }

    FileInspector inspector() {
        return inspector;
    }

    /** Whether the file was not closed in order before it was opened here. */
    boolean unclean() {
        return unclean;
    }

    /** Whether the process that had the file open before has ended, so that nothing it has begun can still be running. */
    boolean earlierHolderEnded() {
        return !lock.earlierHolderLives();
    }

    /** A connection that writes; there is never more than one. */
    Connection writer() throws SQLException {
        Connection connection = connect();
        try (Statement pragma = connection.createStatement()) {
            pragma.execute("pragma journal_mode = wal");
            pragma.execute("pragma synchronous = full");
            pragma.execute("pragma wal_autocheckpoint = " + CHECKPOINT_PAGES);
            pragma.execute("pragma cache_size = -" + CACHE_KIB);
            pragma.execute("pragma temp_store = memory");
        }
        return connection;
    }

    Connection reader() throws SQLException {
        Connection connection = connect();
        try (Statement pragma = connection.createStatement()) {
            pragma.execute("pragma query_only = on");
        }
        return connection;
    }

    private Connection connect() throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        // Or the driver asks for the last key, with a statement of its own, after every insert.
        config.setGetGeneratedKeys(false);
        // The driver lets one thread at a time to a connection; SQLite need not do so again.
        config.setOpenMode(SQLiteOpenMode.NOMUTEX);
        Connection connection = JDBC.createConnection(url(), config.toProperties());
        try (Statement pragma = connection.createStatement()) {
            pragma.execute("pragma busy_timeout = " + BUSY_MILLIS);
        }
        return connection;
    }

    String url() {
        return JDBC.PREFIX + file;
    }

    Path path() {
        return file;
    }

    long logBytes() {
        return inspector.logBytes();
    }

    /** In this order: as soon as the entry is gone another thread may open the lock's file, and closing ours would drop its lock. */
    @Override
    public void close() {
        lock.close();
        entry.close();
    }
}
