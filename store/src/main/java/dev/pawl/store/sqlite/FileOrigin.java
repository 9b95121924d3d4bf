package dev.pawl.store.sqlite;

import dev.pawl.engine.store.StoreException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds out who has made a file, without writing to it or to its folder: a file of another application must not get tables of ours.
 */
enum FileOrigin {

    /** There is no file yet, or one with nothing in it. */
    NEW,
    /** Pawl has made it. */
    PAWL,
    /** It is a database, but cannot be read: damaged, or locked. */
    UNREADABLE;

    /** "PAWL", in the header of every file from its creation on. Files of the first versions have none. */
    static final int APPLICATION_ID = 0x5041574C;

    private static final String HISTORY = "pawl_history";
    private static final String FORMAT = "store_format";
    /** SQLite itself takes a file of one byte for an empty one. */
    private static final int HEADER_BYTES = 100;
    private static final int SHOWN_MAX = 3;

    static FileOrigin of(FileInspector file) {
        if (file.empty() && !file.unclean()) {
            return NEW;
        }
        if (!file.unclean() && file.bytes() < HEADER_BYTES) {
            throw noDatabase(file.file(), null);
        }
        try (Connection connection = file.connect(); Statement statement = connection.createStatement()) {
            int application = application(statement);
            List<String> tables = tables(statement);
            if (application == APPLICATION_ID || ours(tables)) {
                return PAWL;
            }
            if (application == 0 && tables.isEmpty()) {
                return NEW;
            }
            throw foreign(file.file(), application, tables);
        } catch (SQLException e) {
            if (SqliteErrors.noDatabase(e)) {
                throw noDatabase(file.file(), e);
            }
            return UNREADABLE;
        }
    }

    private static StoreException noDatabase(Path file, @Nullable SQLException e) {
        return new StoreException.Foreign(file + " is not a SQLite database, or its first page is damaged; nothing was"
                + " written to it. Name another file, or restore this one from a backup", e);
    }

    private static int application(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery("pragma application_id")) {
            return row.getInt(1);
        }
    }

    private static List<String> tables(Statement statement) throws SQLException {
        List<String> tables = new ArrayList<>();
        try (ResultSet rows = statement
                .executeQuery(
                        "select name from sqlite_schema where type = 'table' and name not like 'sqlite^_%' escape '^'")) {
            while (rows.next()) {
                tables.add(rows.getString(1));
            }
        }
        return tables;
    }

    /** Earlier versions left their history in foreign files, too; without the other tables it proves nothing. */
    private static boolean ours(List<String> tables) {
        return tables.contains(HISTORY) && (tables.contains(FORMAT) || tables.size() == 1);
    }

    private static StoreException foreign(Path file, int application, List<String> tables) {
        String found = tables.isEmpty()
                ? "its application id is " + application
                : "it has the tables " + String.join(", ", tables.subList(0, Math.min(tables.size(), SHOWN_MAX)))
                        + (tables.size() > SHOWN_MAX ? ", …" : "");
        return new StoreException.Foreign(file + " is a database of another application: " + found
                + "; nothing was written to it. Name another file. To have tables of your own in the file of Pawl, let Pawl"
                + " create the file first and add them then", null);
    }
}
