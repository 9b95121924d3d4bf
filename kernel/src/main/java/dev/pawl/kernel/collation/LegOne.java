package dev.pawl.kernel.collation;

import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.Recipient;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.ledger.ActivityLedger;
import dev.pawl.kernel.lifecycle.ActivityStatus;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Origin;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.message.Sender;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Waker;
import java.util.List;

/** Leg one of the activities that run no steps in it: what they send and the digit that completes them, in one part. */
record LegOne(Context context, ActivityRecord activity) {

    /** Leg one hands out the first attempt; later ones are the engine's. */
    private static final int FIRST_ATTEMPT = 1;

    /** Category A: the request goes out, and the activity waits for the answer. */
    List<Write> ask(Request.Waiting request) {
        ActivityRecord asked = activity.with(activity.ledger().completeLegOne());
        return switch (request) {
            case Request.Task task -> List.of(new Write.PutActivity(
                    asked.with(new Waker.Task(task.queue(), task.input(), FIRST_ATTEMPT, task.deadline()))));
            case Request.Local local ->
                List.of(new Write.PutActivity(asked.with(new Waker.Local(FIRST_ATTEMPT, local.runner()))));
            case Request.Code code -> List.of(new Write.PutActivity(asked.with(new Waker.Code(1, true))));
            case Request.Sleep sleep -> List.of(new Write.PutActivity(asked.with(new Waker.Timer(sleep.until()))));
            case Request.WebHook hook -> new Signals(context.overlay())
                    .open(asked.with(new Waker.Hook(hook.topic(), false)));
            case Request.StartChild start -> List.of(
                    new Write.PutActivity(asked.withChild(start.child())),
                    new Write.Post(start.child().group(),
                            new Message.Start(start.child().workflow(), beginning(start))));
            case Request.SignalAwaitingReceipt signal -> List.of(
                    new Write.PutActivity(asked.with(new Waker.Receipt())),
                    new Write.Post(signal.target().group(), signal(signal)));
        };
    }

    private Message.Signal signal(Request.SignalAwaitingReceipt signal) {
        WorkflowKey target = signal.target().workflow();
        return new Message.Signal(target, context.guid().signalTo(target), signal.topic(),
                new Response.Final(signal.payload()), new Sender(self(), activity.key(), answer()));
    }

    private Guid answer() {
        return Guid.ofAnswer(context.workflow(), activity.key(), FIRST_ATTEMPT, 0);
    }

    private Recipient self() {
        return new Recipient(context.overlay().started().beginning().group(), context.workflow());
    }

    private Message.Beginning beginning(Request.StartChild start) {
        Origin origin = new Origin(self(), activity.key(), answer(), start.awaitsResult());
        return new Message.Beginning(start.child().group(), start.definition(), start.definitionVersion(),
                start.trigger(), 0,
                start.input(), origin);
    }

    /** Category C, cycle: its own obligation passes to the ancestor, so the semaphore does not move. */
    List<Write> cycle(Request.Cycle cycle) {
        int deepest = activity.key().address().depth();
        if (cycle.depth() < 1 || cycle.depth() > deepest) {
            throw new DefinitionFault(activity.key() + " has no ancestor at depth " + cycle.depth());
        }
        ActivityKey ancestor = new ActivityKey(cycle.ancestor(), activity.key().address().ancestor(cycle.depth()));
        ActivityRecord pivot = context.overlay().activity(ancestor);
        if (pivot == null || pivot.status() != ActivityStatus.PASSED) {
            throw new DefinitionFault("the definition cycles to " + ancestor + ", which is not open for cycles");
        }
        ActivityLedger done = activity.ledger().completeLegOne().enterLegTwo();
        return List.of(
                new Write.PutActivity(activity.with(done)),
                new Write.Enqueue(context.overlay().started().messages(), new Message.Reenter(context.workflow(),
                        context.guid().toChild(ancestor), ancestor, cycle.input())));
    }
}
