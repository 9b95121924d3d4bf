package dev.pawl.engine.flow;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Names an activity that somebody else completes. Opaque to whoever holds it; it says where to, and is no proof of who may.
 *
 * @param operationId which operation of the workflow
 */
public record CompletionToken(String namespace, String workflowId, String operationId) {

    private static final String SEPARATOR = "/";
    private static final int PARTS = 3;

    static String of(String namespace, String workflowId, String operationId) {
        String text = String.join(SEPARATOR, namespace, workflowId, operationId);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Null if it is none. */
    public static @Nullable CompletionToken parse(String token) {
        try {
            String[] parts = new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8)
                    .split(SEPARATOR, -1);
            return parts.length == PARTS ? new CompletionToken(parts[0], parts[1], parts[2]) : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** The signal that completes it. */
    public String topic() {
        return topic(operationId);
    }

    static String topic(String operationId) {
        return "pawl-complete:" + operationId;
    }
}
