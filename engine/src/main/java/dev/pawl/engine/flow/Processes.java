package dev.pawl.engine.flow;

import dev.pawl.engine.task.ProcessLease;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Which processes attempts are waited for of, until the engine sees that one of them is gone. Safe for use by many threads. */
final class Processes {

    private final Supplier<ProcessLease> lease;
    private final Map<String, CompletableFuture<Void>> awaited = new ConcurrentHashMap<>();

    Processes(Supplier<ProcessLease> lease) {
        this.lease = lease;
    }

    /** Completes when a process has no lease, at the earliest with the next look of the engine. This process itself is never gone. */
    CompletableFuture<Void> gone(String process) {
        CompletableFuture<Void> gone = awaited.computeIfAbsent(process, missing -> new CompletableFuture<>());
        lease.get().look();
        return gone;
    }

    /** What the engine has seen. */
    void present(Set<String> processes) {
        for (Iterator<Map.Entry<String, CompletableFuture<Void>>> each = awaited.entrySet().iterator(); each
                .hasNext();) {
            Map.Entry<String, CompletableFuture<Void>> next = each.next();
            if (!processes.contains(next.getKey()) && !next.getKey().equals(lease.get().process())) {
                each.remove();
                next.getValue().complete(null);
            }
        }
    }
}
