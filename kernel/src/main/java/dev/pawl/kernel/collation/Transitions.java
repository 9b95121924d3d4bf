package dev.pawl.kernel.collation;

import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Bundle.Part;
import dev.pawl.kernel.bundle.Overlay;
import dev.pawl.kernel.bundle.Step;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.event.Occasion;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.ledger.GuidLedger;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.GuidRecord;
import dev.pawl.kernel.workflow.Waker;
import dev.pawl.kernel.workflow.WorkflowRecord;
import dev.pawl.kernel.workflow.WorkflowView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One transition on its way: entry, then the leg or the steps the message stands for, then the acknowledgement. */
final class Transitions {

    private final Delivery delivery;
    private final Message message;
    private final Context context;
    private final WorkflowView view;
    private final @Nullable WorkflowRecord before;
    private final List<Part> parts = new ArrayList<>();
    /** Goes with the first writes, so that there is never the one without the other. */
    private Write.@Nullable Accept acceptance;
    private Guid advancedBy;

    Transitions(WorkflowView view, Delivery delivery, Behaviour behaviour, Audience audience, Instant now) {
        this.delivery = delivery;
        this.message = delivery.message();
        this.context = new Context(new Overlay(view), behaviour, audience, message.workflow(), message.guid(), now);
        this.view = view;
        this.before = view.workflow();
        this.advancedBy = message.guid();
    }

    /** Puts in front what the code of a flow has come to; says why if that does not fit any more. */
    @Nullable String advance(Advance advance) {
        Advancing advancing = new Advancing(context, advance);
        String misfit = advancing.misfit();
        if (misfit == null) {
            List<Write> writes = advancing.writes();
            if (!writes.isEmpty()) {
                parts.add(new Part(Step.SPAWN, writes));
            }
            advancedBy = advancing.first();
        }
        return misfit;
    }

    /** The transition as it stands, if the code of the flow goes on. */
    Bundle advanced() {
        return Bundle.sealed(message.workflow(), view, new Occasion(Occasion.ADVANCE, advancedBy, context.now()),
                parts);
    }

    /** Null if the signal does not simply go in. */
    @Nullable Transition accept(Write.Accept accept) {
        Entry entry = Collation.enter(context.overlay(), message, context.now());
        if (!(entry instanceof Entry.Fresh) && !(entry instanceof Entry.Keep)) {
            return null;
        }
        acceptance = accept;
        return run(entry);
    }

    Transition run() {
        return run(Collation.enter(context.overlay(), message, context.now()));
    }

    private Transition run(Entry entry) {
        // Who computes this has the definition.
        if (before != null && Collation.lacksDefinition(before)) {
            add(Step.ENTRY, new Write.Hold(WorkflowStatus.RUNNING, null));
        }
        boolean consumed = switch (entry) {
            case Entry.Fresh fresh -> acknowledge(fresh(fresh));
            case Entry.Resume resume -> acknowledge(steps(resume.activity()));
            case Entry.Keep(Message.Signal signal) -> acknowledge(keep(signal));
            case Entry.Return back -> acknowledge(giveBack(back));
            case Entry.Overflow overflow -> add(Step.ACK, Collation.giveUp(delivery));
            case Entry.Taken taken -> refuse((Message.Start) message);
            case Entry.Duplicate duplicate -> acknowledge(true);
            case Entry.Refused refused -> refused();
        };
        Delivery again = consumed ? null : comesAgain();
        return new Transition(entry,
                Bundle.sealed(message.workflow(), view, Occasion.of(message, context.now()), parts), again);
    }

    /** A signal or an interrupt that was sent before its workflow continued as new, and is read after that, goes to the next run. */
    private boolean refused() {
        Write forwarded = before != null && before.status() == WorkflowStatus.CONTINUED_AS_NEW
                ? Completion.forwarded(before, message)
                : null;
        List<Write> writes = new ArrayList<>(
                forwarded == null ? Receipts.refused(context.overlay(), message) : List.of(forwarded));
        writes.add(new Write.Acknowledge(delivery.place()));
        return add(Step.ACK, writes);
    }

    /** Its own ledger says that it is done, so that it goes back once. */
    private boolean giveBack(Entry.Return back) {
        GuidRecord own = context.overlay().known(message.guid());
        GuidLedger worked = own.ledger().ensureWorkDone();
        // A signal that is delivered once more, or what was made of it for its hook: nothing else has this GUID.
        Response response = message instanceof Message.Signal signal ? signal.response()
                : ((Message.Respond) message).response();
        List<Write> writes = new ArrayList<>();
        writes.add(new Write.PutGuid(own.with(worked.markChildrenSpawned())));
        writes.add(new Write.PutActivity(context.overlay().existing(back.hook()).waitingForNothing()));
        writes.addAll(new Signals(context.overlay())
                .giveBack(Signals.returned(context.workflow(), back.hook(), back.topic(), response)));
        return add(Step.WORK, writes);
    }

    private boolean keep(Message.Signal signal) {
        List<Write> writes = new ArrayList<>(Receipts.accepted(signal));
        writes.add(new Write.BufferSignal(signal.receipted()));
        ActivityKey flow = context.behaviour().heeds(signal.topic());
        ActivityRecord code = flow == null ? null : context.overlay().activity(flow);
        // Code that has not begun will look at everything.
        if (code != null && code.waker() instanceof Waker.Code) {
            writes.add(context.tell(code.key()));
        }
        return add(Step.WORK, writes);
    }

    /** A message that lies nowhere gets a place with its first commit: nobody else would bring it again. */
    private Delivery comesAgain() {
        if (!(delivery.place() instanceof Delivery.Place.Row)) {
            return delivery;
        }
        Write.Enqueue lodged = Collation.lodged(context.overlay().started(), message);
        add(Step.FAN_OUT, lodged);
        return Delivery.queued(lodged.number(), message);
    }

    private boolean acknowledge(boolean done) {
        if (done) {
            add(Step.ACK, new Write.Acknowledge(delivery.place()));
        }
        return done;
    }

    /** In one part: a refused start has no ledger that could say that its parent was told already. */
    private boolean refuse(Message.Start start) {
        List<Write> writes = new ArrayList<>(Inception.refusal(start));
        writes.add(new Write.Acknowledge(delivery.place()));
        return add(Step.ACK, writes);
    }

    private boolean fresh(Entry.Fresh fresh) {
        return switch (message) {
            case Message.Start start -> steps(inception(start));
            case Message.Enter enter -> legOne(context.overlay().existing(enter.target()));
            case Message.Reenter reenter -> legTwo(fresh);
            case Message.Respond respond -> legTwo(fresh);
            case Message.Signal signal -> legTwo(fresh);
            case Message.Interrupt interrupt -> legTwo(fresh);
        };
    }

    private ActivityKey inception(Message.Start start) {
        Part part = Inception.part(start, context.now());
        context.overlay().apply(part);
        parts.add(part);
        return ActivityKey.trigger(start.beginning().trigger());
    }

    private boolean legOne(ActivityRecord activity) {
        LegOne legOne = new LegOne(context, activity);
        return switch (context.request(activity)) {
            case Request.Waiting waiting -> add(Step.WORK, legOne.ask(waiting));
            case Request.Cycle cycle -> add(Step.WORK, legOne.cycle(cycle));
            case Request.Stepping stepping -> {
                add(Step.ENTRY, new Write.PutGuid(new GuidRecord(context.guid(), activity.key(), GuidLedger.seed(0))));
                yield steps(activity.key());
            }
        };
    }

    private boolean legTwo(Entry.Fresh fresh) {
        ActivityRecord activity = context.overlay().existing(fresh.activity());
        // The hook is spoken for: a second signal must not overtake the rest of this one's steps.
        ActivityRecord entered = activity.waker() instanceof Waker.Hook hook
                ? activity.with(new Waker.Hook(hook.topic(), true))
                : activity;
        List<Write> writes = new ArrayList<>(Receipts.accepted(message));
        writes.add(new Write.PutActivity(entered.with(activity.ledger().enterLegTwo())));
        writes.add(new Write.PutGuid(
                new GuidRecord(context.guid(), fresh.activity(), GuidLedger.seed(fresh.ordinal()))));
        add(Step.ENTRY, writes);
        return steps(fresh.activity());
    }

    private boolean steps(ActivityKey base) {
        return new Steps(context, role(base), parts).run();
    }

    private Role role(ActivityKey base) {
        ActivityKey plane = base.inDimension(context.overlay().known(context.guid()).ledger().dimension());
        return switch (message) {
            case Message.Start start ->
                new Role.Trigger(context, base, context.overlay().started().beginning().input());
            case Message.Enter enter -> new Role.Stepping(context, base,
                    context.stepping(context.overlay().existing(base)));
            case Message.Reenter reenter -> new Role.Round(context, base, plane, reenter.input());
            case Message.Respond respond -> new Role.Answer(context, base, plane, respond.response());
            case Message.Signal signal -> new Role.Answer(context, base, plane, signal.response());
            case Message.Interrupt interrupt -> new Role.End(base, interrupt.ending());
        };
    }

    private boolean add(Step step, Write write) {
        return add(step, List.of(write));
    }

    private boolean add(Step step, List<Write> writes) {
        List<Write> all = writes;
        if (acceptance != null) {
            all = new ArrayList<>();
            all.add(acceptance);
            all.addAll(writes);
            acceptance = null;
        }
        Part part = new Part(step, all);
        context.overlay().apply(part);
        parts.add(part);
        return true;
    }
}
