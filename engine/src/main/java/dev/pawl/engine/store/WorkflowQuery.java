package dev.pawl.engine.store;

import dev.pawl.kernel.lifecycle.WorkflowStatus;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Which workflows of a namespace to list; a null filter lets everything through. */
public record WorkflowQuery(String namespace, @Nullable String definition, @Nullable WorkflowStatus status,
        @Nullable String idPrefix, @Nullable Instant createdAfter, @Nullable Instant createdBefore) {

    public static WorkflowQuery all(String namespace) {
        return new WorkflowQuery(namespace, null, null, null, null, null);
    }

    public WorkflowQuery ofDefinition(String name) {
        return new WorkflowQuery(namespace, name, status, idPrefix, createdAfter, createdBefore);
    }

    public WorkflowQuery inStatus(WorkflowStatus wanted) {
        return new WorkflowQuery(namespace, definition, wanted, idPrefix, createdAfter, createdBefore);
    }

    public WorkflowQuery withIdPrefix(String prefix) {
        return new WorkflowQuery(namespace, definition, status, prefix, createdAfter, createdBefore);
    }

    /** From {@code after} on, up to but not including {@code before}. */
    public WorkflowQuery createdBetween(@Nullable Instant after, @Nullable Instant before) {
        return new WorkflowQuery(namespace, definition, status, idPrefix, after, before);
    }
}
