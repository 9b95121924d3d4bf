package dev.pawl.kernel.event;

import dev.pawl.kernel.message.Payload;
import java.util.List;

/** One commit of a workflow as it is kept: its event, and the payloads whose digests stand in it. */
public record JournalEntry(Event event, List<Payload> payloads) {

    public JournalEntry {
        payloads = List.copyOf(payloads);
    }
}
