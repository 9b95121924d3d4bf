package dev.pawl.engine.store;

import dev.pawl.kernel.bundle.Bundle;
import java.sql.Connection;

/** What is done in one transaction with a bundle: the user's statements, and the digit that proves them. */
@FunctionalInterface
public interface Transacted {

    /**
     * Runs on a connection whose transaction is the store's: it is neither committed nor closed here. What it throws leaves nothing
     * behind.
     */
    Bundle run(Connection connection) throws Exception;
}
