package dev.pawl.engine.store;

import dev.pawl.kernel.bundle.Bundle;
import java.sql.Connection;
import java.time.Duration;

/** What is done in one transaction with a bundle: the user's statements, and the digit that proves them. */
@FunctionalInterface
public interface Transacted {

    /** Unless something else is asked for. */
    Duration LONGEST = Duration.ofSeconds(30);

    /**
     * Runs on a connection whose transaction is the store's: it is neither committed nor closed here. What it throws leaves nothing
     * behind.
     */
    Bundle run(Connection connection) throws Exception;

    /** How long the statements may take; a store stops them then, and nothing of them is left. */
    default Duration longest() {
        return LONGEST;
    }

    /** The same statements with a time limit. */
    static Transacted within(Duration longest, Transacted statements) {
        return new Transacted() {

            @Override
            public Bundle run(Connection connection) throws Exception {
                return statements.run(connection);
            }

            @Override
            public Duration longest() {
                return longest;
            }
        };
    }
}
