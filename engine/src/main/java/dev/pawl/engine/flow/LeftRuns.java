package dev.pawl.engine.flow;

import dev.pawl.engine.store.ShardId;
import dev.pawl.kernel.collation.Advance;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Runs of plain steps that were not declared, and whose incarnation died before their end was durable: a lost commit, for example. The next
 * incarnation in this process takes such a run over instead of beginning the step a second time. Safe for use by many threads.
 */
final class LeftRuns {

    private final Map<WorkflowKey, Map<String, Run>> runs = new ConcurrentHashMap<>();

    /**
     * One run of a step.
     *
     * @param createdAt tells the workflow from a later one that has its id
     * @param declaration declares the step with this run, if that has to be
     * @param end how it has ended
     */
    record Run(ShardId shard, Instant createdAt, Advance.Begin declaration, Interruption interruption,
            CompletableFuture<AttemptOutcome> end) {

        String operation() {
            return declaration.operation().activity();
        }
    }

    void add(WorkflowKey workflow, Run run) {
        runs.computeIfAbsent(workflow, none -> new ConcurrentHashMap<>()).put(run.operation(), run);
    }

    /** The run is taken over, or recorded already. */
    void remove(WorkflowKey workflow, Run run) {
        Map<String, Run> left = runs.get(workflow);
        if (left != null) {
            left.remove(run.operation(), run);
        }
    }

    /** The run of a step; null if there is none. */
    @Nullable Run find(WorkflowRecord workflow, String operation) {
        Map<String, Run> left = runs.get(workflow.key());
        Run run = left == null ? null : left.get(operation);
        return run != null && run.createdAt().equals(workflow.createdAt()) ? run : null;
    }

    boolean any() {
        return runs.values().stream().anyMatch(left -> !left.isEmpty());
    }

    boolean any(WorkflowKey workflow) {
        Map<String, Run> left = runs.get(workflow);
        return left != null && !left.isEmpty();
    }

    boolean any(ShardId shard) {
        return runs.values().stream()
                .anyMatch(left -> left.values().stream().anyMatch(run -> run.shard().equals(shard)));
    }

    void forget(WorkflowKey workflow) {
        runs.remove(workflow);
    }

    /** Another process may have the shard: it knows nothing of these runs. */
    void forget(ShardId shard) {
        runs.values().removeIf(left -> left.values().stream().allMatch(run -> run.shard().equals(shard)));
    }
}
