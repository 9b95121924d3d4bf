package dev.pawl.engine.shard;

import dev.pawl.engine.store.Waiting;
import dev.pawl.engine.task.Dispatcher;
import dev.pawl.engine.task.Task;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.ledger.LedgerViolation;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Waker;
import java.util.HashMap;
import java.util.Map;

/**
 * Which attempt of which task is known to be out. A task is dispatched when the commit that declares its attempt is durable,
 * and never twice by the same owner; what an earlier owner handed out is left alone until its deadline.
 */
final class TaskTable {

    private final String group;
    private final Dispatcher dispatcher;
    private final Map<Place, Integer> attempts = new HashMap<>();

    private record Place(WorkflowKey workflow, ActivityKey activity) {
    }

    TaskTable(String group, Dispatcher dispatcher) {
        this.group = group;
        this.dispatcher = dispatcher;
    }

    void clear() {
        attempts.clear();
    }

    /** Found at the claim: somebody may be working on it. */
    void found(Waiting waiting) {
        if (waiting.waker() instanceof Waker.Task task) {
            attempts.put(new Place(waiting.workflow(), waiting.activity()), task.attempt());
        }
    }

    void committed(Bundle bundle) {
        for (Bundle.Part part : bundle.parts()) {
            for (Write write : part.writes()) {
                if (write instanceof Write.PutActivity put) {
                    settle(bundle.workflow(), put.activity());
                }
            }
        }
    }

    private void settle(WorkflowKey workflow, ActivityRecord activity) {
        if (!(activity.waker() instanceof Waker.Task task)) {
            if (!attempts.isEmpty()) {
                attempts.remove(new Place(workflow, activity.key()));
            }
            return;
        }
        Integer known = attempts.put(new Place(workflow, activity.key()), task.attempt());
        if (known != null && known > task.attempt()) {
            throw new LedgerViolation(workflow + " " + activity.key() + " is at attempt " + task.attempt()
                    + " of its task, although attempt " + known + " was handed out");
        }
        if (known == null || known != task.attempt()) {
            dispatch(new Task(group, workflow, activity.key(), task.queue(), task.attempt(), task.input(),
                    task.deadline()));
        }
    }

    private void dispatch(Task task) {
        try {
            dispatcher.dispatch(task);
        } catch (RuntimeException e) {
            // The commit stands, whatever the dispatcher thinks of it: a task lost on the way is handed out after its deadline.
        }
    }
}
