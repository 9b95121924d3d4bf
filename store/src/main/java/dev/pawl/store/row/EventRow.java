package dev.pawl.store.row;

import dev.pawl.kernel.bundle.Seal;
import dev.pawl.kernel.event.Event;
import dev.pawl.kernel.event.JournalEntry;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.Hash;
import dev.pawl.kernel.ledger.LedgerViolation;
import dev.pawl.kernel.message.Payload;
import dev.pawl.store.plan.WorkflowPlan;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One entry of the journal as columns.
 *
 * @param signalGuid the signal that the commit has dealt with; null if it was something else
 * @param payloads those that the body names by their digests, each after its length in four bytes; null if there are none. Input and
 *        output of the workflow are in the row of the workflow, and not here
 */
public record EventRow(long number, Hash hash, @Nullable Guid signalGuid, String body, @Nullable Payload payloads) {

    private static final String SIGNAL = "signal";

    /** The events of a plan. */
    public static List<EventRow> of(WorkflowPlan plan) {
        Payload input = plan.created == null ? Payload.EMPTY : plan.created.beginning().input();
        Payload output = plan.close == null ? Payload.EMPTY : plan.close.output();
        List<EventRow> rows = new ArrayList<>(plan.events.size());
        for (Seal seal : plan.events) {
            Event event = seal.event();
            boolean signal = seal.occasion().cause().startsWith(SIGNAL);
            rows.add(new EventRow(event.number(), event.hash(), signal ? seal.occasion().guid() : null, event.json(),
                    joined(seal.entry().payloads(), input, output)));
        }
        return rows;
    }

    private static @Nullable Payload joined(List<Payload> payloads, Payload input, Payload output) {
        int size = 0;
        for (Payload payload : payloads) {
            size += payload.equals(input) || payload.equals(output) ? 0 : Integer.BYTES + payload.size();
        }
        if (size == 0) {
            return null;
        }
        ByteBuffer buffer = ByteBuffer.allocate(size);
        for (Payload payload : payloads) {
            if (!payload.equals(input) && !payload.equals(output)) {
                buffer.putInt(payload.size());
                payload.appendTo(buffer);
            }
        }
        return Payload.of(buffer.array());
    }

    /** The entry these columns hold. A body with another hash than beside it was changed. */
    public JournalEntry entry() {
        Event event = Event.of(number, body);
        if (!event.hash().equals(hash)) {
            throw new LedgerViolation("event " + number + " has another text than it was written with");
        }
        return new JournalEntry(event, payloads == null ? List.of() : split(payloads.bytes()));
    }

    private List<Payload> split(byte[] column) {
        List<Payload> found = new ArrayList<>();
        for (int at = 0; at < column.length;) {
            int begin = at + Integer.BYTES;
            int size = begin > column.length ? -1 : ByteBuffer.wrap(column).getInt(at);
            if (size < 0 || size > column.length - begin) {
                throw new LedgerViolation("the payloads of event " + number + " are not as they were written");
            }
            at = begin + size;
            found.add(Payload.of(column, begin, at));
        }
        return found;
    }
}
