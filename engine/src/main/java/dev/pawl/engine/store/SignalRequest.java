package dev.pawl.engine.store;

import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Response;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * A signal on its way in.
 *
 * @param signalId the client's own id if {@code keyed}, else a fresh one; case-sensitive and taken as it is
 * @param keyed whether the caller may retry with the same id and expects the first answer
 * @param expiresAt how long that answer is kept
 */
public record SignalRequest(WorkflowKey workflow, String signalName, String signalId, boolean keyed, Response response,
        Instant acceptedAt, Instant expiresAt) {

    /** To the millisecond, as stores keep it: the first answer must not differ from the later ones. */
    public SignalRequest {
        acceptedAt = acceptedAt.truncatedTo(ChronoUnit.MILLIS);
        expiresAt = expiresAt.truncatedTo(ChronoUnit.MILLIS);
    }

    /** Its acceptance, for a commit of the workflow's owner. */
    public Write.Accept accept() {
        return new Write.Accept(signalName, signalId, keyed, Guid.ofRequest(workflow, signalName, signalId), acceptedAt,
                expiresAt);
    }

    /** The answer to whoever sent it, if it is accepted. */
    public AcceptedSignal accepted() {
        return new AcceptedSignal(workflow, signalName, signalId, acceptedAt,
                Guid.ofRequest(workflow, signalName, signalId).toString());
    }

    /** The same request after an attempt whose outcome is not known: the store looks for the signal before it accepts it. */
    public SignalRequest repeated() {
        return new SignalRequest(workflow, signalName, signalId, true, response, acceptedAt, expiresAt);
    }

    /** The message it becomes: derived from who sent what, so that a second one is the same. */
    public Message.Signal message() {
        return new Message.Signal(workflow, Guid.ofRequest(workflow, signalName, signalId), signalName, response);
    }
}
