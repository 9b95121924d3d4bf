package dev.pawl.store.postgres;

import dev.pawl.engine.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;
import org.postgresql.ds.common.BaseDataSource;

/**
 * Where connections come from, and how each is made ready. In a pool of our own a connection keeps its settings for good; one
 * that the user lends gets them for the length of a transaction, and goes back as it came.
 */
final class PgConnections implements AutoCloseable {

    /**
     * Of the commit's statement alone. Everything it touches is found by its key, and it must stay so when the tables are new
     * and the server knows nothing of them yet: a plan made then is kept.
     */
    private static final String BY_KEY = "set_config('plan_cache_mode', 'force_generic_plan', true),"
            + " set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),"
            + " set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true),"
            + " set_config('jit', 'off', true)";

    /**
     * Between two statements of a transaction of ours lies next to no time. If a process stands still there, the server gives
     * up on it: its locks would keep its shards from being taken over, and whoever tries from renewing the leases of others.
     * Shorter than a lease, so that they are gone by the time it has expired.
     */
    private static final int STILL_MILLIS_MAX = 5_000;

    private final DataSource source;
    /** Null if the connections are the user's. */
    private final @Nullable PgPool pool;
    private final PgServer server;
    private final String what;
    private final String schema;

    private PgConnections(DataSource source, @Nullable PgPool pool, PgServer server, String what, String schema) {
        this.source = source;
        this.pool = pool;
        this.server = server;
        this.what = what;
        this.schema = schema;
    }

    /** Over a data source of the user's. One that makes a new connection each time gets a pool of ours in front of it. */
    static PgConnections over(DataSource source, PostgresStore.Options options) {
        if (source instanceof BaseDataSource plain) {
            PgLibrary.require(PgLibrary.ALL);
            return pooled(source, PgServer.describe(plain.getURL(), options.schema()), options);
        }
        String what = "the PostgreSQL of the data source, schema " + options.schema();
        PgServer server = look(source, what);
        return new PgConnections(source, null, server, PgServer.describe(server.url(), options.schema()),
                options.schema());
    }

    static PgConnections to(String url, String user, String password, PostgresStore.Options options) {
        if (Driver.parseURL(url, new Properties()) == null) {
            // It is not shown: there may be a password in it.
            throw new IllegalArgumentException(
                    "not the URL of a PostgreSQL database, which looks like jdbc:postgresql://host:5432/database");
        }
        Properties properties = new Properties();
        // A server that hangs must not hold a thread for ever: the commit is unknown then, and is looked into.
        properties.setProperty("socketTimeout", "60");
        properties.setProperty("tcpKeepAlive", "true");
        properties.setProperty("ApplicationName", "pawl");
        return pooled(PgPool.unpooled(url, properties, user, password), PgServer.describe(url, options.schema()),
                options);
    }

    private static PgConnections pooled(DataSource source, String what, PostgresStore.Options options) {
        // One more to listen on.
        PgPool pool = new PgPool(source, options.connections() + 1, "select " + settings(options.schema(), "false")
                + ", set_config('default_transaction_isolation', 'read committed', false)", what);
        try {
            PgServer server = look(pool.source(), what);
            pool.opened();
            return new PgConnections(pool.source(), pool, server, what, options.schema());
        } catch (RuntimeException e) {
            pool.close();
            throw e;
        }
    }

    private static PgServer look(DataSource source, String what) {
        try (Connection connection = source.getConnection()) {
            PgServer server = PgServer.of(connection, what);
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
            return server;
        } catch (SQLException e) {
            throw PgErrors.before(what, e);
        }
    }

    /** As in an SQL list; the name of the schema has been checked, it needs no quotes. */
    private static String settings(String schema, String local) {
        return "set_config('search_path', '" + schema + "', " + local + ")"
        // Every question has its index. A plan from a time when a table had a page or two would be kept while it grows.
                + ", set_config('enable_seqscan', 'off', " + local + "), set_config('jit', 'off', " + local + ")"
                + ", set_config('idle_in_transaction_session_timeout', '" + STILL_MILLIS_MAX + "', " + local + ")"
                // Whatever the server's default: what is acknowledged must survive the server. Stronger ones are left alone.
                + ", set_config('synchronous_commit', case current_setting('synchronous_commit') when 'off' then 'on'"
                + " else current_setting('synchronous_commit') end, " + local + ")";
    }

    /** What goes ahead of the commit's statement, in the same trip; it lasts as long as that statement's transaction. */
    String aheadOfCommit() {
        return "select " + BY_KEY + (ours() ? "" : ", " + settings(schema, "true")) + ";\n";
    }

    /** What is done on a connection between its borrowing and its return. */
    @FunctionalInterface
    interface Errand<T> {

        T run(Connection connection) throws SQLException;
    }

    /** Borrows a connection for as long as something takes; it goes back as it came, with no transaction open. */
    <T> T borrow(Errand<T> errand) throws SQLException {
        Connection connection = open();
        try {
            boolean autoCommit = connection.getAutoCommit();
            boolean done = false;
            try {
                T result = errand.run(connection);
                done = true;
                return result;
            } finally {
                giveBack(connection, autoCommit, done);
            }
        } finally {
            connection.close();
        }
    }

    private Connection open() {
        try {
            return source.getConnection();
        } catch (SQLException e) {
            throw PgErrors.before(what, e);
        }
    }

    private static void giveBack(Connection connection, boolean autoCommit, boolean done) {
        try {
            if (!done && !connection.getAutoCommit()) {
                connection.rollback();
            }
            if (connection.getAutoCommit() != autoCommit) {
                connection.setAutoCommit(autoCommit);
            }
        } catch (SQLException e) {
            // The connection is gone, and its transaction with it; what was done before has been answered already.
        }
    }

    /** Runs a command that has no parameters; its rows are not looked at. */
    static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Begins a transaction that writes: each of its statements sees what others have committed by then. */
    void beginWrite(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        if (!ours()) {
            execute(connection, "set transaction isolation level read committed, read write; select "
                    + settings(schema, "true"));
        }
    }

    /** From here on in this transaction user statements run, each for so long at most, and with pauses of that length at most. */
    void leaveToOthers(Connection connection, Duration longest) throws SQLException {
        long millis = longest.toMillis();
        execute(connection, "set local search_path to default; set local statement_timeout to " + millis
                + "; set local idle_in_transaction_session_timeout to " + millis);
    }

    /** From here on in this transaction it is ours again. */
    void takeBack(Connection connection) throws SQLException {
        execute(connection, "select " + settings(schema, "true"));
    }

    /** Begins a transaction that sees one state throughout. */
    void beginRead(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        execute(connection, "set transaction isolation level repeatable read, read only"
                + (ours() ? "" : "; select " + settings(schema, "true")));
    }

    /** Whether a statement can run outside a transaction: a connection of ours has its settings already. */
    boolean ours() {
        return pool != null;
    }

    DataSource source() {
        return source;
    }

    PgServer server() {
        return server;
    }

    String schema() {
        return schema;
    }

    /** The server and the schema, for messages. */
    String what() {
        return what;
    }

    StoreException closed() {
        return new StoreException.Unavailable("the store on " + what + " is closed", null);
    }

    @Override
    public void close() {
        if (pool != null) {
            pool.close();
        }
    }
}
