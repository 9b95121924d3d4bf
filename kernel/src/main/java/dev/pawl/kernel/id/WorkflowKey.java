package dev.pawl.kernel.id;

import org.jspecify.annotations.Nullable;

/** One workflow: its id is unique in its namespace, and the namespace leads every key. */
public record WorkflowKey(String namespace, String workflowId) implements Comparable<WorkflowKey> {

    public WorkflowKey {
        Names.require("namespace", namespace);
        Names.require("workflowId", workflowId);
    }

    /** By hand, because it is hot, and what the compiler makes of it is slow until it is compiled. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof WorkflowKey that && workflowId.equals(that.workflowId)
                && namespace.equals(that.namespace);
    }

    @Override
    public int hashCode() {
        return 31 * workflowId.hashCode() + namespace.hashCode();
    }

    @Override
    public int compareTo(WorkflowKey other) {
        int byNamespace = namespace.compareTo(other.namespace);
        return byNamespace != 0 ? byNamespace : workflowId.compareTo(other.workflowId);
    }

    @Override
    public String toString() {
        return namespace + "/" + workflowId;
    }
}
