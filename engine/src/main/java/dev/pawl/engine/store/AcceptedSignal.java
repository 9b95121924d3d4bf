package dev.pawl.engine.store;

import dev.pawl.kernel.id.WorkflowKey;
import java.time.Instant;

/** The accepted result of a signal, the same for every retry until it expires. It holds no payload. */
public record AcceptedSignal(WorkflowKey workflow, String signalName, String signalId, Instant acceptedAt,
        String signalStorageKey) {
}
