package dev.pawl.engine.flow;

import dev.pawl.engine.PawlException;

/** A query that cannot be answered. */
public final class QueryFailed extends PawlException {

    private static final long serialVersionUID = 1L;

    public QueryFailed(String message) {
        super("QueryFailed", message, null);
    }
}
