package dev.pawl.kernel.message;

import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.Recipient;
import java.nio.charset.StandardCharsets;

/**
 * The workflow that has sent a signal and waits until that is accepted or refused.
 *
 * @param activity the activity that waits for the receipt
 * @param receipt the GUID of that receipt, fixed before the signal is sent, so that only one receipt counts
 */
public record Sender(Recipient workflow, ActivityKey activity, Guid receipt) {

    /** There is no workflow with this id in the group of the sender. */
    public static final String NOT_FOUND = "NotFound";

    /** The workflow was closed before the signal was read. */
    public static final String CLOSED = "WorkflowClosed";

    /** The signal was taken out of delivery, and a person has to look at it. */
    public static final String GIVEN_UP = "SignalGivenUp";

    public Message.Respond accepted() {
        return answer(new Response.Final(Payload.EMPTY));
    }

    /** With the code of a failure, as JSON. */
    public Message.Respond refused(String code) {
        return answer(new Response.Failure(Payload.of(('"' + code + '"').getBytes(StandardCharsets.UTF_8))));
    }

    private Message.Respond answer(Response response) {
        return new Message.Respond(workflow.workflow(), receipt, activity, Message.Source.RECEIPT, response);
    }
}
