package dev.pawl.store.postgres;

import dev.pawl.engine.store.Fence;
import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.StoreCapabilities;
import dev.pawl.engine.store.StoreException;
import dev.pawl.engine.store.Transacted;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.id.Guid;
import dev.pawl.store.plan.Plan;
import dev.pawl.store.plan.WorkflowPlan;
import dev.pawl.store.sql.Database;
import dev.pawl.store.sql.Schema;
import dev.pawl.store.sql.Session;
import dev.pawl.store.sql.Shards;
import dev.pawl.store.sql.Statements;
import dev.pawl.store.sql.Transacting;
import dev.pawl.store.sql.UncheckedSql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.flywaydb.core.Flyway;

/** One schema of a server: its transactions, its commits, and whoever wants to hear of what is posted. */
final class PgDatabase implements Database {

    private static final Statements STATEMENTS = Statements.of("/dev/pawl/store/postgres.sql");

    /** Two transactions in each other's way: after so many meetings the caller hears of it. */
    private static final int ATTEMPTS_MAX = 8;
    private static final long PAUSE_NANOS = 2_000_000;
    private static final int VALID_SECONDS_MAX = 5;

    private final PgConnections connections;
    private final Shards shards;
    private final Map<Set<PgPart.Group>, PgStatement> commits = new ConcurrentHashMap<>();
    private final PgNumbers numbers = new PgNumbers();
    private final PgGroup group = new PgGroup(this::commit);
    private final PgBell bell;
    private volatile boolean closed;

    PgDatabase(PgConnections connections, Shards shards) {
        this.connections = connections;
        this.shards = shards;
        try {
            migrate();
            read(session -> {
                Schema.requireReadable(session, connections.what());
                return true;
            });
        } catch (RuntimeException e) {
            connections.close();
            throw e;
        }
        this.bell = new PgBell(connections);
    }

    private void migrate() {
        if (Schema.upToDate(version(), connections.what())) {
            return;
        }
        try {
            Schema.migrate(Flyway.configure().dataSource(connections.source()).defaultSchema(connections.schema())
                    .schemas(connections.schema()), "postgres", connections.what());
        } catch (StoreException.Unavailable e) {
            SQLException cause = PgErrors.cause(e);
            throw cause == null ? e : PgErrors.before(connections.what(), cause);
        }
    }

    private int version() {
        try {
            return readOne(Schema::version);
        } catch (StoreException e) {
            // In a schema without tables a transaction ends like this; if it is anything else, Flyway meets it again.
            return 0;
        }
    }

    @Override
    public StoreCapabilities capabilities() {
        return StoreCapabilities.FULL;
    }

    private static Session session(Connection connection) {
        return new Session(connection, STATEMENTS, Guid::value);
    }

    @Override
    public <T> T read(Work<T> work) {
        return reading(connection -> {
            connections.beginRead(connection);
            T result = run(work, connection);
            connection.commit();
            return result;
        });
    }

    @Override
    public <T> T readOne(Work<T> work) {
        return connections.ours() ? reading(connection -> run(work, connection)) : read(work);
    }

    private <T> T reading(PgConnections.Errand<T> errand) {
        requireOpen();
        try {
            return connections.borrow(errand);
        } catch (SQLException e) {
            throw PgErrors.before(connections.what(), e);
        }
    }

    private static <T> T run(Work<T> work, Connection connection) throws SQLException {
        try {
            return work.run(session(connection));
        } catch (UncheckedSql e) {
            throw e.sql();
        }
    }

    private void requireOpen() {
        if (closed) {
            throw connections.closed();
        }
    }

    /** An error of the commit itself, after which it may have been written. */
    private static final class CommitFailed extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final SQLException sql;

        CommitFailed(SQLException sql) {
            super(sql);
            this.sql = sql;
        }
    }

    @Override
    public <T> T write(Work<T> work) {
        return repeated(connection -> {
            connections.beginWrite(connection);
            T result = run(work, connection);
            try {
                connection.commit();
            } catch (SQLException e) {
                throw new CommitFailed(e);
            }
            return result;
        });
    }

    /** Runs it again for as long as others are in the way, within reason. */
    private <T> T repeated(PgConnections.Errand<T> errand) {
        for (int attempt = 1;; attempt++) {
            requireOpen();
            try {
                return connections.borrow(errand);
            } catch (CommitFailed e) {
                throw PgErrors.during(connections.what(), e.sql);
            } catch (SQLException e) {
                if (PgErrors.tooLong(e)) {
                    throw new IllegalArgumentException(
                            "a name or an id is too long to be kept; make it shorter than 2,000"
                                    + " bytes",
                            e);
                }
                if (attempt == ATTEMPTS_MAX || !(PgErrors.passes(e) || PgErrors.overtaken(e))) {
                    throw PgErrors.before(connections.what(), e);
                }
            }
            LockSupport.parkNanos(attempt * PAUSE_NANOS);
        }
    }

    @Override
    public Supplier<Verdict> handIn(Fence fence, Plan plan) {
        requireOpen();
        PgBatch.Piece piece;
        try {
            piece = new PgCommit(shards, numbers, fence.shard(), this::write).prepare(fence.epoch(), plan);
        } catch (SQLException e) {
            throw PgErrors.before(connections.what(), e);
        }
        return piece == null ? () -> Verdict.REFUSED : group.handIn(piece);
    }

    private Verdict commit(List<PgBatch.Piece> pieces) {
        Verdict verdict = written(pieces);
        remember(pieces, verdict);
        return verdict;
    }

    /** The numbers of what was created are known from now on; of what was refused one may be out of date. */
    private void remember(List<PgBatch.Piece> pieces, Verdict verdict) {
        for (PgBatch.Piece piece : pieces) {
            Iterator<PgNumbers.Place> places = piece.places().iterator();
            for (WorkflowPlan workflow : piece.plan().workflows()) {
                PgNumbers.Place place = places.next();
                if (verdict == Verdict.REFUSED) {
                    numbers.forget(workflow.key);
                } else if (verdict == Verdict.WRITTEN && workflow.created != null) {
                    numbers.located(workflow.key, place);
                }
            }
        }
    }

    private Verdict written(List<PgBatch.Piece> pieces) {
        return repeated(connection -> {
            connection.setAutoCommit(true);
            try {
                return PgCommit.run(this::assembled, connection, pieces);
            } catch (SQLException e) {
                if (PgErrors.refusal(e)) {
                    return Verdict.REFUSED;
                }
                if (PgErrors.passes(e)) {
                    throw e;
                }
                throw new CommitFailed(e);
            }
        });
    }

    @Override
    public Transacting.Outcome transact(Fence fence, Transacted work) throws Exception {
        requireOpen();
        try {
            return connections.borrow(connection -> {
                connections.beginWrite(connection);
                Session session = session(connection);
                ShardId shard = fence.shard();
                // Held until the end: nobody takes the shard while the statements run.
                if (session.first("hold_fence", row -> true, shard.namespace(), shard.group(), shard.number(),
                        fence.epoch()) == null) {
                    return new Transacting.Outcome(Verdict.STALE, null);
                }
                connections.leaveToOthers(connection, work.longest());
                Bundle bundle = statements(work, connection);
                connections.takeBack(connection);
                Verdict verdict = finish(fence, Transacting.plan(bundle), session);
                if (verdict != Verdict.WRITTEN) {
                    // Not left to whoever takes the connection back: it would be committed there, without its digit.
                    connection.rollback();
                }
                return new Transacting.Outcome(verdict, bundle);
            });
        } catch (Transacting.Thrown e) {
            throw e.exception();
        } catch (CommitFailed e) {
            throw PgErrors.during(connections.what(), e.sql);
        } catch (SQLException e) {
            throw PgErrors.before(connections.what(), e);
        }
    }

    /** If the connection has broken, it is not for the statements to answer for it. */
    private static Bundle statements(Transacted work, Connection connection) throws SQLException {
        try {
            return Transacting.run(work, connection);
        } catch (Transacting.Thrown e) {
            SQLException sql = PgErrors.cause(e);
            if (connection.isValid(VALID_SECONDS_MAX) || (sql != null && PgErrors.idle(sql))) {
                throw e;
            }
            throw new SQLException("the connection was lost during a transaction", "08006", e.exception());
        }
    }

    private Verdict finish(Fence fence, Plan plan, Session session) throws SQLException {
        PgCommit commit = new PgCommit(shards, numbers, fence.shard(), new InTransaction(session)::run);
        PgBatch.Piece piece = plan.consistent() ? commit.prepare(fence.epoch(), plan) : null;
        Verdict verdict;
        try {
            verdict = piece == null ? Verdict.REFUSED
                    : PgCommit.run(this::assembled, session.connection(), List.of(piece));
        } catch (SQLException e) {
            if (!PgErrors.refusal(e)) {
                throw e;
            }
            verdict = Verdict.REFUSED;
        }
        if (piece != null && verdict == Verdict.REFUSED) {
            remember(List.of(piece), verdict);
        }
        if (verdict == Verdict.WRITTEN) {
            try {
                session.connection().commit();
            } catch (SQLException e) {
                throw new CommitFailed(e);
            }
        }
        return verdict;
    }

    private PgStatement assembled(Set<PgPart.Group> groups) {
        return commits.computeIfAbsent(groups, key -> PgStatement.of(STATEMENTS, connections.aheadOfCommit(), key));
    }

    /** Works in a transaction that is open already. */
    private record InTransaction(Session session) {

        <T> T run(Work<T> work) throws SQLException {
            return work.run(session);
        }
    }

    @Override
    public boolean start(Session session, ShardId shard, long shardNo, Plan plan) throws SQLException {
        PgBatch.Piece piece = new PgCommit(shards, numbers, shard, new InTransaction(session)::run).prepareStart(plan);
        // Its id may have been that of another one. Where it is, is known when that is durable.
        plan.workflows().forEach(workflow -> numbers.forget(workflow.key));
        // If it is overtaken by another start the whole transaction runs again, and finds what is there.
        return piece != null
                && PgCommit.run(this::assembled, session.connection(), List.of(piece)) == Verdict.WRITTEN;
    }

    @Override
    public void posted(List<ShardId> to) {
        bell.ring(to);
    }

    @Override
    public void freed(ShardId shard) {
        bell.freed(shard);
    }

    @Override
    public void listen(Store.Listener listener) {
        bell.listen(listener);
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        bell.close();
        connections.close();
    }
}
