package dev.pawl.kernel.event;

import dev.pawl.kernel.id.Hash;
import java.util.List;
import java.util.function.LongFunction;

/**
 * Checks the event log of a workflow against what its row says of it. Nothing is believed but the texts: what they hash to is
 * computed anew.
 */
public final class Chain {

    private Chain() {
    }

    /** What came of it: everything holds, or the first thing that does not. */
    public sealed interface Verdict {

        /** How many events hold, from the first one on. */
        long events();
    }

    /** Every event is there, each follows from the one before it, and the last one is the head. */
    public record Intact(long events) implements Verdict {
    }

    /** The event after these is not where it should be. */
    public record Missing(long events) implements Verdict {
    }

    /** The event after these has another text than the one its hash was made of. */
    public record Altered(long events) implements Verdict {
    }

    /** The event after these does not follow from the last of them: one of the two was replaced. */
    public record Severed(long events) implements Verdict {
    }

    /** They follow from one another, but not to the head: the last one was replaced, or the head was. */
    public record OtherHead(long events, Hash actual) implements Verdict {
    }

    /**
     * Verifies the events up to a version. Those after it are not looked at: the workflow may have moved on since its row was
     * read, and every beginning of a log holds by itself.
     *
     * @param page some of the events after a number, in order; empty if there are none
     * @param head the hash of the workflow's last event
     * @param version the workflow's version: how many events there must be
     */
    public static Verdict verify(LongFunction<List<Event>> page, Hash head, long version) {
        Hash last = Hash.NONE;
        long events = 0;
        while (events < version) {
            List<Event> next = page.apply(events);
            if (next.isEmpty()) {
                return new Missing(events);
            }
            for (Event event : next.subList(0, (int) Math.min(next.size(), version - events))) {
                if (event.number() != events + 1) {
                    return new Missing(events);
                }
                if (!event.hash().equals(Hash.of(event.json()))) {
                    return new Altered(events);
                }
                if (!event.follows(last)) {
                    return new Severed(events);
                }
                last = event.hash();
                events++;
            }
        }
        return last.equals(head) ? new Intact(events) : new OtherHead(events, last);
    }
}
