package dev.pawl.engine.flow;

import dev.pawl.kernel.id.InvocationKey;
import dev.pawl.kernel.id.WorkflowKey;

/**
 * One attempt of an activity, as its code sees it.
 *
 * @param operationId which operation of the workflow it is
 * @param attempt counted from 1; from 101, 201 and so on when the work is handed over once more
 * @param beat what a heartbeat does
 * @param idempotencyKey the same in every attempt: for whoever must not do the same thing twice. What {@link Activity#key} says, or
 *        {@code pawl:{namespace}:{workflowId}:{operationId}}, each part escaped
 */
public record ActivityContext(String namespace, String workflowId, String operationId, int attempt,
        String idempotencyKey, Runnable beat) {

    /** Says that it is still at work; for activities with {@link Activity#heartbeat}. */
    public void heartbeat() {
        beat.run();
    }

    /** With this, somebody else completes an activity that is {@link Activity#completedElsewhere}. */
    public String token() {
        return CompletionToken.of(namespace, workflowId, operationId);
    }

    /** Another one in every attempt: {@code pawl:{namespace}:{workflowId}:{operationId}:{attempt}}, whoever chose the other key. */
    public String attemptKey() {
        return InvocationKey.attempt(new WorkflowKey(namespace, workflowId), operationId, attempt);
    }
}
