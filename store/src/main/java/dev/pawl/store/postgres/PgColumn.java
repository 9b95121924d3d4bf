package dev.pawl.store.postgres;

import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.Hash;
import dev.pawl.kernel.message.Payload;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One column of a part's rows, as the server takes it: an array with an element for each row. */
final class PgColumn {

    private final List<@Nullable Object> values = new ArrayList<>();

    static PgColumn of(@Nullable Object value) {
        PgColumn column = new PgColumn();
        column.add(value);
        return column;
    }

    void add(@Nullable Object value) {
        values.add(switch (value) {
            case null -> null;
            case Guid guid -> guid.value();
            case Hash hash -> hash.bytes();
            case Payload payload -> payload.bytes();
            default -> value;
        });
    }

    boolean isEmpty() {
        return values.isEmpty();
    }

    /** Binds the one value there is. */
    void bind(PreparedStatement statement, int index) throws SQLException {
        Object value = values.getFirst();
        if (value == null) {
            statement.setNull(index, Types.NULL);
        } else {
            statement.setObject(index, value);
        }
    }

    Array array(Connection connection, String type) throws SQLException {
        return connection.createArrayOf(type, elements(type));
    }

    /** Of the very class that the driver sends in binary form; of a list of objects it would make text. */
    private @Nullable Object[] elements(String type) {
        @Nullable Object[] empty = switch (type) {
            case "text" -> new @Nullable String[0];
            case "bigint" -> new @Nullable Long[0];
            case "integer" -> new @Nullable Integer[0];
            case "boolean" -> new @Nullable Boolean[0];
            case "bytea" -> new byte @Nullable [0][];
            case "uuid" -> new @Nullable UUID[0];
            default -> throw new IllegalStateException("no arrays of type " + type);
        };
        return values.toArray(empty);
    }
}
