package dev.pawl.engine.flow;

import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.message.Ending;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Effect;
import dev.pawl.kernel.workflow.Snapshot;
import java.time.Instant;
import java.util.List;
import java.util.Map;
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

    /** The code of a flow that cannot start a child, because no engine of its program could run it. */
    public static final String CHILD_NOT_REGISTERED = "ChildNotRegistered";

    /** The code of an operation that was lost with its process and must not be begun again. */
    public static final String LOST = LocalOperation.LOST;

    /** How an activity was declared, as far as its row says. */
    public record Declared(@Nullable String activity, @Nullable String guarantee, @Nullable String key) {
    }

    /**
     * What is known of an effect of which it is not known whether it has happened.
     *
     * @param decided a person has had it taken back, or has ended the workflow with it
     */
    public record Known(String code, String message, boolean decided) {
    }

    private static final List<String> RESERVED =
            List.of(FlowBehaviour.CONTROL, Questions.TOPIC, CompletionToken.TOPIC);

    /** The beginnings of topics that are the engine's own, for messages. */
    public static final String RESERVED_TEXT = String.join(", ", RESERVED);

    /** The code of an update that a validator has refused. */
    public static final String REFUSED = "UpdateRefused";

    /** Whether an answer that is a failure is a refusal: its handler has not run. */
    public static boolean refused(Payload answer) {
        return Results.isFailure(answer) && Results.failure(Results.error(answer)).code().equals(REFUSED);
    }

    private FlowControl() {
    }

    public static Known known(Effect effect) {
        Payload error = effect.error();
        if (error == null) {
            return new Known(LOST, "nobody heard how it ended", false);
        }
        Results.Failure failure = Results.failure(error);
        return new Known(failure.code(), failure.message(),
                failure.code().equals(Aborted.CODE) || failure.code().equals(Deciding.COMPENSATED));
    }

    /** Whether a topic is the engine's own. */
    public static boolean reserved(String topic) {
        return RESERVED.stream().anyMatch(topic::startsWith);
    }

    /** Where an operation of a flow is. */
    public static ActivityKey operation(String id) {
        return FlowBehaviour.operation(id);
    }

    public static Declared declared(ActivityRecord operation) {
        Map<String, String> header = RecordJson.members(operation.input());
        return new Declared(RecordJson.text(header, "activity"), RecordJson.text(header, "guarantee"),
                RecordJson.text(header, "key"));
    }

    /** What a person has decided, as the flow is told. */
    public static Payload decision(DecisionKind kind, @Nullable Payload result, String subject, String note,
            Instant at) {
        return Questions.decided(kind, result, subject, note, at);
    }

    /** Why a flow is to end, as the signal that asks for it carries it. */
    public static Payload reason(String reason) {
        return RecordJson.of(reason);
    }

    /** The code of what holds a parked workflow whose code cannot go on or is not registered; null if it waits for something else. */
    public static @Nullable String heldBy(String reason) {
        if (!reason.startsWith("{")) {
            return null;
        }
        Map<String, String> members = RecordJson.members(reason);
        return members.containsKey(Parking.CODE_VERSION) || members.containsKey("definition")
                ? RecordJson.text(members, "code")
                : null;
    }

    /** What holds such a workflow, in words; the reason itself if it has none. */
    public static String heldBecause(String reason) {
        Map<String, String> members = RecordJson.members(reason);
        String definition = RecordJson.text(members, "definition");
        String message = definition == null ? RecordJson.text(members, "message")
                : "no engine of its group has " + definition + " in version " + RecordJson.text(members, "version")
                        + "; start one that has it, or abort the workflow (pawl.attention())";
        return message == null ? reason : message;
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
        return FlowBehaviour.operation(UpdateRecords.answer(guid));
    }

    /** What an answer says that is a failure; null if it is none. */
    public static @Nullable String failure(Payload answer) {
        return Results.isFailure(answer) ? Results.failure(Results.error(answer)).message() : null;
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

    /**
     * A compensation that has failed for good: a person has to do it.
     *
     * @param operation the compensation itself
     * @param compensates the operation that is not compensated
     */
    public record FailedCompensation(String operation, String compensates, String code, String message) {
    }

    /** The compensations of a flow that have failed for good. */
    public static List<FailedCompensation> failedCompensations(Snapshot snapshot) {
        String handedOver = Journal.handOverEnd(Compensator.PATH);
        return operations(snapshot).stream()
                .filter(each -> each.key().activity().startsWith(Compensator.PATH)
                        || each.key().activity().startsWith(handedOver))
                .filter(each -> Results.isFailure(each.output())).map(each -> {
                    String id = each.key().activity();
                    Results.Failure failure = Results.failure(Results.error(each.output()));
                    return new FailedCompensation(id,
                            id.substring(id.indexOf(Compensator.PATH) + Compensator.PATH.length()), failure.code(),
                            failure.message());
                }).toList();
    }

    /** The compensation that a record opens a case about; null if it is about something else. */
    public static @Nullable String failedCompensation(String operation) {
        return operation.startsWith(Compensator.FAILED) ? operation.substring(Compensator.FAILED.length()) : null;
    }

    /** Whether there is a case of its own about an operation, which is a compensation that has failed for good. */
    public static boolean hasCase(Snapshot snapshot, String operation) {
        return snapshot.activity(operation(Compensator.FAILED + operation)) != null;
    }

    /** The operations of a flow. */
    public static List<ActivityRecord> operations(Snapshot snapshot) {
        return snapshot.activities().stream()
                .filter(activity -> activity.key().address().equals(FlowBehaviour.OPERATIONS))
                .toList();
    }
}
