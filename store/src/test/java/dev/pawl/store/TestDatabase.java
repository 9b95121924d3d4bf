package dev.pawl.store;

import dev.pawl.engine.store.Store;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.flywaydb.core.api.configuration.FluentConfiguration;

/** A database of a test's own, empty at first: opened as a store as often as the test likes, and looked at from behind. */
public interface TestDatabase extends AutoCloseable {

    /** What its migrations, its statements and its queries in docs/SCHEMA.md are called. */
    String dialect();

    Store open();

    /** Beside the store, to see and to do what no store would. */
    Connection connection() throws SQLException;

    /** For migrations that this version does not have. */
    FluentConfiguration flyway();

    @Override
    void close();

    /** Runs one statement, whatever it is. */
    default void execute(String sql) {
        try (Connection connection = connection(); Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    /** The rows of a query, each as text, value by value. */
    default List<String> rows(String sql) {
        try (Connection connection = connection();
                Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(sql)) {
            List<String> rows = new ArrayList<>();
            while (found.next()) {
                List<String> row = new ArrayList<>();
                for (int i = 1; i <= found.getMetaData().getColumnCount(); i++) {
                    row.add(found.getString(i));
                }
                rows.add(String.join("|", row));
            }
            return rows;
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    default long count(String sql) {
        return Long.parseLong(rows(sql).getFirst());
    }

    /** The tables, and the columns of each, as the database lists them; without the history of the migrations. */
    default Map<String, List<String>> schema() {
        try (Connection connection = connection();
                ResultSet views = connection.getMetaData().getTables(null, connection.getSchema(), "%",
                        new String[] {"VIEW"});
                ResultSet found = connection.getMetaData().getColumns(null, connection.getSchema(), "%", "%")) {
            Map<String, List<String>> columns = new TreeMap<>();
            while (found.next()) {
                columns.computeIfAbsent(found.getString("TABLE_NAME"), table -> new ArrayList<>())
                        .add(found.getString("COLUMN_NAME"));
            }
            columns.keySet().removeIf(table -> table.startsWith("sqlite_") || table.equals("pawl_history"));
            while (views.next()) {
                columns.remove(views.getString("TABLE_NAME"));
            }
            return columns;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
