package dev.pawl.lab.bench;

import dev.pawl.engine.EngineSettings;
import dev.pawl.engine.store.Store;
import dev.pawl.store.sqlite.SqliteStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** A SQLite file. Rows and commits are counted at the port; its writer may make one transaction of several commits. */
final class SqliteGround implements Ground {

    private final Path file;
    private final List<CountingStore> counting = new ArrayList<>();

    SqliteGround(Path folder) {
        this.file = folder.resolve("flows.db");
    }

    @Override
    public Store open() {
        counting.add(new CountingStore(SqliteStore.open(file)));
        return counting.getLast().proxy();
    }

    @Override
    public String url() {
        return "jdbc:sqlite:" + file;
    }

    @Override
    public int shards() {
        return EngineSettings.DEFAULT.shards();
    }

    @Override
    public Written written() {
        return new Written(counting.stream().mapToDouble(CountingStore::rows).sum(), SqliteSubject.writtenByProcess(),
                counting.stream().mapToDouble(CountingStore::commits).sum());
    }

    @Override
    public long bytesOnDisk() {
        return SqliteSubject.size(file) + SqliteSubject.size(SqliteSubject.beside(file, "-wal"));
    }

    @Override
    public List<String> contents() {
        List<String> lines = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(url());
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "select name, sum(pgsize), sum(ncell) from dbstat group by name order by 2 desc")) {
            while (rows.next()) {
                lines.add(String.format(Locale.ROOT, "%-40s %12d bytes", rows.getString(1), rows.getLong(2)));
            }
        } catch (SQLException e) {
            lines.add("this SQLite cannot tell: " + e.getMessage());
        }
        return lines;
    }

    @Override
    public void close() {
        Stream.of("", "-wal", "-shm", ".lock").forEach(suffix -> {
            try {
                Files.deleteIfExists(SqliteSubject.beside(file, suffix));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }
}
