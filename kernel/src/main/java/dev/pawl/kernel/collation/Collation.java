package dev.pawl.kernel.collation;

import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Bundle.Part;
import dev.pawl.kernel.bundle.Overlay;
import dev.pawl.kernel.bundle.Step;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.event.Json;
import dev.pawl.kernel.event.Occasion;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.kernel.workflow.Waker;
import dev.pawl.kernel.workflow.WorkflowRecord;
import dev.pawl.kernel.workflow.WorkflowView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The kernel: what a message does to its workflow, as a pure function of what is durable.
 *
 * <p>Whatever is committed of a bundle, and however often the message comes again, running the transition on the result
 * comes to the same end.
 */
public final class Collation {

    /** How many messages one commit sends to other workflows; a larger fan-out goes in chunks. */
    public static final int FAN_OUT_MAX = 1_000;

    /** The code in the reason of a workflow whose definition no owner of its shard has had. */
    public static final String DEFINITION_MISSING = "DefinitionMissing";

    private Collation() {
    }

    /** What the ledgers say about a message, before anything is done about it. */
    public static Entry enter(WorkflowView view, Message message, Instant now) {
        return new Entering(view, now).enter(message);
    }

    /**
     * Step 1 of a start alone, for whoever starts a workflow without owning its shard: it only inserts, so it needs no
     * fence. The start itself must be left in the inbox in the same commit; the owner resumes it with step 2.
     */
    public static Bundle inception(Message.Start start, Instant now) {
        return Bundle.sealed(start.workflow(), Snapshot.ABSENT, Occasion.of(start, now),
                List.of(Inception.part(start, now)));
    }

    /** The bundle that takes a delivered message as far as it goes, if that is not to all workflows that wait on a topic. */
    public static Transition transition(WorkflowView view, Delivery delivery, Behaviour behaviour, Instant now) {
        return transition(view, delivery, behaviour, Audience.NONE, now);
    }

    /** The bundle that takes a delivered message as far as it goes. */
    public static Transition transition(WorkflowView view, Delivery delivery, Behaviour behaviour, Audience audience,
            Instant now) {
        return new Transitions(view, delivery, behaviour, audience, now).run();
    }

    /**
     * Accepts a signal and takes it as far as it goes, in one bundle. Null if what is durable does not simply let it in: then it is
     * nothing new, or its workflow takes none, and only the store can tell its sender which.
     */
    public static @Nullable Transition accept(WorkflowView view, Write.Accept accept, Message.Signal signal,
            Behaviour behaviour, Instant now) {
        return new Transitions(view, Delivery.ofRow(signal), behaviour, Audience.NONE, now).accept(accept);
    }

    /**
     * Charges an entry to a message that is delivered again after an unclean takeover, in a commit of its own and before
     * its work: a message that kills its engine counts its own kills.
     */
    public static Redelivery redeliver(WorkflowView view, Delivery delivery, Instant now) {
        Message message = delivery.message();
        ActivityRecord activity = message instanceof Message.Enter enter ? view.activity(enter.target()) : null;
        boolean legOneFull = activity != null && activity.ledger().legOneExhausted();
        if (legOneFull || delivery.marks() == Delivery.MARKS_MAX) {
            Entry.Overflow overflow = new Entry.Overflow(message instanceof Message.Enter ? Leg.ONE : Leg.TWO);
            return new Redelivery.GivenUp(bundle(view, message, now, Step.ACK,
                    giveUp(delivery).toArray(Write[]::new)), overflow);
        }
        Write charge = new Write.Charge(delivery.place(), delivery.marks() + 1);
        Delivery again = new Delivery(delivery.place(), message, delivery.marks() + 1);
        Bundle bundle = activity == null
                ? bundle(view, message, now, Step.ENTRY, charge)
                : bundle(view, message, now, Step.ENTRY, charge,
                        new Write.PutActivity(activity.with(activity.ledger().enterLegOne())));
        return new Redelivery.Charged(bundle, again);
    }

    /**
     * Gives a message that lies nowhere a place in its workflow's queue, where it is found again after a crash and can be
     * charged.
     */
    public static Bundle lodge(Overlay view, Message message, Instant now) {
        return Bundle.sealed(message.workflow(), view, Occasion.of(message, now),
                List.of(Part.of(Step.ENTRY, lodged(view.started(), message))));
    }

    static Write.Enqueue lodged(WorkflowRecord workflow, Message message) {
        return new Write.Enqueue(workflow.messages(), message);
    }

    /**
     * Refuses a message that lies in the inbox of a shard its workflow does not live in. Touches the inbox alone, so it needs
     * no version; a parent that waits for a child hears of it, and so does the sender of a signal.
     */
    public static Bundle misdirected(Delivery delivery) {
        List<Write> writes = new ArrayList<>(Receipts.notFound(delivery.message()));
        if (delivery.message() instanceof Message.Start start) {
            writes.addAll(Inception.refusal(start));
        }
        writes.add(new Write.Acknowledge(delivery.place()));
        return new Bundle(delivery.message().workflow(), 0, List.of(new Part(Step.ACK, writes)), null);
    }

    /**
     * Hands a task out again, as the next attempt: its worker did not answer in time. What the earlier attempts still answer
     * counts all the same, until the activity has its last response.
     *
     * @param task the activity that waits for a worker
     */
    public static Bundle reattempt(Overlay view, ActivityRecord task, Instant deadline, Instant now) {
        if (!(task.waker() instanceof Waker.Task waiting)) {
            throw new IllegalArgumentException(task.key() + " does not wait for a worker");
        }
        Waker next = new Waker.Task(waiting.queue(), waiting.input(), waiting.attempt() + 1, deadline);
        WorkflowKey workflow = view.started().key();
        Guid attempt = Guid.ofAnswer(workflow, task.key(), waiting.attempt(), 0);
        return Bundle.sealed(workflow, view, new Occasion("reattempt", attempt, now),
                List.of(Part.of(Step.ENTRY, new Write.PutActivity(task.with(next)))));
    }

    /**
     * What the code of a flow has come to: its operations, and its own end if it has one. All of it in one bundle, so that the end
     * of one operation and the beginning of the next are one commit.
     */
    public static Advanced advance(WorkflowView view, Advance advance, Behaviour behaviour, Instant now) {
        Transitions transitions =
                new Transitions(view, Delivery.ofRow(advance.message()), behaviour, Audience.NONE, now);
        String misfit = transitions.advance(advance);
        if (misfit != null) {
            return new Advanced.Outdated(misfit);
        }
        if (advance.result() == null) {
            return new Advanced.Through(transitions.advanced(), null);
        }
        Transition end = transitions.run();
        return new Advanced.Through(end.bundle(), end.again());
    }

    /**
     * Holds an open workflow whose definition the owner of its shard does not have. Code of a flow is awake from then on, so that it is found
     * among what has to run. The next transition, by an owner that has the definition, lets the workflow go on.
     */
    public static Bundle park(WorkflowView view, WorkflowRecord workflow, Instant now) {
        String reason = Json.object().put("code", DEFINITION_MISSING)
                .put("definition", workflow.beginning().definition())
                .put("version", workflow.beginning().definitionVersion()).end();
        List<Write> writes = new ArrayList<>();
        writes.add(new Write.Hold(WorkflowStatus.PARKED, reason));
        for (ActivityRecord activity : view.activities()) {
            if (activity.waker() instanceof Waker.Code code) {
                writes.add(new Write.PutActivity(activity.with(code.told())));
            }
        }
        return Bundle.sealed(workflow.key(), view, new Occasion("park", Guid.ofStart(workflow.key()), now),
                List.of(new Part(Step.ENTRY, writes)));
    }

    /** Whether a workflow is held because of {@link #park}. */
    public static boolean lacksDefinition(WorkflowRecord workflow) {
        return workflow.status() == WorkflowStatus.PARKED
                && String.valueOf(workflow.reason()).startsWith("{\"code\":\"" + DEFINITION_MISSING + "\"");
    }

    static List<Write> giveUp(Delivery delivery) {
        List<Write> writes = new ArrayList<>(Receipts.givenUp(delivery.message()));
        writes.add(new Write.GiveUp(delivery.place(), "entered as often as a message may be"));
        return writes;
    }

    private static Bundle bundle(WorkflowView view, Message message, Instant now, Step step, Write... writes) {
        return Bundle.sealed(message.workflow(), view, new Occasion("redeliver", message.guid(), now),
                List.of(Part.of(step, writes)));
    }
}
