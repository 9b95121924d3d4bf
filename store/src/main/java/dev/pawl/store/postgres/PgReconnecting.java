package dev.pawl.store.postgres;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Logger;
import javax.sql.DataSource;

/**
 * Connects again soon after a server that was away is back. A pool by itself waits longer after each failure, up to five seconds: so much
 * longer would leases and callers wait than the server needs to restart. Safe for use by many threads.
 */
final class PgReconnecting implements DataSource {

    private static final long PAUSE_NANOS = Duration.ofMillis(100).toNanos();
    private static final int ATTEMPTS_MAX = 100;

    private final DataSource source;
    private volatile boolean opened;

    PgReconnecting(DataSource source) {
        this.source = source;
    }

    /** There was a connection once. Until then every failure is for the caller that opens the store. */
    void opened() {
        opened = true;
    }

    private interface Connecting {

        Connection connect() throws SQLException;
    }

    private Connection connect(Connecting connecting) throws SQLException {
        for (int attempt = 1;; attempt++) {
            try {
                return connecting.connect();
            } catch (SQLException e) {
                if (!opened || attempt == ATTEMPTS_MAX || !PgErrors.away(e) || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    @Override
    public Connection getConnection() throws SQLException {
        return connect(source::getConnection);
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        return connect(() -> source.getConnection(user, password));
    }

    @Override
    public PrintWriter getLogWriter() throws SQLException {
        return source.getLogWriter();
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
        source.setLogWriter(out);
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        source.setLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return source.getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        return source.getParentLogger();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return source.unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return source.isWrapperFor(type);
    }
}
