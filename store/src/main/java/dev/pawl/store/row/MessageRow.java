package dev.pawl.store.row;

import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.DimensionalAddress;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A message as columns, the same in queue, inbox and among what was given up.
 *
 * @param name a signal's topic
 * @param source where a response comes from: TASK, TIMER, SIGNAL, CHILD or RECEIPT
 * @param response FINAL, PENDING or FAILURE
 * @param payload what it carries: the input of a start or of another round, a response's payload, the error of an end
 * @param details the rest of a start or an interrupt, or the sender of a signal that waits for a receipt, as JSON
 */
public record MessageRow(String kind, Guid guid, @Nullable String activity, @Nullable String address,
        @Nullable String name, @Nullable String source, @Nullable Integer attempt, @Nullable String response,
        Payload payload, @Nullable String details) {

    public static MessageRow of(Message message) {
        return switch (message) {
            case Message.Start start -> new MessageRow("START", start.guid(), null, null, null, null, null, null,
                    start.beginning().input(), Details.of(start));
            case Message.Enter enter -> of("ENTER", enter.guid(), enter.target(), Payload.EMPTY);
            case Message.Reenter reenter -> of("REENTER", reenter.guid(), reenter.target(), reenter.input());
            case Message.Respond respond -> new MessageRow("RESPOND", respond.guid(), respond.target().activity(),
                    respond.target().address().drawing(), null, respond.source().name(), respond.attempt(),
                    kind(respond.response()), respond.response().payload(), null);
            case Message.Signal signal -> new MessageRow("SIGNAL", signal.guid(), null, null,
                    FreeText.column(signal.topic()), null, null, kind(signal.response()),
                    signal.response().payload(), signal.sender() == null ? null : Details.of(signal.sender()));
            case Message.Interrupt interrupt -> new MessageRow("INTERRUPT", interrupt.guid(), null, null, null, null,
                    null, null, interrupt.ending().error(), Details.of(interrupt.ending()));
        };
    }

    private static MessageRow of(String kind, Guid guid, ActivityKey target, Payload payload) {
        return new MessageRow(kind, guid, target.activity(), target.address().drawing(), null, null, null, null,
                payload, null);
    }

    public Message message(WorkflowKey workflow) {
        return switch (kind) {
            case "START" -> Details.start(workflow, required(details), payload);
            case "ENTER" -> new Message.Enter(workflow, guid, target());
            case "REENTER" -> new Message.Reenter(workflow, guid, target(), payload);
            case "RESPOND" -> new Message.Respond(workflow, guid, target(), Message.Source.valueOf(required(source)),
                    required(attempt), response(required(response), payload));
            case "SIGNAL" -> new Message.Signal(workflow, guid, FreeText.text(required(name)),
                    response(required(response), payload), details == null ? null : Details.sender(details));
            case "INTERRUPT" ->
                new Message.Interrupt(workflow, guid, Details.ending(required(details), payload));
            default -> throw new IllegalStateException("a newer engine sent a message this one does not know: " + kind);
        };
    }

    private ActivityKey target() {
        return new ActivityKey(required(activity), new DimensionalAddress(required(address)));
    }

    public static String kind(Response response) {
        return switch (response) {
            case Response.Final last -> "FINAL";
            case Response.Pending pending -> "PENDING";
            case Response.Failure failure -> "FAILURE";
        };
    }

    public static Response response(String kind, Payload payload) {
        return switch (kind) {
            case "FINAL" -> new Response.Final(payload);
            case "PENDING" -> new Response.Pending(payload);
            case "FAILURE" -> new Response.Failure(payload);
            default ->
                throw new IllegalStateException("a newer engine sent a response this one does not know: " + kind);
        };
    }

    private static <T> T required(@Nullable T column) {
        return Objects.requireNonNull(column, "a message lacks one of its columns");
    }
}
