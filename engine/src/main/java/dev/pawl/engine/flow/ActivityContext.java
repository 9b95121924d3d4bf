package dev.pawl.engine.flow;

/**
 * One attempt of an activity, as its code sees it.
 *
 * @param operationId which operation of the workflow it is
 * @param attempt counted from 1
 * @param idempotencyKey the same in every attempt: for whoever must not do the same thing twice
 */
public record ActivityContext(String namespace, String workflowId, String operationId, int attempt,
        String idempotencyKey) {

    /** Another one in every attempt. */
    public String attemptKey() {
        return idempotencyKey + ":" + attempt;
    }
}
