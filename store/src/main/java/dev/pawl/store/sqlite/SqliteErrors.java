package dev.pawl.store.sqlite;

import dev.pawl.engine.store.StoreException;
import java.nio.file.Path;
import java.sql.SQLException;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** What SQLite's errors mean to whoever asked for something to be written. */
final class SqliteErrors {

    private SqliteErrors() {
    }

    /** A check or a key of the schema does not let it in: not an accident, a refusal. */
    static boolean refusal(SQLException e) {
        return primary(e) == SQLiteErrorCode.SQLITE_CONSTRAINT.code;
    }

    /** The file does not begin like a database. */
    static boolean noDatabase(SQLException e) {
        return primary(e) == SQLiteErrorCode.SQLITE_NOTADB.code;
    }

    /** What is in the file contradicts itself. */
    static boolean damage(SQLException e) {
        return noDatabase(e) || primary(e) == SQLiteErrorCode.SQLITE_CORRUPT.code;
    }

    static boolean interrupted(SQLException e) {
        return primary(e) == SQLiteErrorCode.SQLITE_INTERRUPT.code;
    }

    /** The connection may not be used again: what it has in memory is not what is on the disk. */
    static boolean fatal(SQLException e) {
        int code = primary(e);
        return damage(e) || code == SQLiteErrorCode.SQLITE_IOERR.code || code == SQLiteErrorCode.SQLITE_CANTOPEN.code;
    }

    /** SQLite may have rolled back everything by itself, or will not go on. */
    static boolean endsTransaction(SQLException e) {
        int code = primary(e);
        return fatal(e) || code == SQLiteErrorCode.SQLITE_FULL.code || code == SQLiteErrorCode.SQLITE_NOMEM.code
                || code == SQLiteErrorCode.SQLITE_INTERRUPT.code || code == SQLiteErrorCode.SQLITE_BUSY.code
                || code == SQLiteErrorCode.SQLITE_READONLY.code;
    }

    /** Nothing that a statement has done wrong. */
    static boolean accident(SQLException e) {
        return fatal(e) || primary(e) == SQLiteErrorCode.SQLITE_FULL.code;
    }

    /** Of a statement before the commit: nothing of its transaction is durable. */
    static StoreException before(Path file, SQLException e) {
        int code = primary(e);
        if (code == SQLiteErrorCode.SQLITE_FULL.code) {
            return new StoreException.Full("no room on the disk of " + file + "; make some, nothing is lost", e);
        }
        if (code == SQLiteErrorCode.SQLITE_BUSY.code || code == SQLiteErrorCode.SQLITE_LOCKED.code) {
            return new StoreException.Busy("another program holds a lock on " + file
                    + "; open it with \"sqlite3 -readonly\" if it must be looked at", e);
        }
        if (damage(e)) {
            return new StoreException.Damaged(
                    file + " is damaged: " + e.getMessage() + ". Nothing of this call was written."
                            + " Stop the process, keep a copy of the file and of its -wal file, and restore a backup",
                    e);
        }
        return new StoreException.Unavailable(file + " cannot be used: " + e.getMessage()
                + "; see to the file and its disk, nothing of this call was written", e);
    }

    /** Of the commit itself: a failed sync says nothing about what reached the disk, and is never tried again. */
    static StoreException during(Path file, SQLException e) {
        int code = primary(e);
        if (code == SQLiteErrorCode.SQLITE_FULL.code || code == SQLiteErrorCode.SQLITE_BUSY.code) {
            return before(file, e);
        }
        return new StoreException.CommitUnknown("the commit to " + file + " failed: " + e.getMessage()
                + "; the file is opened again and read before anything else is written", e);
    }

    private static int primary(SQLException e) {
        return e instanceof SQLiteException sqlite ? sqlite.getResultCode().code & 0xff : e.getErrorCode() & 0xff;
    }
}
