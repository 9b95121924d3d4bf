package dev.pawl.kernel.collation;

import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Sender;
import dev.pawl.kernel.workflow.WorkflowView;
import java.util.List;
import java.util.function.Function;

/**
 * What the sender of a signal hears of it, if it is a workflow that waits for that. A receipt is posted in the commit that accepts or
 * refuses the signal. Whatever is posted, only the first receipt that is read counts: all of one signal have the same GUID.
 */
final class Receipts {

    private Receipts() {
    }

    static List<Write> accepted(Message message) {
        return to(message, Sender::accepted);
    }

    static List<Write> givenUp(Message message) {
        return to(message, sender -> sender.refused(Sender.GIVEN_UP));
    }

    static List<Write> notFound(Message message) {
        return to(message, sender -> sender.refused(Sender.NOT_FOUND));
    }

    /** Of a signal that is not taken, because there is no such workflow or it is closed. One that was taken before has had its receipt. */
    static List<Write> refused(WorkflowView view, Message message) {
        if (view.workflow() == null) {
            return notFound(message);
        }
        return taken(view, message.guid()) ? List.of() : to(message, sender -> sender.refused(Sender.CLOSED));
    }

    private static boolean taken(WorkflowView view, Guid guid) {
        return view.guid(guid) != null || view.signals().stream().anyMatch(kept -> kept.guid().equals(guid));
    }

    private static List<Write> to(Message message, Function<Sender, Message> receipt) {
        Sender sender = message instanceof Message.Signal signal ? signal.sender() : null;
        return sender == null ? List.of()
                : List.of(new Write.Post(sender.workflow().group(), receipt.apply(sender)));
    }
}
