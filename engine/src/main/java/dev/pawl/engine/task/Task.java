package dev.pawl.engine.task;

import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Payload;
import java.time.Instant;

/**
 * One attempt of an activity, handed out for execution. It is bound to the attempt, not to the engine that handed it out: its
 * answer counts whoever owns the shard by then.
 *
 * @param deadline after which it is handed out again, as the next attempt
 */
public record Task(String group, WorkflowKey workflow, ActivityKey activity, String queue, int attempt, Payload input,
        Instant deadline) {
}
