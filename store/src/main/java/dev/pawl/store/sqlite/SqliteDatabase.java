package dev.pawl.store.sqlite;

import dev.pawl.engine.store.Fence;
import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.StoreCapabilities;
import dev.pawl.engine.store.StoreException;
import dev.pawl.engine.store.Transacted;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.id.Guid;
import dev.pawl.store.plan.Plan;
import dev.pawl.store.sql.Database;
import dev.pawl.store.sql.Schema;
import dev.pawl.store.sql.Session;
import dev.pawl.store.sql.Shards;
import dev.pawl.store.sql.Statements;
import dev.pawl.store.sql.Transacting;
import dev.pawl.store.sql.UncheckedSql;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;

/** One file: its lock, its writer, its readers, and whoever wants to hear of what is posted. */
final class SqliteDatabase implements Database {

    private static final Statements STATEMENTS = Statements.numbered("/dev/pawl/store/sqlite.sql");
    private static final int READERS_IDLE_MAX = 8;

    private final SqliteFile file;
    private final Shards shards;
    private final WorkflowNumbers numbers = new WorkflowNumbers();
    private final SqliteWriter writer;
    private final BlockingQueue<Session> readers = new LinkedBlockingQueue<>(READERS_IDLE_MAX);
    private final List<Store.Listener> listeners = new CopyOnWriteArrayList<>();
    private volatile boolean closed;

    /** Leaves a transaction without a trace; never leaves the store. */
    private static final class Refused extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final Verdict verdict;

        Refused(Verdict verdict) {
            super(verdict.name(), null, false, false);
            this.verdict = verdict;
        }
    }

    SqliteDatabase(Path given, SqliteOptions options, Shards shards) {
        this.file = new SqliteFile(given);
        this.shards = shards;
        try {
            if (file.origin() != FileOrigin.NEW) {
                IntegrityCheck.run(file, options);
            }
            migrate(file.path());
            try (Session session = session(file.reader())) {
                Schema.requireReadable(session, file.path().toString());
            }
            if (file.earlierHolderEnded()) {
                endEarlierLeases();
            }
        } catch (SQLException e) {
            file.close();
            throw SqliteErrors.before(file.path(), e);
        } catch (RuntimeException e) {
            file.close();
            throw e;
        }
        this.writer = new SqliteWriter(file, SqliteWriter.LOG_BYTES_MAX, () -> session(file.writer()));
    }

    private void migrate(Path path) throws SQLException {
        boolean upToDate;
        try (Session session = session(file.writer())) {
            if (file.origin() == FileOrigin.NEW) {
                // Before any table: a process that is killed in between leaves a file that is known to be ours.
                session.execute("pragma application_id = " + FileOrigin.APPLICATION_ID);
            }
            upToDate = Schema.upToDate(Schema.version(session), path.toString());
        }
        if (!upToDate) {
            Schema.migrate(file.url(), "sqlite", path.toString());
        }
    }

    /**
     * The lock on the file proves that every engine before this one has ended: no lease of theirs is waited for. They did not end
     * in order, or they would have ended their leases themselves; so what they left is taken over as after a crash.
     */
    private void endEarlierLeases() throws SQLException {
        try (Session session = session(file.writer())) {
            session.execute("begin immediate");
            session.execute("update shard set expires_at = 0 where owner is not null and expires_at <> 0");
            session.execute("delete from engine");
            session.execute("delete from slot where kind = 'CONCURRENT'");
            session.execute("commit");
        }
    }

    private static Session session(Connection connection) {
        return new Session(connection, STATEMENTS, SqliteDatabase::bytes);
    }

    private static byte[] bytes(Guid guid) {
        return ByteBuffer.allocate(2 * Long.BYTES).putLong(guid.value().getMostSignificantBits())
                .putLong(guid.value().getLeastSignificantBits()).array();
    }

    @Override
    public StoreCapabilities capabilities() {
        return StoreCapabilities.FULL;
    }

    @Override
    public <T> T write(Work<T> work) {
        return writer.write(work);
    }

    @Override
    public <T> T read(Work<T> work) {
        Session session = null;
        try {
            session = reader();
            session.execute("begin");
            T result = work.run(session);
            session.execute("commit");
            giveBack(session);
            return result;
        } catch (SQLException e) {
            discard(session);
            throw SqliteErrors.before(file.path(), e);
        } catch (UncheckedSql e) {
            discard(session);
            throw SqliteErrors.before(file.path(), e.sql());
        } catch (RuntimeException e) {
            discard(session);
            throw e;
        }
    }

    private Session reader() throws SQLException {
        if (closed) {
            throw new StoreException.Unavailable(file.path() + " is closed", null);
        }
        Session idle = readers.poll();
        return idle != null ? idle : session(file.reader());
    }

    private void giveBack(Session session) {
        if (closed || !readers.offer(session)) {
            discard(session);
        }
    }

    private static void discard(@org.jspecify.annotations.Nullable Session session) {
        if (session != null) {
            try {
                session.close();
            } catch (SQLException e) {
                // It is gone either way.
            }
        }
    }

    @Override
    public Supplier<Verdict> handIn(Fence fence, Plan plan) {
        Supplier<Verdict> answer = writer.handIn(session -> run(session, fence, plan));
        return () -> {
            try {
                return answer.get();
            } catch (Refused e) {
                return e.verdict;
            }
        };
    }

    private Verdict run(Session session, Fence fence, Plan plan) throws SQLException {
        Verdict verdict;
        try {
            verdict = new SqliteCommit(session, shards, numbers, fence.shard()).run(fence, plan);
        } catch (SQLException e) {
            if (SqliteErrors.refusal(e)) {
                throw new Refused(Verdict.REFUSED);
            }
            throw e;
        }
        if (verdict != Verdict.WRITTEN) {
            throw new Refused(verdict);
        }
        return verdict;
    }

    @Override
    public Transacting.Outcome transact(Fence fence, Transacted work) throws Exception {
        SqliteTransaction transaction = new SqliteTransaction(work);
        Bundle[] bundle = new Bundle[1];
        try {
            Verdict verdict = writer.alone(session -> {
                SqliteCommit commit = new SqliteCommit(session, shards, numbers, fence.shard());
                if (!commit.holds(fence)) {
                    throw new Refused(Verdict.STALE);
                }
                bundle[0] = transaction.lend(session.connection());
                Plan plan = Transacting.plan(bundle[0]);
                Verdict written = plan.consistent() ? commit.run(fence, plan) : Verdict.REFUSED;
                if (written != Verdict.WRITTEN) {
                    throw new Refused(written);
                }
                return written;
            }, transaction);
            return new Transacting.Outcome(verdict, bundle[0]);
        } catch (Refused e) {
            return new Transacting.Outcome(e.verdict, bundle[0]);
        } catch (Transacting.Thrown e) {
            // A disk that is full or fails is not for the statements to answer for.
            throw e.exception() instanceof SQLException sql && SqliteErrors.accident(sql)
                    ? SqliteErrors.before(file.path(), sql)
                    : e.exception();
        } catch (StoreException e) {
            // An interrupted statement takes its transaction with it, which looks like an accident of the file.
            if (transaction.late() != null) {
                throw transaction.late();
            }
            throw e;
        }
    }

    @Override
    public boolean start(Session session, ShardId shard, long shardNo, Plan plan) throws SQLException {
        return new SqliteCommit(session, shards, numbers, shard).start(shardNo, plan.workflows().iterator().next());
    }

    @Override
    public void posted(List<ShardId> to) {
        to.forEach(shard -> listeners.forEach(listener -> listener.posted(shard)));
    }

    @Override
    public void freed(ShardId shard) {
        listeners.forEach(listener -> listener.freed(shard));
    }

    @Override
    public void listen(Store.Listener listener) {
        listeners.add(listener);
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        writer.close();
        readers.forEach(SqliteDatabase::discard);
        file.close();
    }
}
