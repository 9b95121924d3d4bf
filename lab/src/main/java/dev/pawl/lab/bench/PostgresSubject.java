package dev.pawl.lab.bench;

import dev.pawl.engine.store.Store;
import dev.pawl.store.postgres.PostgresStore;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;

/** The PostgreSQL store on a server of its own on this machine, which syncs every commit. A database for each trial. */
final class PostgresSubject implements Subject {

    private static final String USER = "postgres";

    private final EmbeddedPostgres server;
    private int databases;

    PostgresSubject(Path folder) {
        Path log = folder.resolve("postgres.log");
        try {
            server = EmbeddedPostgres.builder()
                    // What keeps a server from starting stands nowhere else.
                    .setErrorRedirector(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .setDataDirectory(folder.resolve("postgres"))
                    .setServerConfig("fsync", "on")
                    .setServerConfig("synchronous_commit", "on")
                    .setServerConfig("full_page_writes", "on")
                    .setServerConfig("shared_buffers", "2GB")
                    .setServerConfig("max_wal_size", "8GB")
                    .setPGStartupWait(Duration.ofSeconds(60))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "PostgreSQL did not start; leave it out with --stores sqlite. Its log: " + text(log), e);
        }
    }

    private static String text(Path log) {
        try {
            return Files.exists(log) ? Files.readString(log) : "there is none";
        } catch (IOException e) {
            return "cannot be read, " + e;
        }
    }

    @Override
    public String name() {
        return "postgres";
    }

    @Override
    public Trial fresh(List<Recording> recordings) {
        String database = "trial_" + ++databases;
        execute("create database " + database);
        return new StoreTrial(open(server.getJdbcUrl(USER, database)), recordings) {

            private final long sizeBefore = number("select pg_database_size('" + database + "')");
            private final long writtenBefore = number("select pg_current_wal_lsn() - '0/0'");

            @Override
            public long bytesOnDisk() {
                return number("select pg_database_size('" + database + "')") - sizeBefore;
            }

            @Override
            public long bytesWritten() {
                return number("select pg_current_wal_lsn() - '0/0'") - writtenBefore;
            }

            @Override
            public void close() {
                super.close();
                execute("drop database " + database);
            }
        };
    }

    private static Store open(String url) {
        return PostgresStore.open(url, USER, USER);
    }

    private void execute(String sql) {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    private long number(String sql) {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
