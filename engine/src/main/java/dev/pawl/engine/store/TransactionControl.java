package dev.pawl.engine.store;

import java.sql.SQLException;
import java.util.Locale;
import java.util.Set;

/**
 * Finds statements that would begin or end a transaction in SQL that user code runs inside one of the store's. They are refused before they
 * reach the database: committed by the user, the statements of a step would be there without its record, and run again.
 */
final class TransactionControl {

    /** Attaching a file reaches beyond the transaction as well. */
    private static final Set<String> REFUSED = Set.of("begin", "start", "commit", "end", "rollback", "abort",
            "savepoint", "release", "attach", "detach");

    private final String sql;
    private int at;

    private TransactionControl(String sql) {
        this.sql = sql;
    }

    /** Throws if one of the statements in this text controls the transaction. */
    static void refuse(String sql) throws SQLException {
        TransactionControl text = new TransactionControl(sql);
        while (text.at < sql.length()) {
            String first = text.word();
            String second = text.word();
            if (REFUSED.contains(first) || (first.equals("prepare") && second.equals("transaction"))) {
                throw new SQLException("\"" + first
                        + "\" is not allowed in the statements of a transaction: Pawl commits them"
                        + " together with the record of the operation. Return from the body to commit, throw to roll back");
            }
            if (first.equals("create")) {
                // The body of a trigger has semicolons and an "end" of its own.
                return;
            }
            text.skipStatement();
        }
    }

    /** The next word in lower case; empty if something else comes next. */
    private String word() {
        skipBlank();
        int begin = at;
        while (at < sql.length() && Character.isLetter(sql.charAt(at))) {
            at++;
        }
        return sql.substring(begin, at).toLowerCase(Locale.ROOT);
    }

    private void skipBlank() {
        while (at < sql.length()) {
            if (Character.isWhitespace(sql.charAt(at))) {
                at++;
            } else if (!skipComment()) {
                return;
            }
        }
    }

    private boolean skipComment() {
        if (sql.startsWith("--", at)) {
            skipPast("\n", at);
            return true;
        }
        if (sql.startsWith("/*", at)) {
            skipPast("*/", at + 2);
            return true;
        }
        return false;
    }

    /** Skips to behind the semicolon that ends the statement; those in quotes and comments do not. */
    private void skipStatement() {
        while (at < sql.length()) {
            char next = sql.charAt(at);
            if (next == ';') {
                at++;
                return;
            }
            if (next == '\'' || next == '"' || next == '`') {
                skipPast(String.valueOf(next), at + 1);
            } else if (next == '$' && dollarTag() != null) {
                String tag = dollarTag();
                skipPast(tag, at + tag.length());
            } else if (!skipComment()) {
                at++;
            }
        }
    }

    /** PostgreSQL's {@code $tag$}, if one begins here. */
    private @org.jspecify.annotations.Nullable String dollarTag() {
        int end = at + 1;
        while (end < sql.length() && (Character.isLetterOrDigit(sql.charAt(end)) || sql.charAt(end) == '_')) {
            end++;
        }
        return end < sql.length() && sql.charAt(end) == '$' ? sql.substring(at, end + 1) : null;
    }

    private void skipPast(String what, int from) {
        int found = sql.indexOf(what, from);
        at = found < 0 ? sql.length() : found + what.length();
    }
}
