package dev.pawl.engine.flow;

import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Attribute;
import dev.pawl.kernel.workflow.Effect;
import dev.pawl.kernel.workflow.EffectRecord;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Looks in the store for what the journal does not hold. While the store is away it is asked again, for without an answer nothing can be
 * decided.
 */
final class Lookup {

    private static final Duration REST = Duration.ofMillis(100);

    private final FlowRuntime runtime;
    private final WorkflowKey workflow;
    private final Strands strands;

    Lookup(FlowRuntime runtime, WorkflowKey workflow, Strands strands) {
        this.runtime = runtime;
        this.workflow = workflow;
        this.strands = strands;
    }

    /** What is stored of an effect. Asked for after a crash only: otherwise the code itself has written it last. */
    @Nullable Effect effect(Strand strand, Effect.Key effect) {
        return look(strand, () -> runtime.engine().effects(workflow)).stream().map(EffectRecord::effect)
                .filter(each -> each.key().equals(effect)).findFirst().orElse(null);
    }

    /** Whether the store has taken a signal to this workflow, wherever it lies now. */
    boolean accepted(Strand strand, String topic, String signalId) {
        return look(strand, () -> runtime.engine().accepted(workflow, topic, signalId));
    }

    List<Attribute> attributes(Strand strand) {
        return look(strand, () -> runtime.engine().attributes(workflow));
    }

    private <T> T look(Strand strand, Supplier<T> question) {
        while (true) {
            strands.check(strand);
            CompletableFuture<T> answer = new CompletableFuture<>();
            try {
                runtime.threads().beside(() -> {
                    try {
                        answer.complete(question.get());
                    } catch (RuntimeException e) {
                        answer.completeExceptionally(e);
                    }
                });
                return runtime.threads().await(answer);
            } catch (CompletionException | RejectedExecutionException e) {
                rest();
            }
        }
    }

    private void rest() {
        try {
            runtime.threads().await(new CompletableFuture<Void>(), REST);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            // It is time to look again.
        }
    }
}
