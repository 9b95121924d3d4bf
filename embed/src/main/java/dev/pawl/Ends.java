package dev.pawl;

import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.WorkflowKey;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Workflows that ended here lately, and who waits for others. Safe for use by many threads. */
final class Ends {

    private static final int KEPT_MAX = 10_000;

    private final Map<WorkflowKey, CompletableFuture<Write.CloseWorkflow>> awaited = new LinkedHashMap<>();
    private final Map<WorkflowKey, Write.CloseWorkflow> ended = new LinkedHashMap<>();

    synchronized CompletableFuture<Write.CloseWorkflow> of(WorkflowKey workflow) {
        Write.CloseWorkflow known = ended.get(workflow);
        return known != null ? CompletableFuture.completedFuture(known)
                : awaited.computeIfAbsent(workflow, none -> new CompletableFuture<>());
    }

    void ended(WorkflowKey workflow, Write.CloseWorkflow end) {
        CompletableFuture<Write.CloseWorkflow> waiting = note(workflow, end);
        if (waiting != null) {
            waiting.complete(end);
        }
    }

    private synchronized @Nullable CompletableFuture<Write.CloseWorkflow> note(WorkflowKey workflow,
            Write.CloseWorkflow end) {
        ended.put(workflow, end);
        if (ended.size() > KEPT_MAX) {
            ended.remove(ended.keySet().iterator().next());
        }
        return awaited.remove(workflow);
    }

    /** Its id may be used again, after a sweep. */
    synchronized void forget(WorkflowKey workflow) {
        ended.remove(workflow);
    }
}
