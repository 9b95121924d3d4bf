package dev.pawl.store.row;

import dev.pawl.kernel.id.Recipient;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Waker;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What an activity waits for, as columns of its row; all of them null if it waits for nothing.
 *
 * @param waker TASK, TIMER, HOOK, TAKEN (a hook whose signal is on its way), LOCAL (run by the flow itself), AWAKE or CODE (the
 *        code of a flow that has to run, or waits for its operations), CHILD, RECEIPT or FAN_OUT
 * @param name the task's queue, the hook's topic, the runner of the local one, or the fan-out's cursor
 * @param attempt the task's or the local one's; how much news the code of a flow has been told
 * @param dueAt when the timer is due or the task's time is up, in milliseconds
 */
public record WakerRow(@Nullable String waker, @Nullable String name, @Nullable Long dueAt, @Nullable Integer attempt,
        @Nullable Payload taskInput) {

    private static final WakerRow NONE = new WakerRow(null, null, null, null, null);

    public static WakerRow of(Waker waker) {
        return switch (waker) {
            case Waker.None none -> NONE;
            case Waker.Task task -> new WakerRow("TASK", FreeText.column(task.queue()), task.deadline().toEpochMilli(),
                    task.attempt(), task.input());
            case Waker.Timer timer -> new WakerRow("TIMER", null, timer.dueAt().toEpochMilli(), null, null);
            case Waker.Hook hook ->
                new WakerRow(hook.taken() ? "TAKEN" : "HOOK", FreeText.column(hook.topic()), null, null, null);
            case Waker.Local local ->
                new WakerRow("LOCAL", FreeText.column(local.runner()), null, local.attempt(), null);
            case Waker.Code code -> new WakerRow(code.awake() ? "AWAKE" : "CODE", null, null, code.news(), null);
            case Waker.Child child -> new WakerRow("CHILD", null, null, null, null);
            case Waker.Receipt receipt -> new WakerRow("RECEIPT", null, null, null, null);
            case Waker.FanOut fanOut -> new WakerRow("FAN_OUT", FreeText.column(fanOut.cursor()), null, null, null);
        };
    }

    /** The waker these columns stand for; a child's is named in columns of their own, which outlive the waiting. */
    public Waker waker(@Nullable Recipient child) {
        if (waker == null) {
            return new Waker.None();
        }
        return switch (waker) {
            case "TASK" ->
                new Waker.Task(requiredName(), required(taskInput), required(attempt),
                        Instant.ofEpochMilli(required(dueAt)));
            case "TIMER" -> new Waker.Timer(Instant.ofEpochMilli(required(dueAt)));
            case "HOOK" -> new Waker.Hook(requiredName(), false);
            case "TAKEN" -> new Waker.Hook(requiredName(), true);
            case "LOCAL" -> new Waker.Local(required(attempt), name == null ? "" : requiredName());
            case "AWAKE" -> new Waker.Code(required(attempt), true);
            case "CODE" -> new Waker.Code(required(attempt), false);
            case "CHILD" -> new Waker.Child(required(child));
            case "RECEIPT" -> new Waker.Receipt();
            case "FAN_OUT" -> new Waker.FanOut(requiredName());
            default -> throw new IllegalStateException("a newer engine wrote a waker this one does not know: " + waker);
        };
    }

    public static @Nullable Recipient child(String namespace, @Nullable String group, @Nullable String workflowId) {
        return group == null || workflowId == null
                ? null
                : new Recipient(group, new WorkflowKey(namespace, workflowId));
    }

    /** A child lives in its parent's namespace, or a column would be missing. */
    public static @Nullable Recipient child(String namespace, ActivityRecord activity) {
        Recipient child = activity.child();
        if (child != null && !child.workflow().namespace().equals(namespace)) {
            throw new IllegalArgumentException(activity.key() + " has a child in another namespace: " + child);
        }
        return child;
    }

    private String requiredName() {
        return FreeText.text(required(name));
    }

    private static <T> T required(@Nullable T column) {
        return Objects.requireNonNull(column, "a waker lacks one of its columns");
    }
}
