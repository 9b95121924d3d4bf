package dev.pawl.kernel.workflow;

import dev.pawl.kernel.id.Recipient;
import dev.pawl.kernel.message.Payload;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What will wake an open activity. Every open workflow can name its wakers: these, and the messages in its queue. */
public sealed interface Waker {

    /** As events tell of it. No two wakers read the same, whatever their topics and cursors are: no kind begins with the word of another. */
    default String text() {
        return switch (this) {
            case None none -> "";
            case Task task -> "task " + task.queue() + " attempt " + task.attempt() + " until "
                    + task.deadline().toEpochMilli();
            case Timer timer -> "timer " + timer.dueAt().toEpochMilli();
            case Hook hook -> (hook.taken() ? "taken hook " : "hook ") + hook.topic();
            case Local local -> "local attempt " + local.attempt() + " of " + local.runner();
            case Code code -> (code.awake() ? "code awake " : "code ") + code.news();
            case Child child -> "child";
            case FanOut fanOut -> "fan-out " + fanOut.cursor();
            case Receipt receipt -> "receipt";
        };
    }

    /**
     * Whether it has to be found without loading its workflow: by the clock, by a topic, by a worker's answer, or because a new owner of the
     * shard has to go on with it. The others are found in a workflow that has one of these, or a message in its queue.
     */
    default boolean open() {
        return switch (this) {
            case None none -> false;
            case Local local -> false;
            case Code code -> code.awake();
            case Hook hook -> !hook.taken();
            case Task task -> true;
            case Timer timer -> true;
            case Child child -> true;
            case Receipt receipt -> true;
            case FanOut fanOut -> true;
        };
    }

    /**
     * Reads what {@link #text} writes.
     *
     * @param taskInput what the worker of a task is given
     * @param child the workflow that the activity has started, if it has started one
     */
    static Waker of(String text, Payload taskInput, @Nullable Recipient child) {
        int space = text.indexOf(' ');
        String word = space < 0 ? text : text.substring(0, space);
        String rest = text.substring(space + 1);
        return switch (word) {
            case "" -> new None();
            case "task" -> task(rest, taskInput);
            case "timer" -> new Timer(Instant.ofEpochMilli(Long.parseLong(rest)));
            case "hook" -> new Hook(rest, false);
            case "taken" -> new Hook(rest.substring("hook ".length()), true);
            case "local" -> local(rest);
            case "code" ->
                rest.startsWith("awake ") ? new Code(Integer.parseInt(rest.substring("awake ".length())), true)
                        : new Code(Integer.parseInt(rest), false);
            case "child" -> new Child(Objects.requireNonNull(child));
            case "fan-out" -> new FanOut(rest);
            case "receipt" -> new Receipt();
            default -> throw new IllegalArgumentException("no activity waits for '" + word + "'");
        };
    }

    /** A queue may have any name, so the numbers are looked for from the end. */
    private static Task task(String text, Payload input) {
        int until = text.lastIndexOf(" until ");
        int attempt = text.lastIndexOf(" attempt ", until);
        return new Task(text.substring(0, attempt), input,
                Integer.parseInt(text.substring(attempt + " attempt ".length(), until)),
                Instant.ofEpochMilli(Long.parseLong(text.substring(until + " until ".length()))));
    }

    private static Local local(String text) {
        int of = text.indexOf(" of ");
        return new Local(Integer.parseInt(text.substring("attempt ".length(), of)),
                text.substring(of + " of ".length()));
    }

    /** Stores keep milliseconds; cutting one off would make a timer fire early. */
    private static Instant roundedUp(Instant instant) {
        Instant whole = instant.truncatedTo(ChronoUnit.MILLIS);
        return whole.equals(instant) ? instant : whole.plusMillis(1);
    }

    /** Nothing: it is done, or a message is on its way to it. */
    record None() implements Waker {
    }

    /** A worker's answer to this attempt. */
    record Task(String queue, Payload input, int attempt, Instant deadline) implements Waker {

        public Task {
            deadline = roundedUp(deadline);
        }
    }

    /** The clock. */
    record Timer(Instant dueAt) implements Waker {

        public Timer {
            dueAt = roundedUp(dueAt);
        }
    }

    /** A signal on a topic; {@code taken} while one that came early is on its way, so that no second one is routed here. */
    record Hook(String topic, boolean taken) implements Waker {

        public boolean awaits(String signalTopic) {
            return !taken && topic.equals(signalTopic);
        }
    }

    /** Another workflow. */
    record Child(Recipient child) implements Waker {
    }

    /** The receipt for a signal to another workflow, or to this one. */
    record Receipt() implements Waker {
    }

    /**
     * The flow's own thread, which runs this attempt of an operation: no worker outside of it has the task.
     *
     * @param runner which run of it in which process: the outcome comes from there, by a later owner's inbox if need be, unless that process is
     *        gone. Of no two declarations the same: one that did not become durable must not be taken for one that did
     */
    record Local(int attempt, String runner) implements Waker {
    }

    /**
     * The code of a flow, which waits for its own operations.
     *
     * @param news how often something it may wait for has come
     * @param awake whether it has to run: it is under way, or has not heard the latest news
     */
    record Code(int news, boolean awake) implements Waker {

        /** Something has come. */
        public Code told() {
            return new Code(news + 1, true);
        }

        /** The code waits, and has heard so much. What came in the meantime keeps it awake. */
        public Code seen(int heard) {
            return new Code(news, news != heard);
        }
    }

    /** Its own turn again: a fan-out too large for one commit has sent everything before the cursor. */
    record FanOut(String cursor) implements Waker {
    }
}
