package dev.pawl.kernel.event;

import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Response;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Why a commit is made: what kind of thing happened, the message it happened to, and when. */
public record Occasion(String cause, Guid guid, Instant at) {

    /** Its message follows from the workflow's id. */
    public static final String START = "start";

    /** What the code of a flow has come to. */
    public static final String ADVANCE = "advance";

    public Occasion {
        at = at.truncatedTo(ChronoUnit.MILLIS);
    }

    public static Occasion of(Message message, Instant at) {
        return new Occasion(kind(message), message.guid(), at);
    }

    /** The kind of a message, and whether what it brings is not the plain answer: a failure must not read like a success. */
    public static String kind(Message message) {
        return switch (message) {
            case Message.Start start -> START;
            case Message.Enter enter -> "enter";
            case Message.Reenter reenter -> "reenter";
            case Message.Respond respond -> ("respond " + manner(respond.response())).strip();
            case Message.Signal signal -> ("signal " + manner(signal.response())).strip();
            case Message.Interrupt interrupt -> "interrupt";
        };
    }

    /** Of a response that is not the plain answer; empty if it is. */
    public static String manner(Response response) {
        return switch (response) {
            case Response.Final last -> "";
            case Response.Pending pending -> "pending";
            case Response.Failure failure -> "failure";
        };
    }
}
