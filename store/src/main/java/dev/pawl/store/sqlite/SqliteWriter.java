package dev.pawl.store.sqlite;

import dev.pawl.engine.store.StoreException;
import dev.pawl.store.sql.Database.Work;
import dev.pawl.store.sql.Session;
import dev.pawl.store.sql.UncheckedSql;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The one who writes to a file: a thread that takes whatever was asked for while the last sync ran, does it in one transaction and
 * syncs once. Nobody waits for a timer, and the more callers there are, the more share a sync. A caller that finds nobody writing does
 * so itself, for all that wait: to wake a thread and to be woken takes as long as a small commit.
 *
 * <p>What one caller asks for is undone by itself if it fails; it never takes its neighbours with it.
 */
final class SqliteWriter implements AutoCloseable {

    /** Enough for every thread there is; a bound all the same, so that the first caller does not wait for ever. */
    private static final int GROUP_MAX = 256;

    /** Readers can keep the log from starting over. Past this size the writer waits for them. */
    static final long LOG_BYTES_MAX = 64L << 20;

    private final SqliteFile file;
    private final Sessions sessions;
    private final long logBytesMax;
    /** What nobody waits for yet, so that what belongs together comes together. */
    private final BlockingQueue<Request<?>> gathered = new LinkedBlockingQueue<>();
    private final BlockingQueue<Request<?>> queue = new LinkedBlockingQueue<>();
    private final Thread thread;
    /** Held by whoever writes; guards the session. */
    private final ReentrantLock writing = new ReentrantLock();
    private @Nullable Session session;
    private volatile boolean closed;
    /** Taken by the thread, which waits for whoever writes now. */
    private volatile int inHand;
    private final AtomicLong commits = new AtomicLong();

    /** How the writer gets a connection, and another one after an error. */
    interface Sessions {

        Session open() throws SQLException;
    }

    private static final class Request<T> {

        private final Work<T> work;
        private final CompletableFuture<T> answer = new CompletableFuture<>();
        private @Nullable T result;
        private @Nullable RuntimeException failure;

        private final boolean alone;

        Request(Work<T> work, boolean alone) {
            this.work = work;
            this.alone = alone;
        }

        void run(Session on) throws SQLException {
            result = work.run(on);
        }

        /** Once the group is durable: what this request found may be what a neighbour has just written. */
        @SuppressWarnings("NullAway") // Complete only after run() has set it; null is an answer like any other.
        void answer() {
            if (failure == null) {
                answer.complete(result);
            } else {
                answer.completeExceptionally(failure);
            }
        }

        void fail(StoreException why) {
            answer.completeExceptionally(why);
        }
    }

    SqliteWriter(SqliteFile file, long logBytesMax, Sessions sessions) {
        this.file = file;
        this.logBytesMax = logBytesMax;
        this.sessions = sessions;
        this.thread = Thread.ofPlatform().name("pawl-sqlite-writer").daemon().start(this::run);
    }

    /** In a transaction that nothing else is in, so that it runs once; the statements themselves run on this thread. */
    <T> T alone(Work<T> work, SqliteTransaction statements) {
        Request<T> request = new Request<>(work, true);
        Supplier<T> answer = handIn(request);
        CompletableFuture<T> unused = request.answer.whenComplete((result, failure) -> statements.answered());
        hurry(request);
        if (closed && queue.remove(request)) {
            throw closedException();
        }
        statements.run();
        return answer.get();
    }

    <T> T write(Work<T> work) {
        return handIn(work).get();
    }

    /** Whoever asks for the answer waits for it. */
    <T> Supplier<T> handIn(Work<T> work) {
        return handIn(new Request<>(work, false));
    }

    private <T> Supplier<T> handIn(Request<T> request) {
        gathered.add(request);
        return () -> {
            hurry(request);
            if (closed && queue.remove(request)) {
                throw closedException();
            }
            try {
                return request.answer.join();
            } catch (CompletionException e) {
                throw e.getCause() instanceof RuntimeException cause ? cause : e;
            }
        };
    }

    /** Writes, if the caller's thread may be blocked by a native call and nobody else waits to write; or leaves it to the thread. */
    private void hurry(Request<?> request) {
        if (!request.alone && !Thread.currentThread().isVirtual() && !writing.hasQueuedThreads() && queue.isEmpty()
                && writing.tryLock()) {
            try {
                writeNow();
            } finally {
                writing.unlock();
            }
        } else {
            gathered.drainTo(queue);
        }
    }

    private void writeNow() {
        if (closed) {
            gathered.drainTo(queue);
            return;
        }
        List<Request<?>> group = new ArrayList<>();
        gathered.drainTo(group, GROUP_MAX);
        group.stream().filter(request -> request.alone).forEach(queue::add);
        List<Request<?>> sharing = group.stream().filter(request -> !request.alone).toList();
        if (!sharing.isEmpty()) {
            commit(sharing);
        }
        gathered.drainTo(queue);
    }

    /** How many transactions were committed: how often the disk was synced. */
    long commits() {
        return commits.get();
    }

    /** How many requests wait for the commit under way. */
    int waiting() {
        return queue.size() + inHand;
    }

    private StoreException closedException() {
        return new StoreException.Unavailable(file.path() + " is closed", null);
    }

    private void run() {
        List<Request<?>> group = new ArrayList<>();
        while (!(closed && queue.isEmpty())) {
            try {
                group.add(queue.take());
            } catch (InterruptedException e) {
                continue;
            }
            inHand = 1;
            writing.lock();
            try {
                inHand = 0;
                queue.drainTo(group, GROUP_MAX - group.size());
                List<Request<?>> sharing = group.stream().filter(request -> !request.alone).toList();
                if (!sharing.isEmpty()) {
                    commit(sharing);
                }
                group.stream().filter(request -> request.alone).forEach(request -> commit(List.of(request)));
            } finally {
                writing.unlock();
            }
            group.clear();
        }
        writing.lock();
        try {
            closeSession();
        } finally {
            writing.unlock();
        }
    }

    private void commit(List<Request<?>> group) {
        try {
            // What stands alone is not tried a second time: it may be somebody else's code.
            if (group.getFirst().alone) {
                apart(group);
            } else if (!together(group)) {
                apart(group);
            }
        } catch (SQLException e) {
            abandon(e);
            StoreException why = SqliteErrors.before(file.path(), e);
            group.forEach(request -> request.fail(why));
            return;
        }
        try {
            session().execute("commit");
        } catch (SQLException e) {
            abandon(e);
            StoreException why = SqliteErrors.during(file.path(), e);
            group.forEach(request -> request.fail(why));
            return;
        }
        commits.incrementAndGet();
        group.forEach(Request::answer);
        limitLog();
    }

    /**
     * Runs the whole group as if nothing could fail, which is cheap: after a savepoint SQLite copies every page before it is
     * changed. False, with nothing done, if something did fail.
     */
    private boolean together(List<Request<?>> group) throws SQLException {
        Session open = session();
        open.execute("begin immediate");
        for (Request<?> request : group) {
            if (attempt(open, request) != null) {
                open.execute("rollback");
                return false;
            }
        }
        return true;
    }

    /** Runs each request after a savepoint of its own, and goes back to it if the request fails. */
    private void apart(List<Request<?>> group) throws SQLException {
        Session open = session();
        open.execute("begin immediate");
        for (Request<?> request : group) {
            open.execute("savepoint request");
            request.failure = attempt(open, request);
            if (request.failure != null) {
                open.execute("rollback to request");
            }
            open.execute("release request");
        }
    }

    /** Runs a request; returns why it failed, if it did and the transaction lives on. */
    private @Nullable RuntimeException attempt(Session open, Request<?> request) throws SQLException {
        try {
            request.run(open);
            return null;
        } catch (SQLException e) {
            return own(e);
        } catch (UncheckedSql e) {
            return own(e.sql());
        } catch (RuntimeException e) {
            return e;
        }
    }

    private StoreException own(SQLException e) throws SQLException {
        if (SqliteErrors.endsTransaction(e)) {
            // Nobody's work is left in it, not even the neighbours'.
            throw e;
        }
        return SqliteErrors.before(file.path(), e);
    }

    private Session session() throws SQLException {
        if (session == null) {
            session = sessions.open();
        }
        return session;
    }

    /** After an error of the disk the connection is not to be trusted: it is closed, and the file is read anew. */
    private void abandon(SQLException e) {
        if (SqliteErrors.fatal(e) || session == null) {
            closeSession();
            return;
        }
        try {
            session.execute("rollback");
        } catch (SQLException rolledBackAlready) {
            closeSession();
        }
    }

    private void closeSession() {
        Session open = session;
        session = null;
        if (open != null) {
            try {
                open.close();
            } catch (SQLException e) {
                // It is gone either way.
            }
        }
    }

    private void limitLog() {
        if (file.logBytes() > logBytesMax) {
            try {
                session().execute("pragma wal_checkpoint(restart)");
            } catch (SQLException e) {
                // A reader is in the way; after the next commit it is tried again.
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
