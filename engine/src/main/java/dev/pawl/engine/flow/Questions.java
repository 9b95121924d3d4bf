package dev.pawl.engine.flow;

import dev.pawl.kernel.collation.Advance;
import dev.pawl.kernel.collation.Advance.Change;
import dev.pawl.kernel.collation.Request;
import dev.pawl.kernel.event.Json;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.ActivityRecord;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a flow asks people about one of its operations, one question after the other. A question is a hook on a topic of its own, so it
 * waits durably and is found by its topic; the answer is the signal that wakes it. Whoever runs the code again finds both recorded and
 * does the same.
 */
final class Questions {

    /** What the topics of all questions begin with. */
    static final String TOPIC = "pawl-decide:";

    /** The outcome of an operation is not known. */
    static final String UNKNOWN = "d";
    /** The world does not agree with the record of an operation. */
    static final String REPLAY = "v";

    private static final String RESULT = "result";
    private static final String SEALED = "sealed";

    private final Scope scope;
    private final String mark;
    private final String operation;

    /** What was decided, as the signal carries it; the result is a payload of the user's. */
    record Answer(String at, String decision, String note, @Nullable Payload result, String subject) {

        /** As {@link #decided} has written it. */
        static Answer of(Payload decided) {
            Map<String, String> members = RecordJson.members(decided);
            String json = RecordJson.text(members, RESULT);
            String base64 = RecordJson.text(members, SEALED);
            return new Answer(said(members, "at"), said(members, "decision"), said(members, "note"),
                    base64 != null ? Payload.of(Base64.getDecoder().decode(base64))
                            : json == null ? null : Payload.of(json.getBytes(StandardCharsets.UTF_8)),
                    said(members, "subject"));
        }

        private static String said(Map<String, String> members, String name) {
            return Objects.requireNonNull(RecordJson.text(members, name), name);
        }

        DecisionKind kind() {
            return DecisionKind.of(decision);
        }

        String by() {
            return "by " + subject + (note.isEmpty() ? "" : ": " + note);
        }
    }

    Questions(Scope scope, String mark, String operation) {
        this.scope = scope;
        this.mark = mark;
        this.operation = operation;
    }

    /** The number of the last question that was asked; 0 if none was. */
    int last() {
        int number = 0;
        while (scope.recorded(id(number + 1)) != null) {
            number++;
        }
        return number;
    }

    /** The attempt that a question is about. */
    int attempt(int number) {
        return OpenQuestion.of(record(number)).attempt();
    }

    private ActivityRecord record(int number) {
        return Objects.requireNonNull(scope.recorded(id(number)));
    }

    private String id(int number) {
        return Journal.question(mark, number, operation);
    }

    /** Asks, and waits for the answer. */
    Answer ask(int number, int attempt, Results.Failure why, Set<DecisionKind> allowed) {
        String kinds = allowed.stream().map(DecisionKind::text).collect(Collectors.joining(","));
        return await(number,
                payload(Json.object().put("allowed", kinds).put("asked", scope.runtime().clock().instant().toString())
                        .put("attempt", attempt).put("code", why.code()).put("kind", "decide")
                        .put("message", why.message())),
                why);
    }

    /** Waits for the answer to a question that was asked before. */
    Answer again(int number) {
        OpenQuestion asked = OpenQuestion.of(record(number));
        return await(number, record(number).input(), new Results.Failure(asked.code(), asked.message(), asked.code()));
    }

    private Answer await(int number, Payload header, Results.Failure why) {
        String id = id(number);
        String reason = Json.object().put("code", why.code()).put("message", why.message()).put("operation", operation)
                .end();
        return Answer.of(scope.asked(id, header, new Request.WebHook(TOPIC + id), reason));
    }

    /** What a person has decided: a result that is JSON as a text, so that it stays as it is, any other in base64. */
    static Payload decided(DecisionKind kind, @Nullable Payload result, String subject, String note, Instant at) {
        Json json = Json.object().put("at", at.toString()).put("decision", kind.text()).put("note", note);
        boolean text = result != null && Header.canonical(result) != null;
        if (result != null && text) {
            json.put(RESULT, FlowRuntime.utf8(result));
        } else if (result != null) {
            json.put(SEALED, Base64.getEncoder().encodeToString(result.bytes()));
        }
        return payload(json.put("subject", subject));
    }

    /** The decision as a row of its own, for the commit of what it causes; none if it is recorded already. */
    Change[] taken(int number, Answer answer) {
        String id = Journal.OWN + "decision:" + mark + number + ":" + operation;
        if (scope.recorded(id) != null) {
            return new Change[0];
        }
        Payload decided = payload(Json.object().put("at", answer.at()).put("decision", answer.decision())
                .put("note", answer.note()).put("subject", answer.subject()));
        return new Change[] {new Advance.Do(FlowBehaviour.operation(id), Header.of("decision"), decided,
                new Request.Pass(false), null)};
    }

    static Payload payload(Json json) {
        return Payload.of(json.end().getBytes(StandardCharsets.UTF_8));
    }
}
