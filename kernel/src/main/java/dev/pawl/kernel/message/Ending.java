package dev.pawl.kernel.message;

import dev.pawl.kernel.lifecycle.WorkflowEvent;
import java.util.List;
import java.util.Set;

/**
 * How a workflow ends before its time: interrupted, cancelled or failed.
 *
 * @param event what happened, in the words of the workflow lifecycle
 * @param reason for people
 * @param code 410 unless the definition says otherwise
 * @param descend whether the workflows it started end with it
 * @param error what the caller gets
 * @param attributes of the workflow it goes on in, if it does
 */
public record Ending(WorkflowEvent event, String reason, int code, boolean descend, Payload error,
        List<Attribute> attributes) {

    public static final int GONE = 410;

    private static final Set<WorkflowEvent> ENDS = Set.of(WorkflowEvent.INTERRUPT, WorkflowEvent.CANCEL,
            WorkflowEvent.FAIL, WorkflowEvent.CONTINUE_AS_NEW);

    public Ending {
        attributes = List.copyOf(attributes);
        if (!ENDS.contains(event)) {
            throw new IllegalArgumentException("a workflow ends by " + ENDS + ", not by " + event);
        }
    }

    public Ending(WorkflowEvent event, String reason, int code, boolean descend, Payload error) {
        this(event, reason, code, descend, error, List.of());
    }

    public static Ending interrupted(String reason, boolean descend) {
        return new Ending(WorkflowEvent.INTERRUPT, reason, GONE, descend, Payload.EMPTY);
    }

    /** It goes on in another workflow, started with this input and these attributes; the reason is that one's id. */
    public static Ending continued(String successorId, Payload input, List<Attribute> attributes) {
        return new Ending(WorkflowEvent.CONTINUE_AS_NEW, successorId, GONE, false, input, attributes);
    }

    public static Ending failed(String reason, Payload error) {
        return new Ending(WorkflowEvent.FAIL, reason, GONE, false, error);
    }
}
