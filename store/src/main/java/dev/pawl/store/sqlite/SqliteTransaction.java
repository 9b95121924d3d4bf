package dev.pawl.store.sqlite;

import dev.pawl.engine.store.LentConnection;
import dev.pawl.engine.store.Transacted;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.store.sql.Transacting;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConnection;

/**
 * User statements in a transaction of the writer's. They run on the caller's thread while the writer waits, and the writer waits for a
 * limited time: a file has one writer, and a body that hangs must not stop every other workflow for good.
 */
final class SqliteTransaction {

    private final Transacted work;
    private final CompletableFuture<LentConnection> turn = new CompletableFuture<>();
    private final CompletableFuture<Bundle> outcome = new CompletableFuture<>();
    private @Nullable Thread body;
    private volatile @Nullable SQLTimeoutException late;

    SqliteTransaction(Transacted work) {
        this.work = work;
    }

    /** Lends the connection to the caller's thread and waits for the statements. For the writer. */
    Bundle lend(Connection connection) throws SQLException {
        LentConnection lent = new LentConnection(connection);
        turn.complete(lent);
        try {
            return outcome.get(work.longest().toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new Transacting.Thrown(stop(lent, connection));
        } catch (ExecutionException e) {
            throw new Transacting.Thrown(e.getCause() instanceof Exception cause ? cause : e);
        } catch (InterruptedException e) {
            lent.refuse("the store is being closed");
            Thread.currentThread().interrupt();
            throw new Transacting.Thrown(e);
        } finally {
            lent.end();
        }
    }

    private SQLTimeoutException stop(LentConnection lent, Connection connection) throws SQLException {
        Duration longest = work.longest();
        String why = "the statements were stopped after " + longest
                + " and rolled back: a SQLite file has one writer, and every other workflow waits meanwhile. Do slow work"
                + " before the transaction, or set a longer transactionTimeout";
        SQLTimeoutException timeout = new SQLTimeoutException(why);
        late = timeout;
        lent.refuse(why);
        connection.unwrap(SQLiteConnection.class).getDatabase().interrupt();
        interruptBody();
        return timeout;
    }

    private synchronized void interruptBody() {
        if (body != null) {
            body.interrupt();
        }
    }

    /** Waits for the writer and runs the statements. On the caller's thread. */
    void run() {
        LentConnection lent;
        try {
            lent = turn.join();
        } catch (CompletionException e) {
            return;
        }
        begin();
        try {
            outcome.complete(work.run(lent.connection()));
        } catch (Throwable e) {
            outcome.completeExceptionally(e);
        } finally {
            end();
        }
    }

    private synchronized void begin() {
        body = Thread.currentThread();
    }

    /** The interrupt was meant for the statements, not for what this thread does next. */
    private synchronized void end() {
        body = null;
        if (late != null) {
            Thread.interrupted();
        }
    }

    /** The writer has answered: if it never lent its connection, the statements do not run. */
    void answered() {
        turn.completeExceptionally(new IllegalStateException("the writer has answered before it lent its connection"));
    }

    /** Why the statements were stopped; null if they were not. */
    @Nullable SQLTimeoutException late() {
        return late;
    }
}
