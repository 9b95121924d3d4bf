package dev.pawl;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Names a case: what kind it is, of which workflow, and which one of those.
 *
 * @param detail the wait for the answer, the number of the parking, that of the message, or the operation that had the effect
 */
record CaseId(Kind kind, String workflowId, String detail) {

    private static final String SEPARATOR = "/";
    private static final int PARTS = 3;

    enum Kind {
        OPERATION, PARKED, MESSAGE, EFFECT, SIGNAL
    }

    String text() {
        String text = String.join(SEPARATOR, kind.name(), workflowId, detail);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    static CaseId parse(String text) {
        try {
            String[] parts = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8)
                    .split(SEPARATOR, PARTS);
            if (parts.length == PARTS) {
                return new CaseId(Kind.valueOf(parts[0]), parts[1], parts[2]);
            }
        } catch (IllegalArgumentException e) {
            // Not one of ours.
        }
        throw WorkflowError.validation("this is not the id of a case");
    }
}
