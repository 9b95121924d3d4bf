package dev.pawl.engine.flow;

import dev.pawl.kernel.event.Json;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** Holds a workflow whose code cannot go on, until a person has seen to it or other code is there. */
final class Parking {

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
                .put("codeVersion", incarnation.flow().version())
                .put("recorded", mismatch.recorded())
                .put("recordedVersion", incarnation.workflow().beginning().definitionVersion())
                .end());
    }

    /** The same for code that cannot go on for another reason. */
    Unwound park(String code, String why) {
        return park(reason(code, why));
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
                .put("codeVersion", incarnation.flow().version())
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
        }
    }
}
