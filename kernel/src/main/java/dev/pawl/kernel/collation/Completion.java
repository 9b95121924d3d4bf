package dev.pawl.kernel.collation;

import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.Recipient;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.lifecycle.WorkflowEvent;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.message.Ending;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Origin;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Waker;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Step 3: what is done once when a workflow closes, by the message that closed it. */
record Completion(Context context, Next next) {

    /** If more workflows are to hear of the end than fit one commit: the next of them, and a cursor. Usually nothing. */
    List<Write> chunk() {
        List<Write> words = lastWords();
        if (words.size() <= Collation.FAN_OUT_MAX) {
            return List.of();
        }
        List<Write> writes = new ArrayList<>(words.subList(0, Collation.FAN_OUT_MAX));
        Waker cursor = new Waker.FanOut(String.valueOf(sentBefore() + Collation.FAN_OUT_MAX));
        writes.add(new Write.PutActivity(trigger().with(cursor)));
        return writes;
    }

    /** The end as its children, its readers and its parent see it. */
    List<Write> writes() {
        WorkflowRecord workflow = context.overlay().started();
        Write.CloseWorkflow close = switch (next) {
            case Next.Close(Ending ending) -> close(workflow, ending.event(), ending.error(), ending.reason());
            case Next.Spawn natural -> natural(workflow);
            case Next.Tell natural -> natural(workflow);
        };
        List<Write> writes = new ArrayList<>(lastWords());
        writes.add(close);
        Origin origin = workflow.beginning().origin();
        if (next instanceof Next.Close(Ending ending) && ending.event() == WorkflowEvent.CONTINUE_AS_NEW) {
            writes.addAll(successor(workflow, ending));
        } else if (origin != null && origin.awaitsResult()) {
            writes.add(new Write.Post(origin.parent().group(), origin.answer(response(close))));
        }
        return writes;
    }

    /** Whoever waits for this one waits for the next; and so do the signals that nobody here has waited for. */
    private List<Write> successor(WorkflowRecord workflow, Ending ending) {
        Message.Beginning begun = workflow.beginning();
        WorkflowKey key = new WorkflowKey(workflow.key().namespace(), ending.reason());
        List<Write> writes = new ArrayList<>();
        writes.add(new Write.Post(begun.group(), new Message.Start(key, new Message.Beginning(begun.group(),
                begun.definition(), begun.definitionVersion(), begun.trigger(), begun.threshold(), ending.error(),
                begun.origin()), ending.attributes())));
        context.overlay().signals().forEach(signal -> writes.add(forwarded(begun.group(), key, signal)));
        return writes;
    }

    /** What came for a run that has continued as new, on its way to the next run; null if it was for the first one alone. */
    static @Nullable Write forwarded(WorkflowRecord continued, Message message) {
        WorkflowKey successor = new WorkflowKey(continued.key().namespace(), String.valueOf(continued.reason()));
        String group = continued.beginning().group();
        return switch (message) {
            case Message.Signal signal -> forwarded(group, successor, signal);
            case Message.Interrupt interrupt -> new Write.Post(group, new Message.Interrupt(successor,
                    Guid.ofRequest(successor, "interrupt", interrupt.guid().toString()), interrupt.ending()));
            default -> null;
        };
    }

    private static Write forwarded(String group, WorkflowKey successor, Message.Signal signal) {
        Guid guid = Guid.ofRequest(successor, signal.topic(), signal.guid().toString());
        return new Write.Post(group,
                new Message.Signal(successor, guid, signal.topic(), signal.response(), signal.sender()));
    }

    /** Nothing is open any more. A join that still waits for a branch means that the work is not done, and is said so. */
    private Write.CloseWorkflow natural(WorkflowRecord workflow) {
        List<String> halfOpen = context.overlay().joins().entrySet().stream()
                .filter(join -> !join.getValue().closed())
                .map(join -> join.getKey().toString())
                .toList();
        return halfOpen.isEmpty()
                ? close(workflow, WorkflowEvent.COMPLETE, context.behaviour().result(context.overlay()), null)
                : close(workflow, WorkflowEvent.FAIL, Payload.EMPTY,
                        "no branch is left that could reach the join " + String.join(", ", halfOpen));
    }

    private Write.CloseWorkflow close(WorkflowRecord workflow, WorkflowEvent event, Payload output,
            @Nullable String reason) {
        WorkflowStatus status = WorkflowStatus.LIFECYCLE.after(workflow.status(), event);
        return new Write.CloseWorkflow(status, output, reason, context.now());
    }

    private static Response response(Write.CloseWorkflow close) {
        return close.status() == WorkflowStatus.COMPLETED
                ? new Response.Final(close.output())
                : new Response.Failure(close.output());
    }

    /** What the workflows that this one has started are still to hear of its end. */
    private List<Write> lastWords() {
        if (!(next instanceof Next.Close(Ending ending)) || ending.event() == WorkflowEvent.CONTINUE_AS_NEW) {
            return List.of();
        }
        List<Write> words = new ArrayList<>();
        for (ActivityRecord activity : context.overlay().activities()) {
            Recipient child = activity.child();
            if (child != null) {
                words.addAll(ending.descend() ? List.of(context.interrupt(child, ending)) : farewell(activity, child));
            }
        }
        return words.subList(sentBefore(), words.size());
    }

    private List<Write> farewell(ActivityRecord activity, Recipient child) {
        Behaviour.Farewell farewell = context.behaviour().farewell(activity);
        return farewell == null ? List.of()
                : new FanOut(context).signals(List.of(child), farewell.topic(), farewell.payload());
    }

    /** The trigger waits for nothing else once its workflow is closed, so its row holds the cursor. */
    private int sentBefore() {
        return trigger().waker() instanceof Waker.FanOut sent ? Integer.parseInt(sent.cursor()) : 0;
    }

    private ActivityRecord trigger() {
        return context.overlay().existing(context.overlay().started().trigger());
    }
}
