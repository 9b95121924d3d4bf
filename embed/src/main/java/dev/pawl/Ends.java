package dev.pawl;

import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.WorkflowKey;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Workflows that ended here lately, and who waits for others. Safe for use by many threads. */
final class Ends {

    /** Whoever asks later than that reads. */
    private static final int KEPT_MAX = 10_000;
    private static final long KEPT_BYTES_MAX = 8 * 1024 * 1024;

    private final Map<WorkflowKey, Awaited> awaited = new HashMap<>();
    private final Map<WorkflowKey, Write.CloseWorkflow> ended = new LinkedHashMap<>();
    private long keptBytes;

    /** An end that has not come, and how many wait for it. */
    private record Awaited(CompletableFuture<Write.CloseWorkflow> end, int waiters) {

        Awaited with(int more) {
            return new Awaited(end, waiters + more);
        }
    }

    /** What is complete when the workflow has ended here. Whoever asked for it {@link #leave leaves} afterwards. */
    synchronized CompletableFuture<Write.CloseWorkflow> await(WorkflowKey workflow) {
        Write.CloseWorkflow known = ended.get(workflow);
        return known != null ? CompletableFuture.completedFuture(known)
                : awaited.merge(workflow, new Awaited(new CompletableFuture<>(), 1), (before, one) -> before.with(1))
                        .end();
    }

    synchronized void leave(WorkflowKey workflow) {
        awaited.computeIfPresent(workflow, (key, before) -> before.waiters() == 1 ? null : before.with(-1));
    }

    void ended(WorkflowKey workflow, Write.CloseWorkflow end) {
        Awaited waiting = note(workflow, end);
        if (waiting != null) {
            waiting.end().complete(end);
        }
    }

    private synchronized @Nullable Awaited note(WorkflowKey workflow, Write.CloseWorkflow end) {
        forget(workflow);
        ended.put(workflow, end);
        keptBytes += end.output().size();
        while (ended.size() > KEPT_MAX || keptBytes > KEPT_BYTES_MAX) {
            forget(ended.keySet().iterator().next());
        }
        return awaited.remove(workflow);
    }

    /** Its id may be used again, after a sweep. */
    synchronized void forget(WorkflowKey workflow) {
        Write.@Nullable CloseWorkflow end = ended.remove(workflow);
        keptBytes -= end == null ? 0 : end.output().size();
    }

    /** How many are kept, and how many are waited for. */
    synchronized int size() {
        return ended.size() + awaited.size();
    }
}
