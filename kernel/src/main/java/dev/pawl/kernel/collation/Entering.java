package dev.pawl.kernel.collation;

import dev.pawl.kernel.bundle.Step;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.ledger.GuidLedger;
import dev.pawl.kernel.ledger.LedgerViolation;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Message.Source;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Gate;
import dev.pawl.kernel.workflow.GuidRecord;
import dev.pawl.kernel.workflow.Waker;
import dev.pawl.kernel.workflow.WorkflowRecord;
import dev.pawl.kernel.workflow.WorkflowView;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Entry, re-entry, resume and duplicate, decided from the ledgers alone.
 *
 * <p>The message's own ledger is asked first: a message that was seen before is answered by what it did before, even if
 * its workflow has closed since. Only then do the workflow and the activity have a say.
 */
final class Entering {

    private static final String LAST_RESPONSE = "the activity has had its last response";

    private final WorkflowView view;
    private final Instant now;

    Entering(WorkflowView view, Instant now) {
        this.view = view;
        this.now = now;
    }

    Entry enter(Message message) {
        WorkflowRecord workflow = view.workflow();
        if (workflow == null) {
            return message instanceof Message.Start start
                    ? new Entry.Fresh(ActivityKey.trigger(start.beginning().trigger()), 0)
                    : new Entry.Forbidden("the workflow was never started");
        }
        if (message instanceof Message.Start start && !start.beginning().equals(workflow.beginning())) {
            return new Entry.Taken();
        }
        GuidRecord known = view.guid(message.guid());
        if (known != null) {
            return again(workflow.gate(), known);
        }
        if (workflow.gate().closed()) {
            return new Entry.Inactive("the workflow is closed");
        }
        return switch (message) {
            case Message.Start start -> new Entry.Forbidden("the workflow exists, but not by this start");
            case Message.Enter enter -> legOne(enter.target());
            case Message.Reenter reenter -> legTwo(reenter.target());
            case Message.Respond respond -> response(respond);
            case Message.Signal signal -> signal(signal);
            case Message.Interrupt interrupt -> legTwo(workflow.trigger());
        };
    }

    /** A message with a ledger: its digits and the closer of the workflow say where it goes on, if anywhere. */
    private Entry again(Gate gate, GuidRecord known) {
        GuidLedger ledger = known.ledger();
        boolean closer = gate.closedBy(known.guid());
        if (ledger.closer() && !closer) {
            throw new LedgerViolation("two messages claim to have closed one workflow: " + known.guid());
        }
        if (ledger.completionDone() || (ledger.childrenSpawned() && !closer)) {
            return new Entry.Duplicate();
        }
        if (closer) {
            return new Entry.Resume(known.activity(), Step.COMPLETE);
        }
        if (gate.closed()) {
            return new Entry.Inactive("the workflow closed before this message spawned its children");
        }
        ActivityRecord activity = view.activity(known.activity());
        if (activity != null && activity.ledger().finalized()) {
            return activity.waker() instanceof Waker.Hook dropped
                    ? new Entry.Return(activity.key(), dropped.topic())
                    : new Entry.Inactive(LAST_RESPONSE);
        }
        return new Entry.Resume(known.activity(), ledger.workDone() ? Step.SPAWN : Step.WORK);
    }

    private Entry legOne(ActivityKey target) {
        ActivityRecord activity = view.activity(target);
        if (activity == null) {
            return new Entry.Forbidden("no such activity");
        }
        return activity.ledger().legOneComplete() ? new Entry.Stale() : new Entry.Fresh(target, 0);
    }

    private Entry legTwo(ActivityKey target) {
        ActivityRecord activity = view.activity(target);
        if (activity == null) {
            return new Entry.Forbidden("no such activity");
        }
        if (activity.ledger().finalized()) {
            return new Entry.Inactive(LAST_RESPONSE);
        }
        if (!activity.ledger().legOneComplete()) {
            return new Entry.Forbidden("leg one is not complete, so nothing was asked yet");
        }
        return activity.ledger().legTwoExhausted()
                ? new Entry.Overflow(Leg.TWO)
                : new Entry.Fresh(target, activity.ledger().legTwoEntries() + 1);
    }

    private Entry response(Message.Respond respond) {
        Entry entry = legTwo(respond.target());
        ActivityRecord activity = view.activity(respond.target());
        if (activity == null || !(entry instanceof Entry.Fresh)) {
            return entry;
        }
        if (activity.waker() instanceof Waker.Timer timer && now.isBefore(timer.dueAt())) {
            return new Entry.Forbidden("the timer is due at " + timer.dueAt());
        }
        if (activity.waker() instanceof Waker.Task task && respond.attempt() < task.attempt()
                && respond.response() instanceof Response.Failure) {
            return new Entry.Forbidden("attempt " + task.attempt() + " is under way, and may still succeed");
        }
        return source(activity.waker()) == respond.source()
                ? entry
                : new Entry.Forbidden("the activity does not wait for a " + respond.source());
    }

    private static @Nullable Source source(Waker waker) {
        return switch (waker) {
            case Waker.Task task -> Source.TASK;
            case Waker.Timer timer -> Source.TIMER;
            case Waker.Hook hook -> Source.SIGNAL;
            case Waker.Child child -> Source.CHILD;
            case Waker.Receipt receipt -> Source.RECEIPT;
            case Waker.Code code -> Source.TASK;
            case Waker.Local local -> null;
            case Waker.FanOut fanOut -> null;
            case Waker.None none -> null;
        };
    }

    private Entry signal(Message.Signal signal) {
        if (kept(signal.guid())) {
            return new Entry.Duplicate();
        }
        return view.activities().stream()
                .filter(activity -> activity.waker() instanceof Waker.Hook hook && hook.awaits(signal.topic()))
                .findFirst()
                .map(activity -> legTwo(activity.key()))
                .orElseGet(() -> new Entry.Keep(signal));
    }

    private boolean kept(Guid guid) {
        return view.signals().stream().anyMatch(signal -> signal.guid().equals(guid));
    }
}
