package dev.pawl.store.sqlite;

import dev.pawl.engine.store.Store;
import dev.pawl.store.TestDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.stream.Stream;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;

/** A file in a folder of its own. In memory if the system has such a folder: no test that uses it pulls the plug. */
public final class SqliteTestDatabase implements TestDatabase {

    private static final Path MEMORY = Path.of("/dev/shm");

    private final Path folder;
    private final Path file;

    public SqliteTestDatabase() {
        try {
            folder = Files.isWritable(MEMORY) ? Files.createTempDirectory(MEMORY, "pawl")
                    : Files.createTempDirectory("pawl");
            file = folder.resolve("test.db");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public Path file() {
        return file;
    }

    @Override
    public String dialect() {
        return "sqlite";
    }

    @Override
    public Store open() {
        SqliteTemplate.copyTo(file);
        return SqliteStore.open(file);
    }

    @Override
    public Connection connection() throws SQLException {
        return DriverManager.getConnection(url());
    }

    @Override
    public FluentConfiguration flyway() {
        return Flyway.configure().dataSource(url(), null, null);
    }

    private String url() {
        return "jdbc:sqlite:" + file;
    }

    @Override
    public void close() {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path each : files.toList()) {
                Files.delete(each);
            }
            Files.delete(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
