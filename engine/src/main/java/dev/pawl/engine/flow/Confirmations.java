package dev.pawl.engine.flow;

import dev.pawl.engine.store.ShardId;
import dev.pawl.kernel.id.WorkflowKey;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Which recorded results the outside world has confirmed while their shards were owned here: a flow that is put aside often does not ask
 * as often. Safe for use by many threads.
 */
final class Confirmations {

    /** Nothing is lost with it but a few looks. */
    private static final int WORKFLOWS_MAX = 100_000;

    private final Map<ShardId, Map<WorkflowKey, Set<String>>> byShard = new ConcurrentHashMap<>();
    private final LongAdder warnings = new LongAdder();

    boolean has(ShardId shard, WorkflowKey workflow, String operation) {
        return byShard.getOrDefault(shard, Map.of()).getOrDefault(workflow, Set.of()).contains(operation);
    }

    void add(ShardId shard, WorkflowKey workflow, String operation) {
        Map<WorkflowKey, Set<String>> all = byShard.computeIfAbsent(shard, none -> new ConcurrentHashMap<>());
        if (all.size() >= WORKFLOWS_MAX) {
            all.clear();
        }
        all.computeIfAbsent(workflow, none -> ConcurrentHashMap.newKeySet()).add(operation);
    }

    void forget(ShardId shard) {
        byShard.remove(shard);
    }

    void forget(WorkflowKey workflow) {
        byShard.values().forEach(all -> all.remove(workflow));
    }

    void warned() {
        warnings.increment();
    }

    long warnings() {
        return warnings.sum();
    }
}
