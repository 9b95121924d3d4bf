package dev.pawl.engine.store;

import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.workflow.Waker;

/** An open activity of an open workflow, and what will wake it. */
public record Waiting(WorkflowKey workflow, ActivityKey activity, Waker waker) {
}
