package dev.pawl;

import java.util.List;

/**
 * What a check of a workflow's record has found: whether its events follow from one another, and whether its rows are what the events say
 * of them. It covers input, status and result of the workflow, outputs, ledgers and waits of its operations, effects, attributes and
 * kept signals; not what the events say nothing of: messages on their way, and inputs of a flow's operations.
 *
 * @param events how many events are proven to be as they were written, from the first one on
 * @param differences what is not as it was written; empty if nothing was found
 */
public record CheckReport(String workflowId, long events, List<Difference> differences) {

    /**
     * One thing that is not as it was written.
     *
     * @param where the event, the operation, or another part of the record
     * @param what how it differs, for people
     */
    public record Difference(String where, String what) {

        @Override
        public String toString() {
            return where + ": " + what;
        }
    }

    public boolean consistent() {
        return differences.isEmpty();
    }

    @Override
    public String toString() {
        return consistent()
                ? workflowId + " is consistent, " + events + " events"
                : workflowId + " is not as it was written, " + events + " events hold: "
                        + String.join("; ", differences.stream().map(Difference::toString).toList());
    }
}
