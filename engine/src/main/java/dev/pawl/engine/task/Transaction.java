package dev.pawl.engine.task;

import dev.pawl.kernel.collation.Advance;
import dev.pawl.kernel.id.WorkflowKey;
import java.sql.Connection;
import java.time.Duration;

/**
 * Statements of the user's and what the code of a flow comes to by them, in one transaction. It hears what became of it: one of the
 * three, once, from any thread, without blocking.
 */
public interface Transaction {

    WorkflowKey workflow();

    /** Runs the statements, on a thread that may block. */
    Advance run(Connection connection) throws Exception;

    /** How long the statements may take. */
    Duration longest();

    void committed();

    /** The statements have failed; nothing is left of them. */
    void failed(Exception why);

    /** It cannot be any more: the code has to begin anew. */
    void outdated(String why);
}
