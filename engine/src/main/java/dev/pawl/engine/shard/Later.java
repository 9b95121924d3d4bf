package dev.pawl.engine.shard;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** Things that wait for their turn; what has failed waits longer, and longer each time. Not thread-safe. */
final class Later<T> {

    private static final Duration SHORTEST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private final Deque<Entry<T>> entries = new ArrayDeque<>();

    /** One of them, and how often it has failed here. */
    record Entry<T>(T what, int failures, Rest rest) {
    }

    int size() {
        return entries.size();
    }

    void clear() {
        entries.clear();
    }

    void add(T what) {
        entries.add(new Entry<>(what, 0, Rest.OVER));
    }

    /** Goes on before any other. */
    void addFirst(T what) {
        entries.addFirst(new Entry<>(what, 0, Rest.OVER));
    }

    void failed(T what, int failures, Instant now) {
        entries.add(new Entry<>(what, failures, Rest.after(failures, SHORTEST, LONGEST, now)));
    }

    /** The next one whose time has come, taken out. */
    @Nullable Entry<T> take(Instant now) {
        for (Iterator<Entry<T>> each = entries.iterator(); each.hasNext();) {
            Entry<T> entry = each.next();
            if (entry.rest().over(now)) {
                each.remove();
                return entry;
            }
        }
        return null;
    }

    boolean anyDue(Instant now) {
        for (Entry<T> entry : entries) {
            if (entry.rest().over(now)) {
                return true;
            }
        }
        return false;
    }

    /** When the next one's time comes. */
    @Nullable Instant next() {
        Instant next = null;
        for (Entry<T> entry : entries) {
            Instant until = entry.rest().until();
            next = next == null || until.isBefore(next) ? until : next;
        }
        return next;
    }
}
