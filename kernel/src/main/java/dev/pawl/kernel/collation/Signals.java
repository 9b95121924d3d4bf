package dev.pawl.kernel.collation;

import dev.pawl.kernel.bundle.Overlay;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.ledger.ActivityLedger;
import dev.pawl.kernel.ledger.GuidLedger;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.GuidRecord;
import dev.pawl.kernel.workflow.Waker;
import java.util.List;

/** Signals that came before the hook that waits for them. */
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

    private List<Write> take(ActivityRecord hook, Message.Signal signal) {
        ActivityLedger entered = hook.ledger().enterLegTwo();
        GuidLedger seed = GuidLedger.seed(entered.legTwoEntries());
        return List.of(
                new Write.PutActivity(hook.with(entered).with(new Waker.Hook(signal.topic(), true))),
                new Write.PutGuid(new GuidRecord(signal.guid(), hook.key(), seed)),
                new Write.TakeSignal(signal.guid()),
                new Write.Enqueue(overlay.started().messages(), signal.to(hook.key())));
    }
}
