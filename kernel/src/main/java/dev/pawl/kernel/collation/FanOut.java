package dev.pawl.kernel.collation;

import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.collation.Audience.Targets;
import dev.pawl.kernel.id.Recipient;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Waker;
import java.util.ArrayList;
import java.util.List;

/**
 * Signals to many workflows. They are durable messages in the commit of the digit; more than fit one commit go in chunks,
 * with the cursor in the activity's row, so that a resume continues where it stopped. A chunk sent twice does no harm:
 * the GUIDs are derived from sender and target.
 */
record FanOut(Context context) {

    /** The next chunk and its cursor, or nothing if what is left fits the commit of the digit. */
    List<Write> chunk(Request.SignalAll all, ActivityRecord activity) {
        Targets targets = targets(all, activity);
        if (targets.next() == null) {
            return List.of();
        }
        List<Write> writes = new ArrayList<>(signals(targets.page(), all.topic(), all.payload()));
        writes.add(new Write.PutActivity(activity.with(new Waker.FanOut(targets.next()))));
        return writes;
    }

    List<Write> lastChunk(Request.SignalAll all, ActivityRecord activity) {
        return signals(targets(all, activity).page(), all.topic(), all.payload());
    }

    List<Write> signals(List<Recipient> targets, String topic, Payload payload) {
        Response response = new Response.Final(payload);
        return targets.stream()
                .<Write>map(to -> new Write.Post(to.group(), new Message.Signal(to.workflow(),
                        context.guid().signalTo(to.workflow()), topic, response)))
                .toList();
    }

    private Targets targets(Request.SignalAll all, ActivityRecord activity) {
        String cursor = activity.waker() instanceof Waker.FanOut sent ? sent.cursor() : null;
        Targets targets = context.audience().targets(all.topic(), cursor);
        if (targets.page().size() > Collation.FAN_OUT_MAX) {
            throw new DefinitionFault("a page of targets holds at most " + Collation.FAN_OUT_MAX + ", not "
                    + targets.page().size());
        }
        return targets;
    }
}
