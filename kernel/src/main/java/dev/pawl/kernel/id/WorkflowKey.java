package dev.pawl.kernel.id;

/** One workflow: its id is unique in its namespace, and the namespace leads every key. */
public record WorkflowKey(String namespace, String workflowId) implements Comparable<WorkflowKey> {

    public WorkflowKey {
        Names.require("namespace", namespace);
        Names.require("workflowId", workflowId);
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
