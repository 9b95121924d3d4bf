package dev.pawl.store.sqlite;

import dev.pawl.engine.store.StoreException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Has SQLite check a file before it is used: all of it if it is small, table by table if it is large, until the time is up. The largest
 * table comes last. Says in the log how far the check went, and refuses a file in which it has found damage.
 *
 * <p>It finds what contradicts the structure of the file, not a value that was replaced by another one: that is for the chain of events
 * and its digests.
 */
final class IntegrityCheck {

    private static final Logger LOG = System.getLogger(IntegrityCheck.class.getName());

    /** Up to here the whole file takes some 300 ms, free pages included, which no single table covers. */
    private static final long WHOLE_BYTES_MAX = 64L << 20;
    private static final int SHOWN_MAX = 3;
    private static final String OK = "ok";

    private final Path file;
    private final Statement statement;
    private final List<String> findings = new ArrayList<>();
    private final List<String> unchecked = new ArrayList<>();
    private boolean running = true;
    private boolean timeUp;

    private IntegrityCheck(Path file, Statement statement) {
        this.file = file;
        this.statement = statement;
    }

    static void run(SqliteFile file, SqliteOptions options) {
        Duration time = options.checkTime(file.unclean());
        if (time.isZero()) {
            LOG.log(Level.DEBUG, file.path() + " is opened without a check of the file");
            return;
        }
        try (Connection connection = file.inspector().connect(); Statement statement = connection.createStatement()) {
            IntegrityCheck check = new IntegrityCheck(file.path(), statement);
            check.within(time);
            check.report(file.unclean(), time, options.openDamaged());
        } catch (SQLException e) {
            if (!SqliteErrors.damage(e)) {
                throw SqliteErrors.before(file.path(), e);
            }
            damaged(file.path(), List.of(String.valueOf(e.getMessage())), options.openDamaged());
        }
    }

    private void within(Duration time) throws SQLException {
        // Before the alarm is set: only the check itself may be interrupted.
        List<String> parts = parts();
        timeUp = time.toMillis() == 0;
        Executor later = CompletableFuture.delayedExecutor(time.toMillis(), TimeUnit.MILLISECONDS);
        CompletableFuture<Void> alarm = CompletableFuture.runAsync(this::interrupt, later);
        try {
            for (String part : parts) {
                check(part);
            }
        } finally {
            end();
            alarm.cancel(false);
        }
    }

    /** Not after the end: the connection may be closed then. */
    private synchronized void interrupt() {
        timeUp = true;
        if (running) {
            try {
                // Of no effect while nothing runs.
                statement.cancel();
            } catch (SQLException e) {
                // It is between two parts, and sees that its time is up.
            }
        }
    }

    private synchronized void end() {
        running = false;
    }

    private synchronized boolean timeUp() {
        return timeUp;
    }

    private List<String> parts() throws SQLException {
        if (number("pragma page_count") * number("pragma page_size") <= WHOLE_BYTES_MAX) {
            return List.of("");
        }
        List<String> tables = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery(
                "select name from sqlite_schema where type = 'table' and rootpage > 0 order by name = 'event', rootpage")) {
            while (rows.next()) {
                tables.add(rows.getString(1));
            }
        }
        return tables;
    }

    private long number(String pragma) throws SQLException {
        try (ResultSet row = statement.executeQuery(pragma)) {
            return row.getLong(1);
        }
    }

    private void check(String part) throws SQLException {
        String name = part.isEmpty() ? "the file" : part;
        if (timeUp()) {
            unchecked.add(name);
            return;
        }
        String of = part.isEmpty() ? "" : "('" + part.replace("'", "''") + "')";
        try (ResultSet rows = statement.executeQuery("pragma integrity_check" + of)) {
            while (rows.next()) {
                if (!rows.getString(1).equals(OK)) {
                    findings.add(rows.getString(1));
                }
            }
        } catch (SQLException e) {
            if (!SqliteErrors.interrupted(e)) {
                throw e;
            }
            unchecked.add(name);
        }
    }

    private void report(boolean unclean, Duration time, boolean openDamaged) {
        if (!findings.isEmpty()) {
            damaged(file, findings, openDamaged);
        } else if (!unchecked.isEmpty()) {
            LOG.log(unclean ? Level.WARNING : Level.INFO, file + (unclean ? " was not closed in order. It" : "")
                    + " was checked for " + time.toMillis()
                    + " ms and no damage was found, but time was up before these"
                    + " were checked: " + String.join(", ", unchecked)
                    + ". Allow more time (PawlBuilder.fileCheck), or have a copy checked with \"pragma integrity_check\"");
        } else if (unclean) {
            LOG.log(Level.INFO, file + " was not closed in order; the whole file was checked and has no damage");
        }
    }

    private static void damaged(Path file, List<String> findings, boolean openDamaged) {
        String found = String.join("; ", findings.subList(0, Math.min(findings.size(), SHOWN_MAX)))
                + (findings.size() > SHOWN_MAX ? "; and " + (findings.size() - SHOWN_MAX) + " more" : "");
        if (!openDamaged) {
            throw new StoreException.Damaged(file + " is damaged: " + found + ". It was not opened, and nothing was"
                    + " written to it. Keep a copy of it and of its -wal file, restore a backup, or recover what can be"
                    + " read (sqlite3 \".recover\"); PawlBuilder.openDamagedFile opens it as it is", null);
        }
        LOG.log(Level.ERROR, file + " is damaged and is opened all the same, as PawlBuilder.openDamagedFile asks for: "
                + found + ". Workflows may be missing or wrong; pawl.check(workflowId) checks one of them");
    }
}
