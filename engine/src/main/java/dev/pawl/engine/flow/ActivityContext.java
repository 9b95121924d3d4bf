package dev.pawl.engine.flow;

/**
 * One attempt of an activity, as its code sees it.
 *
 * @param operationId which operation of the workflow it is
 * @param attempt counted from 1
 * @param beat what a heartbeat does
 * @param idempotencyKey the same in every attempt: for whoever must not do the same thing twice
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

    /** Another one in every attempt. */
    public String attemptKey() {
        return idempotencyKey + ":" + attempt;
    }
}
