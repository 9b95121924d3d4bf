package dev.pawl.store.postgres;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A real PostgreSQL server, from a jar: started when first asked for, shared by all tests of this process, gone with it. It syncs
 * as a server of a user's does; the defaults of the jar do not.
 */
final class EmbeddedServer {

    static final String USER = "postgres";

    private static final AtomicInteger SCHEMAS = new AtomicInteger();

    private EmbeddedServer() {
    }

    private static final class Shared {

        static final EmbeddedPostgres SERVER = start("fsync", "on");

        static {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(SERVER)));
        }
    }

    static EmbeddedPostgres shared() {
        return Shared.SERVER;
    }

    /** One of its own, with a setting of its own. */
    static EmbeddedPostgres start(String setting, String value) {
        try {
            return EmbeddedPostgres.builder()
                    // A schema is dropped as a whole, with many tables and indexes.
                    .setServerConfig("max_locks_per_transaction", "1024")
                    .setServerConfig("fsync", "on")
                    .setServerConfig("full_page_writes", "on")
                    .setServerConfig("synchronous_commit", "on")
                    .setServerConfig("max_connections", "100")
                    .setServerConfig("shared_buffers", "128MB")
                    .setServerConfig(setting, value)
                    .setPGStartupWait(Duration.ofSeconds(60))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void stop(EmbeddedPostgres server) {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String url() {
        return url(shared().getPort());
    }

    static String url(int port) {
        return "jdbc:postgresql://localhost:" + port + "/postgres";
    }

    /** A name no test has used yet. Nothing is dropped: the server ends with the tests. */
    static String freshSchema() {
        return "test_" + SCHEMAS.incrementAndGet();
    }

    /** A database that has its tables already: to copy one is much cheaper than to migrate one. */
    static synchronized String freshDatabase() {
        try {
            String template = "template_of_tests";
            if (!isTrue("select exists (select from pg_database where datname = '" + template + "')")) {
                run("create database " + template);
                openDatabase(template).close();
            }
            String name = "test_" + SCHEMAS.incrementAndGet();
            run("create database " + name + " template " + template + " strategy file_copy");
            return name;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    static PostgresStore openDatabase(String name) {
        return PostgresStore.open(url().replace("/postgres", "/" + name), USER, "");
    }

    static PostgresStore open(String schema) {
        return PostgresStore.open(url(), USER, "", PostgresStore.Options.STANDARD.inSchema(schema));
    }

    static DataSource dataSource() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(url());
        source.setUser(USER);
        return source;
    }

    /** Runs SQL as a person with psql would. */
    static void run(String sql) throws SQLException {
        try (Connection connection = dataSource().getConnection(); Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The first column of the first row, as text. */
    static String ask(String sql) throws SQLException {
        try (Connection connection = dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }

    static boolean isTrue(String sql) throws SQLException {
        return ask(sql).equals("t");
    }

    /** The state of the error a statement ends in; empty if it ends well. */
    static String stateOf(String sql) {
        try {
            run(sql);
            return "";
        } catch (SQLException e) {
            return e.getSQLState();
        }
    }
}
