package dev.pawl.engine.verify;

import dev.pawl.engine.flow.Activity;
import dev.pawl.engine.flow.Verified;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Looks an effect up in a database, by a unique key. A row says that it has happened and what it came to, no row that it has not; a row
 * that cannot be read, that it has happened. A database that cannot be asked says nothing, nor do two rows.
 *
 * <p>It must be asked where the effect is written: a replica that lags behind says too early that there is nothing. And the column must be
 * unique, so that an attempt still under way meets the next one there.
 *
 * @param <I> what the activity is given
 * @param <O> what it comes to
 */
public final class SqlVerifier<I extends @Nullable Object, O extends @Nullable Object>
        implements
        Activity.Verifier<I, O> {

    private final DataSource source;
    private final String query;
    private final Row<O> row;

    /** Makes a result of the row that was found. */
    @FunctionalInterface
    public interface Row<O extends @Nullable Object> {

        O read(ResultSet row) throws Exception;
    }

    private SqlVerifier(DataSource source, String query, Row<O> row) {
        this.source = source;
        this.query = query;
        this.row = row;
    }

    /** The query has one parameter, the key: {@code select receipt from charge where idempotency_key = ?}. */
    public static <I extends @Nullable Object, O extends @Nullable Object> SqlVerifier<I, O> of(DataSource source,
            String query, Row<O> row) {
        return new SqlVerifier<>(source, query, row);
    }

    @Override
    public Verified<O> verify(String key, I input) {
        try (Connection connection = source.getConnection();
                PreparedStatement statement = connection.prepareStatement(query)) {
            statement.setString(1, key);
            try (ResultSet found = statement.executeQuery()) {
                if (!found.next()) {
                    return new Verified.NotCompleted<>();
                }
                Verified<O> result = completed(found);
                return found.next() ? new Verified.Indeterminate<>("more than one row has this key") : result;
            }
        } catch (SQLException e) {
            return new Verified.Indeterminate<>("the database could not be asked: " + e.getClass().getSimpleName());
        }
    }

    private Verified<O> completed(ResultSet found) throws SQLException {
        try {
            return new Verified.Completed<>(row.read(found));
        } catch (SQLException e) {
            throw e;
        } catch (Exception e) {
            return new Verified.ResultUnavailable<>(
                    "there is a row, but it cannot be read: " + e.getClass().getSimpleName());
        }
    }
}
