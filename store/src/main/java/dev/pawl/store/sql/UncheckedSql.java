package dev.pawl.store.sql;

import java.sql.SQLException;

/** Carries an SQLException out of a lambda to where it is translated; never leaves the store. */
public final class UncheckedSql extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final SQLException sql;

    UncheckedSql(SQLException sql) {
        super(sql);
        this.sql = sql;
    }

    public SQLException sql() {
        return sql;
    }
}
