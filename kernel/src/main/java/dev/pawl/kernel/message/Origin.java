package dev.pawl.kernel.message;

import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.Recipient;

/**
 * Who started a child workflow, and how it hears of it.
 *
 * @param activity the activity that waits for the answer
 * @param answer the GUID of that answer, fixed before the child exists, so that it can be given only once
 * @param awaitsResult false if the parent goes on as soon as the child exists
 */
public record Origin(Recipient parent, ActivityKey activity, Guid answer, boolean awaitsResult) {

    public Message.Respond answer(Response response) {
        return new Message.Respond(parent.workflow(), answer, activity, Message.Source.CHILD, response);
    }
}
