package dev.pawl.engine.flow;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An operation whose user code runs in this process at the moment, or waits there for a thread.
 *
 * @param operation its id in the workflow
 * @param kind what runs: the function of a step, of an activity, a verifier, or the statements of a transaction
 * @param attempt counted from 1; 0 where attempts are not counted
 * @param since when it began; null if it waits for a thread of the executor that the application has chosen
 */
public record RunningOperation(String namespace, String workflowId, String operation, Kind kind, int attempt,
        @Nullable Instant since) {

    /** What runs. */
    public enum Kind {
        STEP, ACTIVITY, VERIFIER,
        /** In a database of the application's own. */
        OWN_TRANSACTION,
        /** In the engine's database. */
        TRANSACTION
    }

    @Override
    public String toString() {
        return workflowId + " " + operation + (attempt == 0 ? "" : " attempt " + attempt) + " (" + name(kind) + ")";
    }

    private static String name(Kind kind) {
        return switch (kind) {
            case STEP -> "step";
            case ACTIVITY -> "activity";
            case VERIFIER -> "verifier";
            case OWN_TRANSACTION -> "transaction in the application's database";
            case TRANSACTION -> "transaction in the engine's database";
        };
    }
}
