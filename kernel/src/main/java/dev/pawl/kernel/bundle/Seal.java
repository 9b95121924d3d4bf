package dev.pawl.kernel.bundle;

import dev.pawl.kernel.event.Event;
import dev.pawl.kernel.event.JournalEntry;
import dev.pawl.kernel.event.Occasion;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Hash;
import dev.pawl.kernel.workflow.Waker;
import java.util.List;
import java.util.Map;

/**
 * The event of a bundle, and what it was made of: enough to make the events of its parts when they commit apart.
 *
 * <p>Its event says that it follows {@code previous}, so a store that finds {@code previous} at the head of the workflow's chain
 * has nothing left to check.
 *
 * @param entry the event, with what the digests in it stand for, each once
 * @param existing the activities that the bundle writes and that were there before it, and what each of them waited for
 * @param closed whether the workflow was closed before it: then nothing is waited for any more
 */
public record Seal(Occasion occasion, Hash previous, JournalEntry entry, Map<ActivityKey, Waker> existing,
        boolean closed) {

    public Seal {
        if (!entry.event().follows(previous)) {
            throw new IllegalArgumentException("event " + entry.event().number() + " does not follow " + previous);
        }
    }

    public Event event() {
        return entry.event();
    }

    public static Seal of(Occasion occasion, Hash previous, long number, List<Write> writes,
            Map<ActivityKey, Waker> existing, boolean closed) {
        Account account = new Account(occasion, previous, existing.keySet());
        Event event = Event.of(number, account.of(writes));
        return new Seal(occasion, previous, new JournalEntry(event, account.payloads()), existing,
                closed);
    }
}
