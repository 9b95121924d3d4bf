package dev.pawl.store.postgres;

import dev.pawl.engine.store.StoreException;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;

/** What PostgreSQL's errors mean to whoever asked for something, and what to do about them. None of them names a password. */
final class PgErrors {

    private static final Set<String> REFUSALS = Set.of("23514", "23505", "23502");
    private static final Set<String> PASSING = Set.of("40001", "40P01", "55P03");

    /** No restart of the server helps: user, password, database, rights and tables are for a person to see to. */
    private static final Set<String> LASTING = Set.of("28P01", "28000", "3D000", "42501", "42P01", "3F000");

    private PgErrors() {
    }

    /** A check or a key of the schema does not let it in: not an accident, a refusal. */
    static boolean refusal(SQLException e) {
        return REFUSALS.contains(state(e));
    }

    /** Two transactions were in each other's way, and this one gave in: nothing of it was written, it may be tried again. */
    static boolean passes(SQLException e) {
        return PASSING.contains(state(e));
    }

    /** Somebody else has just inserted the same key. Whoever looks again will find it. */
    static boolean overtaken(SQLException e) {
        return state(e).equals("23505");
    }

    /** The server has given up on a transaction in which nothing happened for too long. */
    static boolean idle(SQLException e) {
        return state(e).equals("25P03");
    }

    /** No server answers, or it is starting up or ending: it may be back in a moment. */
    static boolean away(SQLException e) {
        String state = state(e);
        return state.startsWith("08") || state.equals("57P03") || state.equals("57P01");
    }

    /** A name or an id that no index takes: whoever sends it again will fail again. */
    static boolean tooLong(SQLException e) {
        return state(e).equals("54000");
    }

    /** Of a statement before the commit, or of a read: nothing of its transaction is durable. */
    static StoreException before(String what, SQLException e) {
        String state = state(e);
        if (state.equals("53100")) {
            return new StoreException.Full("no room on the disk of " + what + "; make some, nothing is lost", e);
        }
        if (passes(e) || overtaken(e) || state.equals("57014")) {
            return new StoreException.Busy(what + " is held up by other transactions (" + e.getMessage()
                    + "); nothing was written, try again", e);
        }
        String message = what + " " + advice(state, e);
        return LASTING.contains(state) ? new StoreException.Unavailable(message, e)
                : StoreException.Unavailable.passing(message, e);
    }

    /** Of the commit itself: if the connection was lost, nobody knows what became of it. */
    static StoreException during(String what, SQLException e) {
        if (!passes(e) && lost(e)) {
            return new StoreException.CommitUnknown("the connection to " + what + " was lost during a commit: "
                    + e.getMessage() + "; it is read before anything else is written", e);
        }
        return before(what, e);
    }

    /**
     * The server has said nothing about the statement, or ended while it was about to. A state that is not the server's is
     * taken for that: better to look once too often.
     */
    private static boolean lost(SQLException e) {
        String state = state(e);
        return state.isEmpty() || state.startsWith("08") || state.startsWith("57P") || state.startsWith("58")
                || state.startsWith("XX") || ended(e);
    }

    /** A server that ends says so in an error like any other, only graver; translated servers count as ending. */
    private static boolean ended(SQLException e) {
        return cause(e) instanceof PSQLException server && server.getServerErrorMessage() != null
                && !"ERROR".equals(server.getServerErrorMessage().getSeverity());
    }

    private static String advice(String state, SQLException e) {
        String says = " (" + e.getMessage() + ")";
        return switch (state) {
            case "28P01", "28000" -> "does not let this user in; check user name, password and pg_hba.conf" + says;
            case "3D000" -> "does not exist; create the database first" + says;
            case "42501" -> "does not allow this user what it needs; grant it, or let the owner of the schema open the"
                    + " store once" + says;
            case "08001" -> "cannot be reached; check host, port and firewall, and that the server runs" + says;
            case "25006" -> "can only be read; it is a standby, or default_transaction_read_only is on" + says;
            case "53300" -> "has no connection left; raise max_connections or use fewer connections" + says;
            case "42P01", "3F000" -> "has lost its tables; was the schema dropped or renamed?" + says;
            default -> "cannot be used" + says + "; nothing of this call was written";
        };
    }

    /** The most telling state of a chain of causes: pools wrap what the server said. */
    private static String state(SQLException e) {
        String found = "";
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            String state = cause instanceof SQLException sql ? sql.getSQLState() : null;
            found = state == null ? found : state;
        }
        return found;
    }

    /** The SQLException somewhere among the causes, or null. */
    static @Nullable SQLException cause(Throwable thrown) {
        SQLException found = null;
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            found = cause instanceof SQLException sql ? sql : found;
        }
        return found;
    }
}
