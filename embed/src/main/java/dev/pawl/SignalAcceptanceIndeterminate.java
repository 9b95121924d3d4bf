package dev.pawl;

import dev.pawl.engine.PawlException;

/**
 * A signal with this id is there, but nothing says that it was accepted: the first answer cannot be given again, and the signal is not
 * taken a second time. It may be sent again after a person has looked and settled it ({@link Attention#settle}), or after its workflow was
 * swept. What the signal carries is never shown.
 */
public final class SignalAcceptanceIndeterminate extends PawlException {

    private static final long serialVersionUID = 1L;

    private final String workflowId;
    private final String signalName;
    private final String signalId;
    private final String correlationId;

    SignalAcceptanceIndeterminate(String workflowId, String signalName, String signalId, String correlationId) {
        super("SignalAcceptanceIndeterminate", "signal " + signalId + " on " + signalName + " of " + workflowId
                + " is there, but whether it was accepted is not recorded; have somebody look at it, and settle it"
                + " (correlation " + correlationId + ")", null);
        this.workflowId = workflowId;
        this.signalName = signalName;
        this.signalId = signalId;
        this.correlationId = correlationId;
    }

    public String workflowId() {
        return workflowId;
    }

    public String signalName() {
        return signalName;
    }

    public String signalId() {
        return signalId;
    }

    /** Made for this one answer, so that it can be found in logs. */
    public String correlationId() {
        return correlationId;
    }
}
