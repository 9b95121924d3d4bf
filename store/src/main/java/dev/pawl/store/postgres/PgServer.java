package dev.pawl.store.postgres;

import dev.pawl.engine.store.StoreException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

/**
 * What a server said of itself when the store was opened. One whose settings break our promises is refused: after a crash it
 * would have lost what it had acknowledged, or worse.
 *
 * @param engine a name for this store among all that use the server, now or ever
 */
record PgServer(String url, String engine) {

    private static final int VERSION_MIN = 130_000;

    static PgServer of(Connection connection, String what) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select current_setting('server_version_num')::integer,"
                        + " current_setting('server_version'), current_setting('fsync'),"
                        + " current_setting('full_page_writes'), pg_backend_pid() || '-'"
                        + " || (extract(epoch from clock_timestamp()) * 1000000)::bigint")) {
            row.next();
            if (row.getInt(1) < VERSION_MIN) {
                throw new StoreException.Unavailable(
                        what + " is version " + row.getString(2) + "; version 13 or later is needed", null);
            }
            requireOn(what, "fsync", row.getString(3));
            requireOn(what, "full_page_writes", row.getString(4));
            return new PgServer(connection.getMetaData().getURL(), row.getString(5));
        }
    }

    private static void requireOn(String what, String setting, String value) {
        if (!value.equals("on")) {
            throw new StoreException.Unavailable(what + " runs with " + setting + " = " + value
                    + ": a crash could destroy it. Set it to on in postgresql.conf", null);
        }
    }

    /** Host, port and database of a URL, and nothing else: its parameters may hold a password. */
    static String describe(@Nullable String url, String schema) {
        Properties parsed = url == null ? null : Driver.parseURL(url, new Properties());
        if (parsed == null) {
            return "PostgreSQL, schema " + schema;
        }
        return "PostgreSQL at " + PGProperty.PG_HOST.getOrDefault(parsed) + ":"
                + PGProperty.PG_PORT.getOrDefault(parsed)
                + ", database " + PGProperty.PG_DBNAME.getOrDefault(parsed) + ", schema " + schema;
    }
}
