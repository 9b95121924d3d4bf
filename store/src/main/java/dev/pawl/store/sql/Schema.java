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

    /** The numbers of the first and the last migration. What is below had other tables and was never released. */
    static final int OLDEST = 10;
    static final int VERSION = 10;

    private Schema() {
    }

    /** The number of the last migration that has run; 0 if none has. */
    public static int version(Session session) {
        try {
            Integer version = session.first("schema_version", row -> row.getInt(1));
            return version == null ? 0 : version;
        } catch (SQLException e) {
            // There is no history yet; if it is anything else, Flyway will meet it again and say so.
            return 0;
        }
    }

    /**
     * Whether the tables are already what this version knows, or more: then Flyway, which takes its time, is not asked. A database of the
     * time before the journal is refused, before anything is written to it.
     */
    public static boolean upToDate(int version, String what) {
        if (version > 0 && version < OLDEST) {
            throw new StoreException.Unavailable(what
                    + " was written by a preliminary version of Pawl, whose tables (version "
                    + version
                    + ") this one cannot read; nothing was written to it. Use a new database, and let the earlier"
                    + " version finish the workflows of this one", null);
        }
        return version >= VERSION;
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
