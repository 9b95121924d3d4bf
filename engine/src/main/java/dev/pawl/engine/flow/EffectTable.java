package dev.pawl.engine.flow;

import dev.pawl.engine.PawlException;
import dev.pawl.engine.store.LentConnection;
import dev.pawl.kernel.id.InvocationKey;
import dev.pawl.kernel.message.Payload;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The table of an application's own database that says which effects it has. A row is written in the transaction of the effect, so one is
 * never there without the other; the key lets a second one, of a zombie say, not through. The table is created when it is missed, by
 * whoever misses it first; an application whose user may not create tables creates it beforehand.
 */
final class EffectTable {

    private static final int KEY_LENGTH_MAX = 700;
    private static final String DDL = "create table if not exists pawl_effect (effect_key varchar(" + KEY_LENGTH_MAX
            + ") not null primary key, result text)";

    /** No JSON begins so. */
    private static final String BASE64 = "base64:";
    /** How often a transaction is repeated that the database has refused because of another one. */
    private static final int CONFLICTS_MAX = 20;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final DataSource source;

    /** It is not there, and cannot be made. */
    static final class Missing extends PawlException {

        private static final long serialVersionUID = 1L;

        Missing(SQLException cause) {
            super("EffectTableMissing", "the table pawl_effect is not in this database and cannot be created ("
                    + cause.getMessage() + "); let somebody who may do so run: " + DDL, cause);
        }
    }

    EffectTable(DataSource source) {
        this.source = source;
    }

    /**
     * Runs the body, unless it has run before under this key; returns what it came to then. What the database has rolled back for the sake
     * of another transaction has not happened: it is repeated, and is no failure of the body.
     */
    <T extends @Nullable Object> T once(String key, Codec codec, Function<Payload, T> reading,
            FlowContext.Transactional<T> body) throws Exception {
        String stored = key.length() <= KEY_LENGTH_MAX ? key : InvocationKey.digest(key);
        for (int conflicts = 1;; conflicts++) {
            try {
                return transact(stored, codec, reading, body);
            } catch (SQLException e) {
                if (conflicts > CONFLICTS_MAX || !conflict(e) || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                LockSupport.parkNanos(conflicts * PAUSE_NANOS);
            }
        }
    }

    /** A deadlock or a serialization failure; on SQLite, which has no states, a lock that was not free in time. */
    private static boolean conflict(SQLException e) {
        String state = e.getSQLState();
        String message = e.getMessage();
        return (state != null && state.startsWith("40")) || (message != null && message.startsWith("[SQLITE_BUSY"));
    }

    @SuppressWarnings("NullAway") // Null is a result like any other.
    private <T extends @Nullable Object> T transact(String stored, Codec codec, Function<Payload, T> reading,
            FlowContext.Transactional<T> body) throws Exception {
        try (Connection connection = source.getConnection()) {
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(false);
            try {
                Payload known = known(connection, stored);
                T result = known != null ? reading.apply(known) : run(connection, stored, codec, body);
                connection.commit();
                return result;
            } catch (Throwable e) {
                rollBack(connection, e);
                throw e;
            } finally {
                connection.setAutoCommit(autoCommit);
            }
        }
    }

    private static <T extends @Nullable Object> T run(Connection connection, String key, Codec codec,
            FlowContext.Transactional<T> body) throws Exception {
        // First: whoever comes second waits here, and fails, before its statements have run.
        insert(connection, key);
        LentConnection lent = new LentConnection(connection);
        T result;
        try {
            result = body.run(lent.connection());
        } finally {
            lent.end();
        }
        record(connection, key, codec.encode(result));
        return result;
    }

    private static void rollBack(Connection connection, Throwable why) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            why.addSuppressed(e);
        }
    }

    /** What is recorded under a key; null if nothing is. */
    private static @Nullable Payload known(Connection connection, String key) throws SQLException {
        try {
            lock(connection);
            return find(connection, key);
        } catch (SQLException missing) {
            if (conflict(missing)) {
                throw missing;
            }
            rollBack(connection, missing);
            create(connection, missing);
            return find(connection, key);
        }
    }

    /** On SQLite who has read and then writes is refused if another one has written in between; who writes first only waits. */
    private static void lock(Connection connection) throws SQLException {
        if (connection.getMetaData().getDatabaseProductName().equals("SQLite")) {
            try (Statement statement = connection.createStatement()) {
                statement.executeUpdate("delete from pawl_effect where effect_key = ''");
            }
        }
    }

    /** Two who miss it at once both try, and one of them may be told that it is there by now. */
    private static void create(Connection connection, SQLException missing) {
        try (Statement statement = connection.createStatement()) {
            statement.execute(DDL);
            connection.commit();
        } catch (SQLException e) {
            rollBack(connection, e);
            if (!exists(connection)) {
                e.addSuppressed(missing);
                throw new Missing(e);
            }
        }
    }

    private static boolean exists(Connection connection) {
        try {
            find(connection, "");
            return true;
        } catch (SQLException e) {
            rollBack(connection, e);
            return false;
        }
    }

    private static @Nullable Payload find(Connection connection, String key) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("select result from pawl_effect where effect_key = ?")) {
            statement.setString(1, key);
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    return null;
                }
                String result = row.getString(1);
                return result == null ? Payload.EMPTY : payload(result);
            }
        }
    }

    /** JSON as it is; what a codec has encrypted in base64. */
    private static String text(Payload result) {
        return Header.canonical(result) != null ? FlowRuntime.utf8(result)
                : BASE64 + Base64.getEncoder().encodeToString(result.bytes());
    }

    private static Payload payload(String text) {
        return text.startsWith(BASE64)
                ? Payload.of(Base64.getDecoder().decode(text.substring(BASE64.length())))
                : Payload.of(text.getBytes(StandardCharsets.UTF_8));
    }

    private static void insert(Connection connection, String key) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("insert into pawl_effect (effect_key) values (?)")) {
            statement.setString(1, key);
            statement.executeUpdate();
        }
    }

    private static void record(Connection connection, String key, Payload result) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("update pawl_effect set result = ? where effect_key = ?")) {
            statement.setString(1, text(result));
            statement.setString(2, key);
            statement.executeUpdate();
        }
    }
}
