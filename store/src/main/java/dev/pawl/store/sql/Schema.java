package dev.pawl.store.sql;

import dev.pawl.engine.EngineSettings;
import dev.pawl.engine.store.StoreException;
import java.sql.SQLException;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.configuration.FluentConfiguration;

/**
 * Brings a database to the tables this version knows, and refuses one that is beyond them. Tables and columns that a newer
 * version added are ignored, unless that version has written down that engines like this one must stay away.
 */
public final class Schema {

    private static final String HISTORY = "pawl_history";

    /** The number of the last migration. */
    static final int VERSION = 8;

    private Schema() {
    }

    /** Whether the tables are already what this version knows, or more: then Flyway, which takes its time, is not asked. */
    public static boolean upToDate(Session session) {
        try {
            Integer version = session.first("schema_version", row -> row.getInt(1));
            return version != null && version >= VERSION;
        } catch (SQLException e) {
            // There is no history yet; if it is anything else, Flyway will meet it again and say so.
            return false;
        }
    }

    /** For a database that is named by its URL and needs no user. */
    public static void migrate(String url, String dialect, String what) {
        migrate(Flyway.configure().dataSource(url, null, null), dialect, what);
    }

    public static void migrate(FluentConfiguration flyway, String dialect, String what) {
        try {
            flyway.locations("classpath:dev/pawl/store/migration/" + dialect)
                    .table(HISTORY)
                    .baselineOnMigrate(true)
                    .baselineVersion("0")
                    // A newer version may have added to it; whether that shuts us out is for store_format to say.
                    .ignoreMigrationPatterns("*:future")
                    .loggers(Quiet.class.getName())
                    .load()
                    .migrate();
        } catch (FlywayException e) {
            throw new StoreException.Unavailable("the tables of " + what + " cannot be created or brought up to date: "
                    + e.getMessage(), e);
        }
    }

    /** Refuses a database whose writer has said that engines of this format must not touch it. */
    public static void requireReadable(Session session, String what) throws SQLException {
        Integer oldest = session.first("engine_format_min", row -> row.getInt(1));
        if (oldest == null || oldest > EngineSettings.FORMAT) {
            throw new StoreException.Unavailable(
                    what + " was written by a newer version, for engines of format " + oldest
                            + " on; this one has format " + EngineSettings.FORMAT + ". Use that version or a later one",
                    null);
        }
    }
}
