package dev.pawl.engine.flow;

import dev.pawl.kernel.message.Sender;

/**
 * A signal to another workflow has not reached it. The same in every run of the code; a flow that does not catch it fails, like with any
 * operation that has failed.
 */
public final class SignalNotAccepted extends OperationFailed {

    private static final long serialVersionUID = 1L;

    private final String workflowId;
    private final Reason reason;

    /** Why it was not accepted. */
    public enum Reason {
        /** There is no workflow with this id in the group. */
        WORKFLOW_MISSING(Sender.NOT_FOUND, "there is no such workflow"),
        /** The workflow had ended. */
        WORKFLOW_CLOSED(Sender.CLOSED, "that workflow has ended"),
        /** The engine could not process it, and has given up: a person finds it in {@code attention()}, and may have it delivered after all. */
        GIVEN_UP(Sender.GIVEN_UP, "it could not be processed, and a person has to look at it");

        private final String code;
        private final String text;

        Reason(String code, String text) {
            this.code = code;
            this.text = text;
        }

        static Reason of(String code) {
            for (Reason reason : values()) {
                if (reason.code.equals(code)) {
                    return reason;
                }
            }
            throw new IllegalStateException("a newer engine has refused a signal, and this one does not know why: "
                    + code);
        }
    }

    SignalNotAccepted(String operation, String workflowId, String name, Reason reason) {
        super(reason.code, operation, SignalNotAccepted.class.getName(),
                "the signal " + name + " to " + workflowId + " was not accepted: " + reason.text);
        this.workflowId = workflowId;
        this.reason = reason;
    }

    /** The workflow that was to get it. */
    public String workflowId() {
        return workflowId;
    }

    public Reason reason() {
        return reason;
    }
}
