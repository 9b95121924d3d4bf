package dev.pawl.testkit.scenario;

import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Ending;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Response;

/** Something that one workflow has sent to another. */
public record Effect(String from, String to, Kind kind, String what) {

    public enum Kind {
        START, SIGNAL, INTERRUPT, ANSWER
    }

    /** What a posted message is; workflows post no others. */
    public static Effect of(WorkflowKey from, Message message) {
        String sender = from.workflowId();
        String target = message.workflow().workflowId();
        return switch (message) {
            case Message.Start start -> start(sender, target, start.beginning().definition(),
                    Text.in(start.beginning().input()));
            case Message.Signal signal -> signal(sender, target, signal.topic(), Text.in(signal.response().payload()));
            case Message.Interrupt interrupt -> interrupt(sender, target, interrupt.ending());
            case Message.Respond respond -> answer(sender, target, respond.target().toString(), respond.response());
            case Message.Enter enter -> throw new IllegalArgumentException("posted: " + enter);
            case Message.Reenter reenter -> throw new IllegalArgumentException("posted: " + reenter);
        };
    }

    static Effect start(String from, String to, String definition, String input) {
        return new Effect(from, to, Kind.START, definition + "(" + input + ")");
    }

    static Effect signal(String from, String to, String topic, String payload) {
        return new Effect(from, to, Kind.SIGNAL, topic + "(" + payload + ")");
    }

    static Effect interrupt(String from, String to, Ending ending) {
        return new Effect(from, to, Kind.INTERRUPT, ending.event() + " " + ending.reason());
    }

    static Effect answer(String from, String to, String activity, Response response) {
        String kind = response instanceof Response.Failure ? " failed: " : " done: ";
        return new Effect(from, to, Kind.ANSWER, activity + kind + Text.in(response.payload()));
    }
}
