package dev.pawl.engine.flow;

import dev.pawl.kernel.id.InvocationKey;
import dev.pawl.kernel.id.WorkflowKey;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of an activity, as its code sees it.
 *
 * @param operationId which operation of the workflow it is
 * @param attempt counted from 1; from 101, 201 and so on when the work is handed over once more
 * @param beat what a heartbeat does
 * @param idempotencyKey the same in every attempt: for whoever must not do the same thing twice. What {@link Activity#key} says, or
 *        {@code pawl:{namespace}:{workflowId}:{operationId}}, each part escaped; of a compensation {@code :compensate} follows the id of the
 *        operation that it compensates
 * @param completionToken see {@link #token()}; null if the activity is not {@link Activity#completedElsewhere}
 */
public record ActivityContext(String namespace, String workflowId, String operationId, int attempt,
        String idempotencyKey, Runnable beat, @Nullable String completionToken) {

    /**
     * Says that it is still at work; for activities with {@link Activity#heartbeat}, and for those that want to hear of a cancellation.
     * Throws {@link ActivityCancelled} if no code waits for this attempt any more.
     */
    public void heartbeat() {
        beat.run();
    }

    /**
     * What a worker needs to complete an activity that is {@link Activity#completedElsewhere}: a secret, another one in every attempt. The
     * engine keeps only its hash, so hand it on; it cannot be asked for again. Tokens of earlier attempts stay valid.
     */
    public String token() {
        if (completionToken == null) {
            throw new IllegalStateException(operationId + " of " + workflowId
                    + " is not handed over, so it has no token; add completedElsewhere() to the activity");
        }
        return completionToken;
    }

    /** Without the token: this may be logged. */
    @Override
    public String toString() {
        return "attempt " + attempt + " of " + operationId + " of " + workflowId;
    }

    /** Another one in every attempt: {@code pawl:{namespace}:{workflowId}:{operationId}:{attempt}}, whoever chose the other key. */
    public String attemptKey() {
        return InvocationKey.attempt(new WorkflowKey(namespace, workflowId), operationId, attempt);
    }
}
