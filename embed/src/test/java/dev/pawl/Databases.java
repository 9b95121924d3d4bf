package dev.pawl;

import dev.pawl.store.postgres.PostgresStore;
import dev.pawl.store.sqlite.SqliteStore;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.provider.Arguments;

/** Where a test keeps its workflows: each test runs on a file and on a server. */
final class Databases {

    private static final AtomicInteger NUMBERS = new AtomicInteger();
    /** More than any test has at a time. What is left at the end is deleted file by file, and nobody waits for long. */
    private static final int LATEST_MAX = 24;
    private static final Queue<String> LATEST = new ArrayDeque<>();
    /** A database that has its tables already: to copy one is much cheaper than to migrate one. */
    private static final String TEMPLATE = "flows_template";
    private static @Nullable EmbeddedPostgres server;
    private static @Nullable Path template;

    /** A kind of database; each one it gives is new. */
    record Kind(String name, Supplier<String> urls) {

        String fresh() {
            return urls.get();
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private Databases() {
    }

    /** Both, unless {@code -Dpawl.stores=sqlite} asks for one. */
    static Stream<Kind> all() {
        return Stream.of(new Kind("sqlite", Databases::file), new Kind("postgres", Databases::database))
                .filter(kind -> System.getProperty("pawl.stores", kind.name()).equals(kind.name()));
    }

    /** Each kind, with flows that are kept while they wait and with flows that are put aside at once. */
    static Stream<Arguments> kinds() {
        return all().flatMap(kind -> Stream.of(Arguments.of(kind, 1_000), Arguments.of(kind, 0)));
    }

    /** Connections to a database, as an application has them. */
    static com.zaxxer.hikari.HikariDataSource source(String url) {
        com.zaxxer.hikari.HikariConfig config = new com.zaxxer.hikari.HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(2);
        return new com.zaxxer.hikari.HikariDataSource(config);
    }

    private static String file() {
        try {
            Path folder = Files.createTempDirectory("pawl-flow");
            folder.toFile().deleteOnExit();
            Files.copy(template(), folder.resolve("flows.db"));
            return "jdbc:sqlite:" + folder.resolve("flows.db");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static synchronized Path template() throws IOException {
        if (template == null) {
            Path file = Files.createTempDirectory("pawl-template").resolve("flows.db");
            SqliteStore.open(file).close();
            template = file;
        }
        return template;
    }

    private static String url(EmbeddedPostgres of, String name) {
        return of.getJdbcUrl("postgres", name) + "&password=postgres";
    }

    private static EmbeddedPostgres start() throws IOException, SQLException {
        // A store refuses a server that does not sync. A database lives for seconds, and there is nothing in it to clean up.
        EmbeddedPostgres started = EmbeddedPostgres.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("full_page_writes", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("autovacuum", "off")
                .start();
        try (Connection connection = started.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create database " + TEMPLATE);
        }
        PostgresStore.open(url(started, TEMPLATE), "postgres", "postgres", PostgresStore.Options.STANDARD).close();
        return started;
    }

    private static synchronized String database() {
        try {
            if (server == null) {
                server = start();
            }
            String name = "flows_" + NUMBERS.incrementAndGet();
            try (Connection connection = server.getPostgresDatabase().getConnection();
                    Statement statement = connection.createStatement()) {
                // Cheaper than through the log, which is the default, as long as the server has little else to write.
                statement.execute("create database " + name + " template " + TEMPLATE + " strategy file_copy");
                LATEST.add(name);
                if (LATEST.size() > LATEST_MAX) {
                    statement.execute("drop database " + LATEST.remove() + " with (force)");
                }
            }
            return url(server, name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
