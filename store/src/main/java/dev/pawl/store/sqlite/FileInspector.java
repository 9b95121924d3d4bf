package dev.pawl.store.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.sqlite.JDBC;
import org.sqlite.SQLiteConfig;

/** Looks at a database file, and at what SQLite keeps beside it, without changing anything. */
record FileInspector(Path file) {

    boolean empty() {
        return bytes() == 0;
    }

    long bytes() {
        return bytes("");
    }

    /** How large the log beside the file is. */
    long logBytes() {
        return bytes("-wal");
    }

    /** Whether the file was not closed in order, if no process has it open: then there is still something in its log. */
    boolean unclean() {
        return logBytes() > 0 || journaled();
    }

    private boolean journaled() {
        return bytes("-journal") > 0;
    }

    private long bytes(String end) {
        try {
            Path beside = file.resolveSibling(file.getFileName() + end);
            return Files.exists(beside) ? Files.size(beside) : 0;
        } catch (IOException e) {
            return 0;
        }
    }

    /**
     * A connection that writes nothing and leaves no files behind. If there is a log, SQLite needs an index to read it, which
     * may stay; and a journal is rolled back, as by every program that opens the file.
     */
    Connection connect() throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.setReadOnly(!journaled());
        String name = unclean() ? file.toString() : file.toUri() + "?immutable=1";
        return JDBC.createConnection(JDBC.PREFIX + name, config.toProperties());
    }
}
