package dev.pawl.lab.torture;

import dev.pawl.engine.store.Store;
import dev.pawl.lab.torture.effect.EffectFlow;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The engine's database and one of the application's own, each with a table for transactional effects.
 *
 * @param address of the engine's store
 * @param engine the engine's database, for JDBC
 * @param own the application's, for JDBC
 */
record FlowDatabases(String address, String engine, String own, @Nullable PgServer server) implements AutoCloseable {

    private static final String APPLICATION = "application";

    static FlowDatabases create(StoreKind kind, Path folder) throws IOException, SQLException {
        FlowDatabases databases = switch (kind) {
            case SQLITE -> new FlowDatabases(Stores.SQLITE + folder.resolve("pawl.db"),
                    "jdbc:sqlite:" + folder.resolve("pawl.db"),
                    "jdbc:sqlite:" + folder.resolve(APPLICATION + ".db"), null);
            case POSTGRES -> {
                PgServer server = new PgServer(folder.resolve("data"));
                String url = server.url() + "&user=" + PgServer.USER;
                execute(url, "create database " + APPLICATION);
                yield new FlowDatabases(Stores.POSTGRES + server.url(), url,
                        url.replace("/postgres?", "/" + APPLICATION + "?"), server);
            }
        };
        // First the store's own tables: it does not create them beside others.
        try (Store store = Stores.open(databases.address())) {
            store.capabilities();
        }
        execute(databases.engine(), EffectFlow.TABLE);
        execute(databases.own(), EffectFlow.TABLE);
        return databases;
    }

    private static void execute(String url, String statement) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url); Statement run = connection.createStatement()) {
            run.execute(statement);
        }
    }

    /** The transactional effects of both, by workflow and operation. */
    Map<String, List<String>> rows() throws SQLException {
        Map<String, List<String>> rows = new HashMap<>();
        for (String url : List.of(engine, own)) {
            try (Connection connection = DriverManager.getConnection(url);
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("select workflow, operation, value from torture_effect")) {
                while (row.next()) {
                    rows.computeIfAbsent(row.getString(1) + " " + row.getString(2), first -> new ArrayList<>())
                            .add(row.getString(3));
                }
            }
        }
        return rows;
    }

    @Override
    public void close() throws IOException {
        if (server != null) {
            server.close();
        }
    }
}
