package dev.pawl.engine.flow;

import dev.pawl.kernel.event.Json;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** Holds a workflow whose code cannot go on, until a person has seen to it or other code is there. */
final class Parking {

    /** A member of every reason of code that cannot go on, and of no other. */
    static final String CODE_VERSION = "codeVersion";

    private static final Logger LOG = System.getLogger(FlowRuntime.class.getName());

    private final Incarnation incarnation;
    private final Outbox outbox;

    Parking(Incarnation incarnation, Outbox outbox) {
        this.incarnation = incarnation;
        this.outbox = outbox;
    }

    /** The code does not fit its record. What it did until here counts, so what is under way is waited for. */
    Unwound park(Journal.Mismatch mismatch) {
        return park(Json.object()
                .put("attempted", mismatch.attempted())
                .put("code", FlowControl.MISMATCH)
                .put(CODE_VERSION, incarnation.flow().version())
                .put("message", Results.shortened("the code of " + incarnation.key().workflowId() + " comes to "
                        + mismatch.attempted() + ", where the record has " + mismatch.recorded()
                        + "; deploy the code that made the record, or code that asks patched() where it has changed, or abort the"
                        + " workflow (pawl.attention()). Values are not shown here: operations() has them"))
                .put("recorded", mismatch.recorded())
                .put("recordedVersion", incarnation.workflow().beginning().definitionVersion())
                .end());
    }

    /** The same for code that cannot go on for another reason. */
    Unwound park(String code, String why) {
        return park(reason(code, why));
    }

    /**
     * A payload is not what the code asks for, or what the code hands on cannot be a payload. Nothing is taken back because of that: other
     * code, or another codec, can go on from here.
     *
     * @param operation which operation it belongs to, or what of the flow it is
     */
    Unwound park(String operation, PayloadError error) {
        return park(payload(Json.object().put("code", error.code()).put(CODE_VERSION, incarnation.flow().version()),
                operation, error));
    }

    private String payload(Json json, String operation, PayloadError error) {
        json.put("message", Results.shortened(operation + " of " + incarnation.key().workflowId() + ": "
                + error.getMessage() + "; deploy code whose types fit, or the code before it, or abort the workflow"
                + " (pawl.attention())")).put("operation", operation);
        if (error.path() != null) {
            json.put("path", error.path());
        }
        json.put("recordedVersion", incarnation.workflow().beginning().definitionVersion());
        if (error.stored() != null) {
            json.put("stored", error.stored());
        }
        return (error.type() == null ? json : json.put("type", error.type())).end();
    }

    private Unwound park(String reason) {
        outbox.settle();
        standStill(reason);
        return new Unwound(reason);
    }

    /** The same, but whatever is under way does not count. */
    void standStill(String code, String why) {
        standStill(reason(code, why));
    }

    /** What people read who have to decide about it. */
    private String reason(String code, String why) {
        return Json.object()
                .put("code", code)
                .put(CODE_VERSION, incarnation.flow().version())
                .put("message", Results.shortened(why))
                .end();
    }

    private void standStill(String reason) {
        Outbox.Ticket word = outbox.lastWord(reason);
        if (incarnation.die(reason) && !incarnation.readOnly()) {
            LOG.log(Level.WARNING,
                    incarnation.key() + " is parked, because its code cannot go on: " + reason);
            // What it has handed in before says that it goes on.
            if (outbox.handedIn() || !word.advance().changes().isEmpty()
                    || !reason.equals(incarnation.workflow().reason())) {
                incarnation.runtime().engine().submit(word);
            }
        } else {
            incarnation.attempts().reclaim();
        }
    }
}
