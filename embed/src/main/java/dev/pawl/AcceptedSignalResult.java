package dev.pawl;

import java.time.Instant;

/**
 * What came of a signal that was accepted, now or before: the same in both cases.
 *
 * @param accepted always true
 * @param signalStorageKey where its payload was put
 */
public record AcceptedSignalResult(boolean accepted, String workflowId, String signalName, String signalId,
        Instant acceptedAt, String signalStorageKey) {
}
