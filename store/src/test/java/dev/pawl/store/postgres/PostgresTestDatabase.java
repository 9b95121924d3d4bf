package dev.pawl.store.postgres;

import dev.pawl.engine.store.Store;
import dev.pawl.store.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;

/** A schema of its own on the server that all tests share. */
public final class PostgresTestDatabase implements TestDatabase {

    private final String schema = EmbeddedServer.freshSchema();

    @Override
    public String dialect() {
        return "postgres";
    }

    @Override
    public Store open() {
        return EmbeddedServer.open(schema);
    }

    @Override
    public Connection connection() throws SQLException {
        Connection connection = EmbeddedServer.dataSource().getConnection();
        connection.setSchema(schema);
        return connection;
    }

    @Override
    public FluentConfiguration flyway() {
        return Flyway.configure().dataSource(EmbeddedServer.dataSource()).defaultSchema(schema).schemas(schema);
    }

    @Override
    public void close() {
        // The schema is left behind: the server ends with the tests.
    }
}
