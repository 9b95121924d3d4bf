package dev.pawl.engine.flow;

import dev.pawl.kernel.collation.Advance;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Snapshot;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** How the outside speaks to the code of a flow, and reads what it left. */
public final class FlowControl {

    /** The signal that asks for the end. */
    public static final String CANCEL_TOPIC = Incarnation.CANCEL;

    private FlowControl() {
    }

    /** Whether a topic is the engine's own. */
    public static boolean reserved(String topic) {
        return topic.startsWith(FlowBehaviour.CONTROL);
    }

    public static String updateTopic(String name) {
        return Updates.TOPIC + name;
    }

    /** Where the answer to an update is, once it has been given. */
    public static ActivityKey updateOperation(String guid) {
        return Advance.operation(FlowBehaviour.FLOW, Updates.operation(guid));
    }

    /** What an answer says that is a failure; null if it is none. */
    public static @Nullable String failure(Payload answer, Codec codec) {
        return Results.isFailure(answer)
                ? Objects.requireNonNull(codec.<Results.Failure>decode(Results.error(answer), Results.Failure.class))
                        .message()
                : null;
    }

    /** What whoever was handed an activity says when it has failed. */
    public static Response failure(String message) {
        return new Response.Failure(new Results.Failure(Results.OPERATION_FAILED, message, "elsewhere").payload());
    }

    /** The operations of a flow. */
    public static List<ActivityRecord> operations(Snapshot snapshot) {
        return snapshot.activities().stream()
                .filter(activity -> activity.key().address().equals(Advance.operations(FlowBehaviour.FLOW)))
                .toList();
    }
}
