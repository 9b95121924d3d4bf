package dev.pawl.kernel.collation;

import dev.pawl.kernel.bundle.Overlay;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.ledger.ActivityLedger;
import dev.pawl.kernel.ledger.GuidLedger;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.GuidRecord;
import dev.pawl.kernel.workflow.Waker;
import java.util.ArrayList;
import java.util.List;

/** Signals that came before the hook that waits for them, or that a hook gives back. */
record Signals(Overlay overlay) {

    /**
     * Writes an activity that stays open. If it is a hook and a signal on its topic is kept, the oldest one is on its way
     * to it. The message is seeded in the commit that creates it: from here on the signal has a ledger, and a duplicate
     * of it is recognised by that.
     */
    List<Write> open(ActivityRecord activity) {
        return activity.waker() instanceof Waker.Hook hook
                ? openHook(activity.with(new Waker.Hook(hook.topic(), false)), hook.topic())
                : List.of(new Write.PutActivity(activity));
    }

    private List<Write> openHook(ActivityRecord hook, String topic) {
        return overlay.signals().stream()
                .filter(signal -> signal.topic().equals(topic) && !hook.ledger().legTwoExhausted())
                .findFirst()
                .map(signal -> take(hook, signal))
                .orElseGet(() -> List.of(new Write.PutActivity(hook)));
    }

    /** A signal that its hook had not used, under an id of its own: the ledger of the first delivery stays as it is. */
    static Message.Signal returned(WorkflowKey workflow, ActivityKey hook, String topic, Response response) {
        return new Message.Signal(workflow, Guid.ofReturned(workflow, hook), topic, response);
    }

    /** It goes to a hook that waits for it now, or is kept for the next one; once, however often it is given back. */
    List<Write> giveBack(Message.Signal signal) {
        if (overlay.guid(signal.guid()) != null
                || overlay.signals().stream().anyMatch(kept -> kept.guid().equals(signal.guid()))) {
            return List.of();
        }
        return overlay.activities().stream()
                .filter(hook -> hook.waker() instanceof Waker.Hook open && open.awaits(signal.topic()))
                .filter(hook -> hook.ledger().takesLegTwo())
                .findFirst()
                .map(hook -> enter(hook, signal))
                .orElseGet(() -> List.of(new Write.BufferSignal(signal)));
    }

    private List<Write> take(ActivityRecord hook, Message.Signal signal) {
        List<Write> writes = new ArrayList<>(enter(hook, signal));
        writes.add(new Write.TakeSignal(signal.guid()));
        return writes;
    }

    private List<Write> enter(ActivityRecord hook, Message.Signal signal) {
        ActivityLedger entered = hook.ledger().enterLegTwo();
        GuidLedger seed = GuidLedger.seed(entered.legTwoEntries());
        return List.of(
                new Write.PutActivity(hook.with(entered).with(new Waker.Hook(signal.topic(), true))),
                new Write.PutGuid(new GuidRecord(signal.guid(), hook.key(), seed)),
                new Write.Enqueue(overlay.started().messages(), signal.to(hook.key())));
    }
}
