package dev.pawl.store.sql;

import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.Hash;
import dev.pawl.kernel.message.Payload;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One connection and its prepared statements, by the names they have in the SQL file. Not thread-safe. */
public final class Session implements AutoCloseable {

    private final Connection connection;
    private final Statements statements;
    private final Function<Guid, Object> guids;
    private final Map<String, PreparedStatement> prepared = new HashMap<>();

    /** Makes something of one row. */
    @FunctionalInterface
    public interface Row<T> {

        T read(ResultSet row) throws SQLException;
    }

    /**
     * A session on a connection.
     *
     * @param guids how this database takes a GUID
     */
    public Session(Connection connection, Statements statements, Function<Guid, Object> guids) {
        this.connection = connection;
        this.statements = statements;
        this.guids = guids;
    }

    public Connection connection() {
        return connection;
    }

    /** Runs a statement that writes; returns how many rows it touched. */
    public int update(String name, @Nullable Object... parameters) throws SQLException {
        return bound(name, parameters).executeUpdate();
    }

    /** Runs a statement that answers with rows. */
    public <T> List<T> query(String name, Row<T> row, @Nullable Object... parameters) throws SQLException {
        List<T> rows = new ArrayList<>();
        try (ResultSet found = bound(name, parameters).executeQuery()) {
            while (found.next()) {
                rows.add(row.read(found));
            }
        }
        return rows;
    }

    /** The first row of an answer, or null if there is none. */
    public <T> @Nullable T first(String name, Row<T> row, @Nullable Object... parameters) throws SQLException {
        try (ResultSet found = bound(name, parameters).executeQuery()) {
            return found.next() ? row.read(found) : null;
        }
    }

    /** Runs a command that has no parameters, such as the ones that begin and end transactions; its rows are not looked at. */
    public void execute(String sql) throws SQLException {
        PreparedStatement command = prepared.get(sql);
        if (command == null) {
            command = connection.prepareStatement(sql);
            prepared.put(sql, command);
        }
        if (command.execute()) {
            // An answer left open would keep the connection in the middle of a statement.
            command.getResultSet().close();
        }
    }

    private PreparedStatement bound(String name, @Nullable Object[] parameters) throws SQLException {
        Statements.Statement statement = statements.get(name);
        PreparedStatement bound = prepared.get(name);
        if (bound == null) {
            bound = connection.prepareStatement(statement.sql());
            prepared.put(name, bound);
        }
        List<Integer> order = statement.order();
        for (int i = 0; i < order.size(); i++) {
            bind(bound, i + 1, parameters[order.get(i) - 1]);
        }
        return bound;
    }

    private void bind(PreparedStatement statement, int index, @Nullable Object value) throws SQLException {
        switch (value) {
            case null -> statement.setNull(index, Types.NULL);
            case String text -> statement.setString(index, text);
            case Long number -> statement.setLong(index, number);
            case Integer number -> statement.setInt(index, number);
            case byte[] bytes -> statement.setBytes(index, bytes);
            case Guid guid -> bind(statement, index, guids.apply(guid));
            case Payload payload -> statement.setBytes(index, payload.bytes());
            case Hash hash -> statement.setBytes(index, hash.bytes());
            default -> statement.setObject(index, value);
        }
    }

    @Override
    public void close() throws SQLException {
        prepared.clear();
        connection.close();
    }
}
