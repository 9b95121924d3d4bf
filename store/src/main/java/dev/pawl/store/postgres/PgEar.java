package dev.pawl.store.postgres;

import dev.pawl.engine.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * Listens on a connection of its own, and on another one when that is lost. Where listening is impossible, behind some poolers
 * say, nothing is heard and nobody is bothered: the engine looks for itself every second.
 */
final class PgEar {

    /** Also how long a close may take: a socket cannot be woken otherwise. */
    private static final int LISTEN_MILLIS = 100;
    /** After so many silent rounds the connection is asked whether it is still there. */
    private static final int SILENCE_MAX = 100;
    private static final int VALID_SECONDS = 5;
    private static final long BACK_OFF_MIN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long BACK_OFF_MAX_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final PgConnections connections;
    private final String channel;
    private final Consumer<String> heard;
    private final Thread thread;
    private long backOff = BACK_OFF_MIN_NANOS;
    private volatile boolean ended;

    PgEar(PgConnections connections, String channel, Consumer<String> heard) {
        this.connections = connections;
        this.channel = channel;
        this.heard = heard;
        this.thread = Thread.ofPlatform().name("pawl-postgres-ear").daemon().start(this::run);
    }

    private void run() {
        while (!ended) {
            try {
                connections.borrow(connection -> {
                    listen(connection);
                    return true;
                });
            } catch (SQLException | StoreException e) {
                LockSupport.parkNanos(backOff);
                backOff = Math.min(2 * backOff, BACK_OFF_MAX_NANOS);
            }
        }
    }

    private void listen(Connection connection) throws SQLException {
        PGConnection server = connection.unwrap(PGConnection.class);
        connection.setAutoCommit(true);
        PgConnections.execute(connection, "listen " + channel);
        backOff = BACK_OFF_MIN_NANOS;
        int silence = 0;
        while (!ended) {
            PGNotification[] notifications = server.getNotifications(LISTEN_MILLIS);
            if (notifications != null && notifications.length > 0) {
                silence = 0;
                for (PGNotification notification : notifications) {
                    hear(notification.getParameter());
                }
            } else if (++silence == SILENCE_MAX) {
                silence = 0;
                if (!connection.isValid(VALID_SECONDS)) {
                    throw new SQLException("the connection is gone", "08006");
                }
            }
        }
        PgConnections.execute(connection, "unlisten " + channel);
    }

    private void hear(String said) {
        try {
            heard.accept(said);
        } catch (RuntimeException e) {
            // Not a word of ours, or a listener that failed: neither may end the listening for the others.
        }
    }

    /** Asks the thread to end; it does so within a moment. */
    Thread end() {
        ended = true;
        LockSupport.unpark(thread);
        return thread;
    }
}
