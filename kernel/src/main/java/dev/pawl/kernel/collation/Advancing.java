package dev.pawl.kernel.collation;

import dev.pawl.kernel.bundle.Overlay;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.collation.Advance.Begin;
import dev.pawl.kernel.collation.Advance.Change;
import dev.pawl.kernel.collation.Advance.Do;
import dev.pawl.kernel.collation.Advance.Drop;
import dev.pawl.kernel.collation.Advance.Finish;
import dev.pawl.kernel.collation.Advance.Ran;
import dev.pawl.kernel.collation.Advance.Retry;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.ledger.ActivityLedger;
import dev.pawl.kernel.ledger.GuidLedger;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.ActivityType;
import dev.pawl.kernel.workflow.Effect;
import dev.pawl.kernel.workflow.EffectRecord;
import dev.pawl.kernel.workflow.Gate;
import dev.pawl.kernel.workflow.GuidRecord;
import dev.pawl.kernel.workflow.Waker;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The operations of a flow. An operation is a child of the flow's own activity: it begins with +1 and ends with −1, and its digits
 * are those of any activity. What ends and what begins in one advance moves the semaphore once.
 */
final class Advancing {

    private static final int FIRST_ATTEMPT = 1;

    private final Context context;
    private final Advance advance;
    private final Overlay overlay;
    private final List<Write> writes = new ArrayList<>();
    private final List<Message.Signal> returned = new ArrayList<>();
    private long delta;
    private @Nullable Guid mover;
    private Guid first;

    Advancing(Context context, Advance advance) {
        this.context = context;
        this.advance = advance;
        this.overlay = context.overlay();
        this.first = context.guid();
    }

    /** Why it does not fit what is durable; null if it does. */
    @Nullable String misfit() {
        WorkflowRecord workflow = overlay.workflow();
        if (workflow == null || workflow.gate().closed()) {
            return "the workflow is over";
        }
        ActivityRecord flow = overlay.activity(advance.flow());
        if (flow == null || !(flow.waker() instanceof Waker.Code)) {
            return advance.flow() + " runs no code";
        }
        for (Change change : advance.changes()) {
            String misfit = misfit(change, overlay.activity(change.operation()));
            if (misfit != null) {
                return change.operation() + " " + misfit;
            }
        }
        return null;
    }

    private @Nullable String misfit(Change change, @Nullable ActivityRecord stored) {
        return switch (change) {
            case Begin begin -> stored == null ? null : "has begun before";
            case Do once -> stored == null ? null : "has begun before";
            case Ran ran -> stored == null ? null : "has begun before";
            case Retry retry -> attempt(stored) == retry.attempt() - 1 ? null : "is not at the attempt before";
            case Finish finish -> attempt(stored) == finish.attempt() ? null : "is not at this attempt";
            case Drop drop when stored == null -> begins(drop.operation()) ? null : "has never begun";
            case Drop drop -> drop.unanswered() && answered(stored) ? "was answered" : null;
        };
    }

    /** Before anybody has waited for it, nobody does any more. */
    private boolean begins(ActivityKey operation) {
        return advance.changes().stream()
                .anyMatch(change -> change instanceof Begin begin && begin.operation().equals(operation));
    }

    /** Or will be: an answer has entered, be it a signal that is still on its way to it and that no other operation gets. */
    private static boolean answered(ActivityRecord operation) {
        return operation.ledger().finalized() || operation.ledger().legTwoEntries() > 0;
    }

    private static int attempt(@Nullable ActivityRecord stored) {
        return stored != null && stored.waker() instanceof Waker.Local local ? local.attempt() : -1;
    }

    /** What it comes to, if it fits; the overlay of the transition has it then. */
    List<Write> writes() {
        advance.changes().forEach(this::apply);
        // After everything that is dropped: a hook that is dropped as well must not get it.
        returned.forEach(signal -> new Signals(overlay).giveBack(signal).forEach(this::add));
        if (advance.result() != null) {
            dropOthers();
        }
        if (mover != null && delta != 0) {
            Gate after = overlay.started().gate().move(delta, mover);
            add(new Write.MoveSemaphore(mover, delta, 0, after.closed()));
        }
        hold();
        if (advance.heard() != null) {
            ActivityRecord flow = overlay.existing(advance.flow());
            add(new Write.PutActivity(flow.with(((Waker.Code) flow.waker()).seen(advance.heard()))));
        }
        return writes;
    }

    /** The message of the first operation that begins or ends; the flow's own if none does. To be called after {@link #writes}. */
    Guid first() {
        return first;
    }

    private void apply(Change change) {
        switch (change) {
            case Begin begin -> begin(begin);
            case Do once -> run(once);
            case Retry retry ->
                add(new Write.PutActivity(
                        overlay.existing(retry.operation()).with(new Waker.Local(retry.attempt(), retry.runner()))));
            case Finish finish ->
                moved(-1, end(overlay.existing(finish.operation()), finish.attempt(), finish.response()));
            case Ran ran -> ran(ran);
            case Drop drop -> {
                drop(overlay.existing(drop.operation()));
                returned(drop);
            }
        }
        Effect effect = change.effect();
        if (effect != null) {
            add(new Write.PutEffect(EffectRecord.of(context.workflow(), effect, context.now())));
        }
    }

    private void begin(Begin begin) {
        ActivityRecord entered =
                ActivityRecord.entered(begin.operation(), begin.request().type(), begin.input());
        Guid guid = guid(begin.operation());
        new LegOne(context.of(overlay, guid), entered).ask(begin.request()).forEach(this::add);
        moved(1, guid);
    }

    /** Leg one runs the three steps, and the operation's obligation is over before anybody could see it. */
    private void run(Do once) {
        ActivityRecord entered = ActivityRecord.entered(once.operation(), once.request().type(), once.input());
        ActivityLedger ledger = entered.ledger().completeLegOne().finish();
        Guid guid = guid(once.operation());
        Role.Stepping.sent(context.of(overlay, guid), once.request()).forEach(this::add);
        add(new Write.PutActivity(entered.with(ledger).with(once.output())));
        // A signal that is delivered again must meet its own ledger, or it would be kept again.
        Guid by = once.takes() != null ? once.takes() : guid;
        named(by);
        add(new Write.PutGuid(new GuidRecord(by, once.operation(),
                GuidLedger.seed(0).markWorkDone().markChildrenSpawned())));
        if (once.takes() != null) {
            add(new Write.TakeSignal(once.takes()));
        }
    }

    /** Both legs in one write: its obligation is over before it could be counted, so the semaphore does not move. */
    private void ran(Ran ran) {
        ActivityRecord entered =
                ActivityRecord.entered(ran.operation(), ActivityType.WORKER, ran.input());
        named(end(entered.with(entered.ledger().completeLegOne()), FIRST_ATTEMPT, ran.response()));
    }

    /** Leg two: its children are what the code begins next. */
    private Guid end(ActivityRecord operation, int attempt, Response response) {
        ActivityLedger entered = operation.ledger().enterLegTwo();
        Guid answer = Guid.ofAnswer(context.workflow(), operation.key(), attempt, 0);
        add(new Write.PutActivity(context.withOutput(operation, response)
                .with(entered.finish()).waitingForNothing()));
        add(new Write.PutGuid(new GuidRecord(answer, operation.key(),
                GuidLedger.seed(entered.legTwoEntries()).markWorkDone().markChildrenSpawned())));
        return answer;
    }

    /** A hook with a signal on its way keeps its topic: the signal goes back when it comes, and to where only the hook knows. */
    private void drop(ActivityRecord operation) {
        if (!operation.ledger().finalized()) {
            boolean entered = operation.waker() instanceof Waker.Hook hook && hook.taken();
            ActivityRecord dropped = operation.with(operation.ledger().finish());
            add(new Write.PutActivity(entered ? dropped : dropped.waitingForNothing()));
            moved(-1, guid(operation.key()));
        }
    }

    /** A signal that was answered to a hook whose code has not used it. */
    private void returned(Drop drop) {
        ActivityRecord hook = overlay.existing(drop.operation());
        boolean answered = hook.ledger().legTwoEntries() > 0 && hook.waker() instanceof Waker.None;
        if (drop.returns() != null && answered) {
            returned.add(Signals.returned(context.workflow(), hook.key(), drop.returns(),
                    new Response.Final(hook.output())));
        }
    }

    /** Nobody will wait for what is still open when the flow has ended. */
    private void dropOthers() {
        if (overlay.started().gate().semaphore().open() + delta > 1) {
            overlay.activities().stream()
                    .filter(activity -> activity.key().address().equals(Advance.operations(advance.flow())))
                    .toList()
                    .forEach(this::drop);
        }
    }

    /** Code that goes on has found its way: whatever it was held for is over. */
    private void hold() {
        if (advance.held() != null) {
            if (!advance.held().equals(overlay.started().reason())) {
                add(new Write.Hold(WorkflowStatus.PARKED, advance.held()));
            }
        } else if (overlay.started().status() == WorkflowStatus.PARKED) {
            add(new Write.Hold(WorkflowStatus.RUNNING, null));
        }
    }

    private void moved(int by, Guid guid) {
        delta += by;
        mover = mover == null ? guid : mover;
        named(guid);
    }

    private void named(Guid guid) {
        first = first.equals(context.guid()) ? guid : first;
    }

    private Guid guid(ActivityKey operation) {
        return Guid.ofStart(context.workflow()).toChild(operation);
    }

    private void add(Write write) {
        overlay.apply(write);
        writes.add(write);
    }
}
