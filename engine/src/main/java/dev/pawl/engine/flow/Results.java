package dev.pawl.engine.flow;

import dev.pawl.engine.PawlException;
import dev.pawl.kernel.event.Json;
import dev.pawl.kernel.id.Names;
import dev.pawl.kernel.message.Payload;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What operations come to, as their rows keep it: JSON, or for a failure an exclamation mark and JSON. */
final class Results {

    static final byte MARK = '!';

    /** What people read of a failure; some messages carry whole documents. */
    private static final int MESSAGE_MAX = 4_000;

    private Results() {
    }

    static String shortened(String message) {
        return shortened(message, MESSAGE_MAX);
    }

    /** Why a workflow has ended: room for what an operation said, and for which one it was. */
    static String reason(String message) {
        return shortened(message, MESSAGE_MAX + Names.LENGTH_MAX + MESSAGE_MAX / 10);
    }

    private static String shortened(String message, int max) {
        if (message.length() <= max) {
            return message;
        }
        int end = Character.isHighSurrogate(message.charAt(max - 1)) ? max - 1 : max;
        return message.substring(0, end) + "… (" + message.length() + " characters)";
    }

    /** A failure as it is told: what was thrown, and what it said. */
    record Failure(String code, String message, String type, @Nullable Failure cause) {

        /** Causes of causes beyond that tell nothing more. */
        private static final int CAUSES_MAX = 4;

        Failure(String code, String message, String type) {
            this(code, message, type, null);
        }

        /** The same with what has caused it, for whoever hears of it in another workflow. */
        static Failure ofWorkflow(Throwable error) {
            return of(error, CAUSES_MAX);
        }

        private static Failure of(Throwable error, int causes) {
            Throwable cause = error.getCause();
            Failure own = of(error);
            String code = error instanceof PawlException known ? known.code() : own.code;
            return new Failure(code, own.message, error instanceof ChildFailed.Cause told ? told.type() : own.type,
                    cause == null || causes == 0 ? null : of(cause, causes - 1));
        }

        static Failure of(Throwable error) {
            String message = Objects.toString(error.getMessage(), error.getClass().getSimpleName());
            return new Failure(OPERATION_FAILED, shortened(message), error.getClass().getName());
        }

        /** The same, and says more. */
        Failure and(String more) {
            return more.isEmpty() ? this : new Failure(code, reason(message + more), type, cause);
        }

        Payload payload() {
            return Payload.of(json().end().getBytes(StandardCharsets.UTF_8));
        }

        private Json json() {
            Json json = Json.object();
            return (cause == null ? json : json.putJson("cause", cause.json().end())).put("code", code)
                    .put("message", message).put("type", type);
        }
    }

    /** What a failure says; one that did not come from a flow says only its code. */
    static Failure failure(Payload error) {
        if (error.size() == 0) {
            return new Failure(OPERATION_FAILED, "it was ended without a word", ENDED);
        }
        String text = FlowRuntime.utf8(error);
        if (!text.startsWith("{")) {
            String word = RecordJson.text(error);
            return new Failure(word, word, word);
        }
        return failure(RecordJson.members(text));
    }

    private static Failure failure(Map<String, String> members) {
        String cause = members.get("cause");
        return new Failure(said(members, "code"), said(members, "message"), said(members, "type"),
                cause == null ? null : failure(RecordJson.members(cause)));
    }

    private static String said(Map<String, String> members, String name) {
        return Objects.requireNonNullElse(RecordJson.text(members, name), "");
    }

    private static final String ENDED = "ended";

    static final String OPERATION_FAILED = "OperationFailed";

    static Payload failed(Payload error) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(error.size() + 1);
        bytes.write(MARK);
        bytes.writeBytes(error.bytes());
        return Payload.of(bytes.toByteArray());
    }

    static boolean isFailure(Payload output) {
        return output.size() > 0 && output.bytes()[0] == MARK;
    }

    static Payload error(Payload output) {
        byte[] bytes = output.bytes();
        return Payload.of(Arrays.copyOfRange(bytes, 1, bytes.length));
    }
}
