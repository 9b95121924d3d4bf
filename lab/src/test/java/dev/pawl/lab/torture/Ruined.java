package dev.pawl.lab.torture;

import dev.pawl.kernel.event.Event;
import dev.pawl.kernel.id.Hash;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** A copy of a sound database and of what was told outside, for somebody to ruin. */
final class Ruined implements AutoCloseable {

    final Path folder;
    private final Path file;
    private final Connection connection;

    Ruined(Path sound, Path folder) throws IOException, SQLException {
        this.folder = folder;
        try (Stream<Path> files = Files.list(sound)) {
            for (Path each : files.filter(Files::isRegularFile).toList()) {
                Files.copy(each, folder.resolve(each.getFileName()));
            }
        }
        this.file = folder.resolve("pawl.db");
        this.connection = DriverManager.getConnection("jdbc:sqlite:" + file);
    }

    void sql(String... statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
                if (!each.startsWith("pragma") && statement.getUpdateCount() == 0) {
                    throw new IllegalStateException("nothing to ruin: " + each);
                }
            }
        }
    }

    /** Rewrites the events of a workflow, and the chain with them: what only its own words can give away. */
    void forge(String workflowId, UnaryOperator<List<String>> how) throws SQLException {
        String where = " where workflow_no = (select workflow_no from workflow where workflow_id = '" + workflowId
                + "')";
        List<String> bodies = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select body from event" + where + " order by number")) {
            while (rows.next()) {
                bodies.add(rows.getString(1));
            }
        }
        Hash last = Hash.NONE;
        List<String> forged = how.apply(bodies);
        for (int i = 0; i < forged.size(); i++) {
            String body =
                    forged.get(i).replaceFirst("\"previous\":\"[^\"]*\"", "\"previous\":\"" + last.base64() + "\"");
            last = Event.of(i + 1L, body).hash();
            try (PreparedStatement update = connection
                    .prepareStatement("update event set body = ?, hash = ?" + where + " and number = ?")) {
                update.setString(1, body);
                update.setBytes(2, last.bytes());
                update.setLong(3, i + 1L);
                update.executeUpdate();
            }
        }
        if (forged.size() < bodies.size()) {
            sql("delete from event" + where + " and number > " + forged.size());
        }
    }

    /** The first answer there is; it must be one. */
    String ask(String query) throws SQLException {
        try (Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getString(1);
        }
    }

    Path log() {
        return OutsideWorld.file(folder, "main");
    }

    void tell(String line) throws IOException {
        Files.writeString(log(), line + "\n", StandardOpenOption.APPEND);
    }

    /** Overwrites a page in the middle of the file. */
    void scratch() throws IOException, SQLException {
        connection.close();
        byte[] bytes = Files.readAllBytes(file);
        for (int i = 0; i < 2_000; i++) {
            bytes[bytes.length / 4096 / 2 * 4096 + i] = 0x5a;
        }
        Files.write(file, bytes);
    }

    List<String> violations(long seed) throws IOException, SQLException {
        connection.close();
        return new SqliteSite(new Site(folder, Stores.SQLITE + file, seed), file).violations(true);
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
