package dev.pawl.engine.flow;

import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.Effect;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which effects verifiers have told this process to have happened, and what they came to: one that is asked again, because its first answer
 * did not become durable, must not say otherwise. The latest only, for it must not grow for ever. Safe for use by many threads.
 */
final class Answers {

    private static final int KEPT_MAX = 10_000;

    private final Map<Asked, Payload> answers = new LinkedHashMap<>() {

        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Asked, Payload> eldest) {
            return size() > KEPT_MAX;
        }
    };

    /** An id may be used again when its workflow is gone; what was said of that one says nothing of the next. */
    private record Asked(String effect, Instant createdAt) {

        static Asked of(WorkflowRecord workflow, Effect.Key effect) {
            return new Asked(effect.text(workflow.key()), workflow.createdAt());
        }
    }

    @Nullable Payload get(WorkflowRecord workflow, Effect.Key effect) {
        synchronized (answers) {
            return answers.get(Asked.of(workflow, effect));
        }
    }

    void put(WorkflowRecord workflow, Effect.Key effect, Payload result) {
        synchronized (answers) {
            answers.put(Asked.of(workflow, effect), result);
        }
    }
}
