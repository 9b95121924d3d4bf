package dev.pawl.store.row;

import dev.pawl.kernel.id.Recipient;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.Waker;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What an activity waits for, as columns of its row; only what is {@link Waker#open} has one.
 *
 * @param waker TASK, TIMER, HOOK, AWAKE (the code of a flow that has to run), CHILD, RECEIPT or FAN_OUT
 * @param name the task's queue, the hook's topic, the child as group/namespace/id, or the fan-out's cursor
 * @param attempt the task's; how much news the code of a flow has been told
 * @param dueAt when the timer is due or the task's time is up, in milliseconds
 */
public record WakerRow(String waker, @Nullable String name, @Nullable Long dueAt, @Nullable Integer attempt,
        @Nullable Payload taskInput) {

    public static WakerRow of(Waker waker) {
        return switch (waker) {
            case Waker.Task task -> new WakerRow("TASK", FreeText.column(task.queue()), task.deadline().toEpochMilli(),
                    task.attempt(), task.input());
            case Waker.Timer timer -> new WakerRow("TIMER", null, timer.dueAt().toEpochMilli(), null, null);
            case Waker.Hook hook -> new WakerRow("HOOK", FreeText.column(hook.topic()), null, null, null);
            case Waker.Code code -> new WakerRow("AWAKE", null, null, code.news(), null);
            case Waker.Child child ->
                new WakerRow("CHILD", child.child().group() + '/' + child.child().workflow(), null, null, null);
            case Waker.Receipt receipt -> new WakerRow("RECEIPT", null, null, null, null);
            case Waker.FanOut fanOut -> new WakerRow("FAN_OUT", FreeText.column(fanOut.cursor()), null, null, null);
            case Waker.None none -> throw noRow(waker);
            case Waker.Local local -> throw noRow(waker);
        };
    }

    private static IllegalArgumentException noRow(Waker waker) {
        return new IllegalArgumentException("nobody has to find '" + waker.text() + "' without its workflow");
    }

    /** The waker these columns stand for. */
    public Waker read() {
        return switch (waker) {
            case "TASK" ->
                new Waker.Task(requiredName(), required(taskInput), required(attempt),
                        Instant.ofEpochMilli(required(dueAt)));
            case "TIMER" -> new Waker.Timer(Instant.ofEpochMilli(required(dueAt)));
            case "HOOK" -> new Waker.Hook(requiredName(), false);
            case "AWAKE" -> new Waker.Code(required(attempt), true);
            case "CHILD" -> new Waker.Child(child(required(name)));
            case "RECEIPT" -> new Waker.Receipt();
            case "FAN_OUT" -> new Waker.FanOut(requiredName());
            default -> throw new IllegalStateException("a newer engine wrote a waker this one does not know: " + waker);
        };
    }

    /** Group, namespace and id; none of them has a slash in it. */
    private static Recipient child(String name) {
        String[] parts = name.split("/", 3);
        return new Recipient(parts[0], new WorkflowKey(parts[1], parts[2]));
    }

    private String requiredName() {
        return FreeText.text(required(name));
    }

    private static <T> T required(@Nullable T column) {
        return Objects.requireNonNull(column, "a waker lacks one of its columns");
    }
}
