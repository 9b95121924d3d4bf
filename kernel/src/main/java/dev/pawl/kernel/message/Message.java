package dev.pawl.kernel.message;

import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.WorkflowKey;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A durable transition of one workflow. Its GUID is derived from its source, and owns a ledger. */
public sealed interface Message {

    WorkflowKey workflow();

    Guid guid();

    /** Creates the workflow, with the attributes it has from its birth, and runs its trigger. */
    record Start(WorkflowKey workflow, Beginning beginning, List<Attribute> attributes) implements Message {

        public Start {
            attributes = List.copyOf(attributes);
        }

        public Start(WorkflowKey workflow, Beginning beginning) {
            this(workflow, beginning, List.of());
        }

        @Override
        public Guid guid() {
            return Guid.ofStart(workflow);
        }
    }

    /** What a new workflow is made of. {@code threshold} is where its semaphore closes it, 0 unless chosen. */
    record Beginning(String group, String definition, String definitionVersion, String trigger, long threshold,
            Payload input, @Nullable Origin origin) {

        public Beginning {
            if (threshold < 0) {
                throw new IllegalArgumentException("a threshold is 0 or more, not " + threshold);
            }
        }
    }

    /** Leg one of an activity. The commit that sends it creates the activity, with its input and its first entry. */
    record Enter(WorkflowKey workflow, Guid guid, ActivityKey target) implements Message {
    }

    /** Another round of a cycle: enters the ancestor again, in a plane of its own. */
    record Reenter(WorkflowKey workflow, Guid guid, ActivityKey target, Payload input) implements Message {
    }

    /** Leg two of an activity: what it waited for has come. {@code attempt} is the task's, and 0 for what has none. */
    record Respond(WorkflowKey workflow, Guid guid, ActivityKey target, Source source, int attempt, Response response)
            implements Message {

        /** Only a task has attempts. */
        public Respond(WorkflowKey workflow, Guid guid, ActivityKey target, Source source, Response response) {
            this(workflow, guid, target, source, 0, response);
        }

        /** The clock has reached what a sleeping activity waits for. */
        public static Respond wake(WorkflowKey workflow, ActivityKey target, Instant dueAt) {
            Guid guid = Guid.ofTimer(workflow, target, dueAt.toEpochMilli());
            return new Respond(workflow, guid, target, Source.TIMER, new Response.Final(Payload.EMPTY));
        }

        /** A worker has given its last answer to one attempt of a task. */
        public static Respond answer(WorkflowKey workflow, ActivityKey target, int attempt, Response response) {
            if (!response.last()) {
                throw new IllegalArgumentException(
                        "an answer that is not the last needs a number of its own: pending(…)");
            }
            return new Respond(workflow, Guid.ofAnswer(workflow, target, attempt, 0), target, Source.TASK, attempt,
                    response);
        }

        /** A worker has answered for the {@code number}-th time, from 1 on, and will answer again. */
        public static Respond pending(WorkflowKey workflow, ActivityKey target, int attempt, int number,
                Payload payload) {
            if (number < 1) {
                throw new IllegalArgumentException("pending answers are numbered from 1 on, not " + number);
            }
            return new Respond(workflow, Guid.ofAnswer(workflow, target, attempt, number), target, Source.TASK, attempt,
                    new Response.Pending(payload));
        }
    }

    /** Where a response comes from. */
    enum Source {
        TASK, TIMER, SIGNAL, CHILD, RECEIPT
    }

    /**
     * A signal for whichever hook of the workflow waits on the topic, now or later.
     *
     * @param sender the workflow that waits for a receipt; null if none does
     */
    record Signal(WorkflowKey workflow, Guid guid, String topic, Response response, @Nullable Sender sender)
            implements Message {

        public Signal(WorkflowKey workflow, Guid guid, String topic, Response response) {
            this(workflow, guid, topic, response, null);
        }

        /** As it is kept: its receipt is sent in the same commit. */
        public Signal receipted() {
            return sender == null ? this : new Signal(workflow, guid, topic, response);
        }

        public Respond to(ActivityKey hook) {
            return new Respond(workflow, guid, hook, Source.SIGNAL, response);
        }
    }

    /** Ends the workflow from outside. */
    record Interrupt(WorkflowKey workflow, Guid guid, Ending ending) implements Message {
    }
}
