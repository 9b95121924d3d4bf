package dev.pawl.engine.store;

import dev.pawl.kernel.lifecycle.WorkflowStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which workflows of a namespace to list; a null filter lets everything through.
 *
 * @param attributes what must hold of their attributes, all of it
 */
public record WorkflowQuery(String namespace, @Nullable String definition, @Nullable WorkflowStatus status,
        @Nullable String idPrefix, @Nullable Instant createdAfter, @Nullable Instant createdBefore,
        List<AttributeCondition> attributes) {

    public WorkflowQuery {
        attributes = List.copyOf(attributes);
    }

    public static WorkflowQuery all(String namespace) {
        return new WorkflowQuery(namespace, null, null, null, null, null, List.of());
    }

    public WorkflowQuery ofDefinition(String name) {
        return new WorkflowQuery(namespace, name, status, idPrefix, createdAfter, createdBefore, attributes);
    }

    public WorkflowQuery inStatus(WorkflowStatus wanted) {
        return new WorkflowQuery(namespace, definition, wanted, idPrefix, createdAfter, createdBefore, attributes);
    }

    public WorkflowQuery withIdPrefix(String prefix) {
        return new WorkflowQuery(namespace, definition, status, prefix, createdAfter, createdBefore, attributes);
    }

    /** From {@code after} on, up to but not including {@code before}. */
    public WorkflowQuery createdBetween(@Nullable Instant after, @Nullable Instant before) {
        return new WorkflowQuery(namespace, definition, status, idPrefix, after, before, attributes);
    }

    public WorkflowQuery where(AttributeCondition condition) {
        List<AttributeCondition> all = new ArrayList<>(attributes);
        all.add(condition);
        return new WorkflowQuery(namespace, definition, status, idPrefix, createdAfter, createdBefore, all);
    }
}
