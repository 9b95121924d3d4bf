package dev.pawl.engine.store;

import dev.pawl.kernel.id.Names;
import dev.pawl.kernel.id.WorkflowKey;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/** A unit of single-writer ownership: one of the shards of a group. */
public record ShardId(String namespace, String group, int number) implements Comparable<ShardId> {

    public ShardId {
        Names.require("namespace", namespace);
        Names.require("group", group);
        if (number < 0) {
            throw new IllegalArgumentException("a shard's number is 0 or more, not " + number);
        }
    }

    /**
     * The shard a workflow lives in, for good: the CRC-32C of its id, modulo the number of shards its group was created
     * with. Released files depend on it; it never changes.
     */
    public static ShardId of(WorkflowKey workflow, String group, int count) {
        CRC32C crc = new CRC32C();
        crc.update(workflow.workflowId().getBytes(StandardCharsets.UTF_8));
        return new ShardId(workflow.namespace(), group, (int) (crc.getValue() % count));
    }

    @Override
    public int compareTo(ShardId other) {
        int byNamespace = namespace.compareTo(other.namespace);
        int byGroup = byNamespace != 0 ? byNamespace : group.compareTo(other.group);
        return byGroup != 0 ? byGroup : Integer.compare(number, other.number);
    }

    @Override
    public String toString() {
        return namespace + "/" + group + "/" + number;
    }
}
