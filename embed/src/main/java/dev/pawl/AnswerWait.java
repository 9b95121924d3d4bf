package dev.pawl;

import dev.pawl.engine.flow.FlowControl;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Waits for the answer to an update, in the run that has it. Each look reads one row, and searches the events since the last look. Not thread-safe. */
final class AnswerWait {

    private static final long PAUSE_MILLIS_MAX = 50;

    private final Pawl pawl;
    private final String topic;
    /** The run that has the update, and the update's GUID there. */
    private WorkflowKey key;
    private String guid;
    /** Whether this run continues another one: then its start is durable, but may still be in an inbox. */
    private boolean continued;
    /** The last event of the run that was searched for the answer. */
    private long searched;
    /** Why the workflow was parked at the last look. */
    private @Nullable String parked;

    AnswerWait(Pawl pawl, WorkflowKey key, String topic, String guid) {
        this.pawl = pawl;
        this.key = key;
        this.topic = topic;
        this.guid = guid;
    }

    Payload await(Duration timeout, Instant deadline) {
        String what = "answer of " + key.workflowId() + " to an update";
        for (long pause = 1;; pause = Math.min(2 * pause, PAUSE_MILLIS_MAX)) {
            Duration left = Duration.between(pawl.clock().instant(), deadline);
            Payload answer = pawl.calling(what, left, this::look).orElse(null);
            if (answer != null) {
                return answer;
            }
            if (!pawl.clock().instant().isBefore(deadline)) {
                if (parked != null) {
                    throw new WorkflowParked(key.workflowId(), parked);
                }
                throw WorkflowError.timeout(key.workflowId() + " has not answered within " + timeout);
            }
            pawl.pause(pause, what);
        }
    }

    private Optional<Payload> look() {
        WorkflowRecord run = pawl.store().workflow(key);
        parked = EndWait.parked(run);
        ActivityRecord answer = run == null || run.version() == searched ? null
                : pawl.store().activity(key, FlowControl.updateOperation(guid), searched);
        searched = run == null ? 0 : run.version();
        // A run that had ended when its row was read answers nothing more.
        if (answer == null && (run == null ? !continued : run.status().terminal())) {
            follow(run);
        }
        return Optional.ofNullable(answer).map(ActivityRecord::output);
    }

    /** An update that a run has not answered goes to the run that continues it. */
    private void follow(@Nullable WorkflowRecord run) {
        WorkflowKey next = run == null ? null : RunChain.next(run);
        if (next == null) {
            throw WorkflowError.closed(key.workflowId());
        }
        guid = Guid.ofRequest(next, topic, guid).toString();
        key = next;
        searched = 0;
        continued = true;
    }
}
