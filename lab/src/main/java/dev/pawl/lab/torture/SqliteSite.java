package dev.pawl.lab.torture;

import dev.pawl.engine.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** A site whose database is a file, which nobody else may have open while it is looked at. */
record SqliteSite(Site site, Path file) {

    private static final int CALM_MILLIS_MAX = 150_000;

    static SqliteSite create(Path parent, String kind, long seed) {
        Path folder = Site.folder(parent, kind, seed);
        Path file = folder.resolve("pawl.db");
        return new SqliteSite(new Site(folder, Stores.SQLITE + file, seed), file);
    }

    /** Everything there is to find out about a file that nobody has open. */
    List<String> violations(boolean finished) throws IOException {
        if (Files.notExists(file)) {
            // Killed before it had done anything; and so it has promised nothing.
            return OutsideWorld.read(site.folder).started.isEmpty() ? List.of() : List.of("lost: the whole file");
        }
        keep();
        try {
            List<String> violations = new ArrayList<>(site.violations(finished));
            violations.addAll(integrity());
            return violations;
        } catch (StoreException e) {
            return List.of("lost: the file cannot be opened any more: " + e.getMessage());
        }
    }

    /** As the crash has left it: opening the file moves its log into it. */
    private void keep() throws IOException {
        Path left = Files.createDirectories(site.folder.resolve("left"));
        for (String end : List.of("", "-wal")) {
            Path from = file.resolveSibling(file.getFileName() + end);
            Path to = left.resolve(from.getFileName());
            Files.deleteIfExists(to);
            if (Files.exists(from)) {
                Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    private List<String> integrity() {
        List<String> violations = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement pragma = connection.createStatement();
                ResultSet rows = pragma.executeQuery("pragma integrity_check")) {
            while (rows.next()) {
                if (!rows.getString(1).equals("ok")) {
                    violations.add("integrity: " + rows.getString(1));
                }
            }
        } catch (SQLException e) {
            violations.add("integrity: " + e.getMessage());
        }
        return violations;
    }

    /** Lets a process run undisturbed until everything is finished, and holds the end against the oracle. */
    List<String> finish() throws Exception {
        try (ChildProcess child = site.start(List.of(), "main")) {
            child.calm();
            List<String> violations = new ArrayList<>();
            if (!child.ended(CALM_MILLIS_MAX)) {
                violations.add("P8 the process does not end");
            } else if (child.exitCode() != 0) {
                violations.add("P8 the process ended with " + child.exitCode());
            }
            child.kill();
            violations.addAll(violations(true));
            return violations;
        }
    }
}
