package dev.pawl.engine.flow;

import dev.pawl.kernel.message.Payload;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The table of an application's own database that says which effects it has. A row is written in the transaction of the effect, so one is
 * never there without the other; the key lets a second one, of a zombie say, not through.
 */
final class EffectTable {

    private final DataSource source;

    EffectTable(DataSource source) {
        this.source = source;
    }

    /** Runs the body, unless it has run before under this key; returns what it came to then. */
    @SuppressWarnings("NullAway") // Null is a result like any other.
    <T extends @Nullable Object> T once(String key, Codec codec, Type type, FlowContext.Transactional<T> body)
            throws Exception {
        try (Connection connection = source.getConnection()) {
            create(connection);
            Payload known = find(connection, key);
            if (known != null) {
                return codec.<T>decode(known, type);
            }
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(false);
            try {
                // First: whoever comes second waits here, and fails, before its statements have run.
                insert(connection, key);
                T result = body.run(connection);
                record(connection, key, codec.encode(result));
                connection.commit();
                return result;
            } catch (Throwable e) {
                connection.rollback();
                throw e;
            } finally {
                connection.setAutoCommit(autoCommit);
            }
        }
    }

    private static void create(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("create table if not exists pawl_effect ("
                    + "effect_key varchar(700) not null primary key, result text)");
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
                return result == null ? Payload.EMPTY : Payload.of(result.getBytes(StandardCharsets.UTF_8));
            }
        }
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
            statement.setString(1, FlowRuntime.utf8(result));
            statement.setString(2, key);
            statement.executeUpdate();
        }
    }
}
