package dev.pawl.kernel.id;

import java.util.stream.Collectors;
import java.util.stream.Stream;

/** By what one operation of one workflow is known: outside, in one attempt, and inside. */
public final class InvocationKey {

    private static final String PREFIX = "pawl";

    private InvocationKey() {
    }

    /** For whoever must not do the same thing twice: the same in every attempt, and for no other operation. */
    public static String downstream(WorkflowKey workflow, String operationId) {
        return joined(PREFIX, workflow.namespace(), workflow.workflowId(), operationId);
    }

    /** The same for what compensates the operation. */
    public static String compensation(WorkflowKey workflow, String operationId) {
        return downstream(workflow, operationId) + ":compensate";
    }

    /** Another one in every attempt. */
    public static String attempt(WorkflowKey workflow, String operationId, int attempt) {
        return downstream(workflow, operationId) + ":" + attempt;
    }

    /**
     * What was asked for: another one if the activity or its arguments are others.
     *
     * @param arguments as {@code CanonicalJson} spells them; nothing before them can contain a NUL
     */
    public static Hash internal(WorkflowKey workflow, String operationId, String activityName, String arguments) {
        return Hash.of(String.join("\0", workflow.namespace(), workflow.workflowId(), operationId, activityName,
                arguments));
    }

    /** For a place in which the key itself does not fit; no key looks like it. */
    public static String digest(String key) {
        return PREFIX + "-sha256:" + Hash.of(key);
    }

    /** Parts with a colon between them, and none inside: two lists of parts never come out the same. */
    public static String joined(String... parts) {
        return Stream.of(parts).map(part -> part.replace("%", "%25").replace(":", "%3A"))
                .collect(Collectors.joining(":"));
    }
}
