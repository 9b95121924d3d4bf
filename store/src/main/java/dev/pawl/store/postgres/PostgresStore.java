package dev.pawl.store.postgres;

import dev.pawl.store.sql.Shards;
import dev.pawl.store.sql.SqlStore;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/**
 * A store in a schema of a PostgreSQL server, version 13 or later, for any number of engines at once. Everything that is
 * written is synced before a call returns, whatever the server's default for {@code synchronous_commit}. Needs the libraries that
 * {@code dev.pawl:pawl-postgres} brings.
 */
public final class PostgresStore extends SqlStore {

    private PostgresStore(PgDatabase database, Shards shards) {
        super(database, shards);
    }

    /**
     * How a store is opened.
     *
     * @param schema where its tables are; created if it is not there
     * @param connections how many a pool of our own has at most; a data source with a pool of its own is left alone
     */
    public record Options(String schema, int connections) {

        private static final Pattern SCHEMA = Pattern.compile("[a-z_][a-z0-9_]{0,47}");

        /** The schema {@code pawl}, and two connections for each core: more of them only wait for one another. */
        public static final Options STANDARD = new Options("pawl",
                Math.max(4, 2 * Runtime.getRuntime().availableProcessors()));

        public Options {
            if (!SCHEMA.matcher(schema).matches() || schema.startsWith("pg_")) {
                throw new IllegalArgumentException(
                        "a schema is called by 1 to 48 characters of a-z 0-9 _, not beginning"
                                + " with a digit or pg_, but not '" + schema + "'");
            }
            if (connections < 2) {
                throw new IllegalArgumentException("a store needs 2 connections at least, not " + connections);
            }
        }

        public Options inSchema(String name) {
            return new Options(name, connections);
        }

        public Options withConnections(int max) {
            return new Options(schema, max);
        }
    }

    public static PostgresStore open(DataSource source) {
        return open(source, Options.STANDARD);
    }

    /**
     * Opens a store on connections of the user's: each is borrowed for one call and given back as it came, except for one on
     * which the store listens while somebody wants to be told of new messages. Tables are created or brought up to date.
     */
    public static PostgresStore open(DataSource source, Options options) {
        PgLibrary.require(PgLibrary.WITHOUT_POOL);
        return open(PgConnections.over(source, options));
    }

    /** Opens a store with a pool of its own. */
    public static PostgresStore open(String jdbcUrl, String user, String password) {
        return open(jdbcUrl, user, password, Options.STANDARD);
    }

    public static PostgresStore open(String jdbcUrl, String user, String password, Options options) {
        PgLibrary.require(PgLibrary.ALL);
        return open(PgConnections.to(jdbcUrl, user, password, options));
    }

    private static PostgresStore open(PgConnections connections) {
        Shards shards = new Shards();
        return new PostgresStore(new PgDatabase(connections, shards), shards);
    }
}
