package dev.pawl.lab.bench;

import dev.pawl.engine.store.Store;
import dev.pawl.store.postgres.PostgresStore;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A database on a server that has its defaults, and syncs every commit. Everything is counted by the server. */
final class PostgresGround implements Ground {

    private static final String USER = "postgres";
    private static final int SHARDS = 64;

    private final EmbeddedPostgres server;
    private final String database;
    private final long sizeBefore;

    PostgresGround(EmbeddedPostgres server, String database) {
        this.server = server;
        this.database = database;
        execute("create database " + database);
        this.sizeBefore = size();
    }

    static EmbeddedPostgres server(Path folder) {
        try {
            return EmbeddedPostgres.builder()
                    .setDataDirectory(folder.resolve("postgres"))
                    // What the jar turns off, for tests that need no durability.
                    .setServerConfig("fsync", "on")
                    .setServerConfig("synchronous_commit", "on")
                    .setServerConfig("full_page_writes", "on")
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException("PostgreSQL did not start; leave it out with --stores sqlite", e);
        }
    }

    @Override
    public Store open() {
        return PostgresStore.open(url(), USER, USER);
    }

    @Override
    public String url() {
        return server.getJdbcUrl(USER, database);
    }

    @Override
    public int shards() {
        return SHARDS;
    }

    @Override
    public Written written() {
        return new Written(
                number(database, "select sum(n_tup_ins + n_tup_upd + n_tup_del) from pg_stat_user_tables"),
                number("postgres", "select pg_current_wal_lsn() - '0/0'"),
                number("postgres", "select xact_commit from pg_stat_database where datname = '" + database + "'"));
    }

    @Override
    public long bytesOnDisk() {
        return size() - sizeBefore;
    }

    private long size() {
        return number("postgres", "select pg_database_size('" + database + "')");
    }

    /** As it is, with what is dead and what was left free for more, and packed: the rest is what rows and keys take. */
    @Override
    public List<String> contents() {
        List<String> lines = new ArrayList<>();
        try (Connection connection = server.getDatabase(USER, database).getConnection();
                Statement statement = connection.createStatement()) {
            Map<String, Long> asIs = sizes(statement);
            statement.execute("vacuum full");
            Map<String, Long> packed = sizes(statement);
            asIs.forEach((name, bytes) -> lines.add(String.format(Locale.ROOT, "%-40s %12d bytes %12d packed", name,
                    bytes, packed.getOrDefault(name, 0L))));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return lines;
    }

    private static Map<String, Long> sizes(Statement statement) throws SQLException {
        Map<String, Long> sizes = new LinkedHashMap<>();
        try (ResultSet rows = statement.executeQuery("""
                select c.relname, pg_relation_size(c.oid) from pg_class c
                join pg_namespace n on n.oid = c.relnamespace
                where n.nspname in ('pawl', 'dbos') and pg_relation_size(c.oid) > 0 order by 2 desc""")) {
            while (rows.next()) {
                sizes.put(rows.getString(1), rows.getLong(2));
            }
        }
        return sizes;
    }

    private void execute(String sql) {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    private long number(String where, String sql) {
        try (Connection connection = server.getDatabase(USER, where).getConnection();
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
        execute("drop database " + database + " with (force)");
    }
}
