package dev.pawl.engine.flow;

import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.Effect;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Which effects verifiers have said to have happened, and what they came to, for as long as this process drives their workflows: a verifier
 * that is asked again, because the first answer did not become durable, must not say otherwise. Safe for use by many threads.
 */
final class Answers {

    private final Map<WorkflowKey, Map<Effect.Key, Payload>> answers = new ConcurrentHashMap<>();

    @Nullable Payload get(WorkflowKey workflow, Effect.Key effect) {
        return answers.getOrDefault(workflow, Map.of()).get(effect);
    }

    void put(WorkflowKey workflow, Effect.Key effect, Payload result) {
        answers.computeIfAbsent(workflow, none -> new ConcurrentHashMap<>()).put(effect, result);
    }

    void forget(WorkflowKey workflow) {
        answers.remove(workflow);
    }
}
