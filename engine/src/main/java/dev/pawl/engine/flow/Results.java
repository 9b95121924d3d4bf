package dev.pawl.engine.flow;

import dev.pawl.kernel.event.Json;
import dev.pawl.kernel.message.Payload;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

/** What operations come to, as their rows keep it: JSON, or for a failure an exclamation mark and JSON. */
final class Results {

    private static final byte MARK = '!';

    /** What people read of a failure; some messages carry whole documents. */
    private static final int MESSAGE_MAX = 4_000;

    private Results() {
    }

    static String shortened(String message) {
        if (message.length() <= MESSAGE_MAX) {
            return message;
        }
        int end = Character.isHighSurrogate(message.charAt(MESSAGE_MAX - 1)) ? MESSAGE_MAX - 1 : MESSAGE_MAX;
        return message.substring(0, end) + "… (" + message.length() + " characters)";
    }

    /** A failure as it is told: what was thrown, and what it said. */
    record Failure(String code, String message, String type) {

        static Failure of(Throwable error) {
            String message = Objects.toString(error.getMessage(), error.getClass().getSimpleName());
            return new Failure(OPERATION_FAILED, shortened(message), error.getClass().getName());
        }

        Payload payload() {
            return Payload.of(Json.object().put("code", code).put("message", message).put("type", type).end()
                    .getBytes(StandardCharsets.UTF_8));
        }
    }

    /** What a failure says; one that did not come from a flow says only its code. */
    static Failure failure(Payload error, Codec codec) {
        try {
            return Objects.requireNonNull(codec.<Failure>decode(error, Failure.class));
        } catch (PayloadError e) {
            String text = FlowRuntime.utf8(error).replace("\"", "");
            return new Failure(text, text, text);
        }
    }

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
