package dev.pawl.store.sqlite;

import dev.pawl.engine.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The right to write to a database file: a lock on a file beside it, which the system takes back when the process ends, however it ends.
 * SQLite's own locks are not enough: they would let two engines take turns.
 */
final class SqliteLock implements AutoCloseable {

    /** This process, as other processes read it in the file. */
    static final String SELF = text(ProcessHandle.current());

    private static final String PROCESS = "process ";
    private static final int TEXT_BYTES_MAX = 80;

    /** Closing one of these would release a lock that another class loader of this process holds. */
    private static final Queue<FileChannel> NEVER_CLOSED = new ConcurrentLinkedQueue<>();

    private final FileChannel channel;
    private final FileLock lock;
    private final boolean earlierHolderLives;

    SqliteLock(Path file, OpenFiles entry) {
        try {
            this.channel = FileChannel.open(file.resolveSibling(file.getFileName() + ".lock"),
                    StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            FileLock taken = taken(channel, entry);
            String holder = holder(channel);
            if (taken == null) {
                channel.close();
                throw StoreException.Unavailable.passing(file + " is in use by "
                        + (holder.isEmpty() ? "another process" : holder)
                        + "; one engine process at a time may have it open. Stop that one, or use PostgreSQL", null);
            }
            this.lock = taken;
            this.earlierHolderLives = lives(holder);
            channel.truncate(0);
            channel.write(ByteBuffer.wrap(SELF.getBytes(StandardCharsets.UTF_8)), 0);
        } catch (IOException e) {
            throw new StoreException.Unavailable("cannot lock " + file + ": " + e.getMessage()
                    + "; the folder must exist and be writable", e);
        }
    }

    private static @Nullable FileLock taken(FileChannel channel, OpenFiles entry) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            NEVER_CLOSED.add(channel);
            throw entry.refusal();
        }
    }

    private static String holder(FileChannel channel) throws IOException {
        ByteBuffer text = ByteBuffer.allocate(TEXT_BYTES_MAX);
        int read = channel.read(text, 0);
        return read <= 0 ? "" : new String(text.array(), 0, read, StandardCharsets.UTF_8);
    }

    /** With the time of its start: numbers of processes are used again, and in a container they are always the same. */
    private static String text(ProcessHandle process) {
        return PROCESS + process.pid()
                + process.info().startInstant().map(start -> " (since " + start + ")").orElse("");
    }

    private static boolean lives(String holder) {
        String[] words = holder.split(" ", -1);
        if (!holder.startsWith(PROCESS) || !holder.endsWith(")")) {
            return false;
        }
        try {
            // A process that has ended and was not collected yet has no command any more.
            return ProcessHandle.of(Long.parseLong(words[1])).filter(process -> text(process).equals(holder))
                    .filter(process -> process.info().command().isPresent()).isPresent();
        } catch (NumberFormatException e) {
            return false;
        }
    }

    /**
     * Whether the process that had the lock before is still there, this one included: it has closed the file, but attempts that it
     * left behind may still run.
     */
    boolean earlierHolderLives() {
        return earlierHolderLives;
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
