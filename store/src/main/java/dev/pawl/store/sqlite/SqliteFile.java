package dev.pawl.store.sqlite;

import dev.pawl.engine.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;
import org.sqlite.JDBC;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteOpenMode;

/**
 * A database file and the right to write to it: a lock on a file beside it, which the system takes back when the process ends,
 * however it ends. SQLite's own locks are not enough: they would let two engines take turns.
 */
final class SqliteFile implements AutoCloseable {

    /** About 16 MB: past it the writer moves the log into the file as part of its commit. */
    private static final int CHECKPOINT_PAGES = 4_000;
    private static final int BUSY_MILLIS = 5_000;
    private static final int CACHE_KIB = 65_536;

    private final Path file;
    private final FileChannel channel;
    private final FileLock lock;

    SqliteFile(Path file) {
        this.file = file;
        Path beside = file.resolveSibling(file.getFileName() + ".lock");
        try {
            requireUsable(file);
            this.channel = FileChannel.open(beside, StandardOpenOption.CREATE, StandardOpenOption.READ,
                    StandardOpenOption.WRITE);
            this.lock = locked(channel, file);
        } catch (IOException e) {
            throw new StoreException.Unavailable("cannot open " + file + ": " + e.getMessage()
                    + "; the folder must exist and be writable", e);
        }
    }

    private static void requireUsable(Path file) {
        Path folder = file.getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw new StoreException.Unavailable("there is no folder " + folder + "; create it first", null);
        }
        if (Files.isDirectory(file)) {
            throw new StoreException.Unavailable(file + " is a folder; name a file in it", null);
        }
        if (Files.exists(file) && !Files.isWritable(file)) {
            throw new StoreException.Unavailable(
                    file + " may not be written by this user; allow it, or name another file",
                    null);
        }
        if (!Files.isWritable(folder)) {
            throw new StoreException.Unavailable(folder + " may not be written by this user, and SQLite keeps its log"
                    + " there; allow it, or name a file elsewhere", null);
        }
    }

    private static FileLock locked(FileChannel channel, Path file) throws IOException {
        FileLock lock = tryLock(channel);
        if (lock == null) {
            String holder = holder(channel);
            channel.close();
            throw new StoreException.Unavailable(file + " is in use by " + holder
                    + "; one engine process at a time may have it open. Stop that one, or use PostgreSQL", null);
        }
        channel.truncate(0);
        channel.write(ByteBuffer.wrap(("process " + ProcessHandle.current().pid()).getBytes(StandardCharsets.UTF_8)),
                0);
        return lock;
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    private static String holder(FileChannel channel) throws IOException {
        ByteBuffer text = ByteBuffer.allocate(40);
        int read = channel.read(text, 0);
        return read <= 0 ? "another process" : new String(text.array(), 0, read, StandardCharsets.UTF_8);
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

    /** How large the log beside the file is. */
    long logBytes() {
        try {
            Path log = file.resolveSibling(file.getFileName() + "-wal");
            return Files.exists(log) ? Files.size(log) : 0;
        } catch (IOException e) {
            return 0;
        }
    }

    @Override
    public void close() {
        try {
            lock.release();
            channel.close();
        } catch (IOException e) {
            // The lock ends with the process; there is nothing else to do about it here.
        }
    }
}
