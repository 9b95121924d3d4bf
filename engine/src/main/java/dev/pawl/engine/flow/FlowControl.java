package dev.pawl.engine.flow;

import dev.pawl.kernel.collation.Advance;
import dev.pawl.kernel.event.Json;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.message.Ending;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Effect;
import dev.pawl.kernel.workflow.Snapshot;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** How the outside speaks to the code of a flow, and reads what it left. */
public final class FlowControl {

    /** The signal that asks for the end. */
    public static final String CANCEL_TOPIC = ControlSignals.CANCEL;

    /** What the topics of questions to people begin with. */
    public static final String DECIDE_TOPIC = Questions.TOPIC;

    /** The signal by which a parked flow is tried once more, and the operations that have taken it. */
    public static final String RETRY_TOPIC = FlowBehaviour.CONTROL + "retry";
    public static final String RETRIED = Journal.OWN + "decision:p";

    /** The code of a flow whose code does not fit its record. */
    public static final String MISMATCH = "FlowMismatch";

    /** The code of an operation that was lost with its process and must not be begun again. */
    public static final String LOST = LocalOperation.LOST;

    /** How an activity was declared, as far as its row says. */
    public record Declared(@Nullable String activity, @Nullable Object arguments, @Nullable String guarantee,
            @Nullable String key, @Nullable String kind) {
    }

    /**
     * What is known of an effect of which it is not known whether it has happened.
     *
     * @param decided a person has had it taken back, or has ended the workflow with it
     */
    public record Known(String code, String message, boolean decided) {
    }

    private FlowControl() {
    }

    public static Known known(Effect effect, Codec codec) {
        Payload error = effect.error();
        if (error == null) {
            return new Known(LOST, "nobody heard how it ended", false);
        }
        Results.Failure failure = Results.failure(error, codec);
        return new Known(failure.code(), failure.message(),
                failure.code().equals(Aborted.CODE) || failure.code().equals(Deciding.COMPENSATED));
    }

    /** Whether a topic is the engine's own. */
    public static boolean reserved(String topic) {
        return topic.startsWith(FlowBehaviour.CONTROL) || topic.startsWith(Questions.TOPIC);
    }

    /** Where an operation of a flow is. */
    public static ActivityKey operation(String id) {
        return Advance.operation(FlowBehaviour.FLOW, id);
    }

    public static Declared declared(ActivityRecord operation, Codec codec) {
        return Objects.requireNonNull(codec.<Declared>decode(operation.input(), Declared.class));
    }

    /** What a person has decided, as the flow is told. */
    public static Payload decision(DecisionKind kind, @Nullable Payload result, String subject, String note,
            Instant at) {
        Json json = Json.object().put("at", at.toString()).put("decision", kind.text()).put("note", note);
        return Questions.payload((result == null ? json : json.put("result", FlowRuntime.utf8(result)))
                .put("subject", subject));
    }

    /** The end of a workflow that a person has decided. */
    public static Ending aborted(String subject, String note) {
        String why = "aborted by " + subject + (note.isEmpty() ? "" : ": " + note);
        return Ending.failed(why, new Results.Failure("Aborted", why, "Aborted").payload());
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

    /** What whoever was handed an activity says when it is still at work. */
    public static Response heartbeat() {
        return new Response.Failure(
                new Results.Failure(ElsewhereOperation.HEARTBEAT, "still at work", "elsewhere").payload());
    }

    /** The operations of a flow. */
    public static List<ActivityRecord> operations(Snapshot snapshot) {
        return snapshot.activities().stream()
                .filter(activity -> activity.key().address().equals(Advance.operations(FlowBehaviour.FLOW)))
                .toList();
    }
}
